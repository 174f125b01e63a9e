/// What a placeholder stands for.
package enum Reference: Sendable, Hashable {
    /// A variable, an environment variable or a captured value, by its place in the store.
    case slot(Int)
    /// `{{$uuid}}`: a new random UUID (RFC 9562, version 4) at each use.
    case uuid
    /// `{{$timestamp}}`: the seconds since 1970-01-01T00:00:00Z.
    case timestamp
    /// `{{$isoTimestamp}}`: the time of day in UTC as RFC 3339 has it, with milliseconds.
    case isoTimestamp
    /// `{{$randomInt}}`: a random whole number from 0 to 999.
    case randomInt

    /// The names of the values that are made up at each use.
    static let generators: [(name: String, reference: Reference)] = [
        ("$uuid", .uuid), ("$timestamp", .timestamp), ("$isoTimestamp", .isoTimestamp),
        ("$randomInt", .randomInt),
    ]
}
