/// Says why a JSON Schema cannot be used, and where in it.
public struct JSONSchemaError: Error, Sendable, CustomStringConvertible {
    /// What was expected and what was found, as one sentence part without a final full stop.
    public let message: String

    /// The URI of the schema resource and a JSON Pointer into it, as in `file:///a.json#/properties/b`.
    ///
    /// It begins with `#` in a schema whose URI is not known.
    public let schemaLocation: String

    /// The part of the schema that is wrong, for its place in the text that it was read from.
    package let source: JSONValue

    /// The location and the message.
    public var description: String { "\(schemaLocation): \(message)" }
}
