/// Says why a text is not a JSONPath, and where.
public struct JSONPathError: Error, Sendable, Equatable, CustomStringConvertible {
    /// What was expected and what was found, as one sentence part without a final full stop.
    public let message: String

    /// The offset in the UTF-8 bytes of the path.
    public let offset: Int

    /// The message and the offset.
    public var description: String { "\(message) (at byte \(offset) of the path)" }
}
