/// Says why a text is not JSON, and where.
public struct JSONError: Error, Sendable, Equatable, CustomStringConvertible {
    /// What was expected and what was found, as one sentence part without a final full stop.
    public let message: String

    /// The offset in bytes from the true start of the text, a byte order mark included.
    public let offset: Int

    /// The line and column of `offset`.
    public let position: SourcePosition

    /// The position and the message, `line:column: message`.
    public var description: String { "\(position): \(message)" }
}
