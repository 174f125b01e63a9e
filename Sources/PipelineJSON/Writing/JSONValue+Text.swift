extension JSONValue: CustomStringConvertible {
    /// The value as compact UTF-8 text, with no blanks between tokens.
    ///
    /// Numbers keep their digits; strings get the escapes they need and no others.
    public func serialized() -> [UInt8] {
        var writer = JSONWriter()
        writer.value(self)
        return writer.bytes
    }

    /// The value with a line for each element and member, indented by this many spaces for each level.
    public func prettyPrinted(indent: Int = 2) -> String {
        var writer = JSONWriter(indentation: indent)
        writer.value(self)
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    /// The value as compact text.
    public var description: String { String(decoding: serialized(), as: UTF8.self) }
}
