/// One way in which a value does not match a JSON Schema.
public struct JSONSchemaFinding: Sendable, Hashable, CustomStringConvertible {
    /// A JSON Pointer (RFC 6901) to the part of the value that does not match; empty for the whole.
    public let instanceLocation: String

    /// The URI of the schema resource and a JSON Pointer to the keyword in it.
    ///
    /// It leads there without references in between; it begins with `#` in a schema whose URI is not
    /// known.
    public let schemaLocation: String

    /// The keyword that found it; for the schema `false`, the keyword that applied it.
    public let keyword: String

    /// What was expected and what was found, cut when long, without a final full stop.
    public let message: String

    /// The part of the value that does not match.
    package let instance: JSONValue

    /// Both places and the message.
    public var description: String {
        let place = instanceLocation.isEmpty ? "the value" : instanceLocation
        return "\(place): \(message) (\(schemaLocation))"
    }
}
