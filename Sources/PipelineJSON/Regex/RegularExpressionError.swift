/// Says why a text is not a regular expression that can be used, and where.
public struct RegularExpressionError: Error, Sendable, Equatable, CustomStringConvertible {
    /// What was expected and what was found, as one sentence part without a final full stop.
    public let message: String

    /// The offset in the UTF-8 bytes of the pattern.
    public let offset: Int

    /// The message and the offset.
    public var description: String { "\(message) (at byte \(offset) of the pattern)" }
}
