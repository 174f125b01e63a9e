extension JSONValue {
    /// The beginning of the value as compact text, whole when it is short enough.
    func excerpt(limit: Int = 80) -> String {
        var text: [UInt8] = []
        var isInString = false
        var isEscaped = false
        for byte in sourceBytes {
            if byte.isJSONBlank && !isInString { continue }
            if byte == UInt8(ascii: "\"") && !isEscaped { isInString.toggle() }
            isEscaped = byte == UInt8(ascii: "\\") && !isEscaped
            if text.count >= limit && !UTF8.isContinuation(byte) {
                return String(decoding: text, as: UTF8.self) + "…"
            }
            text.append(byte)
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// The value and what it is, as the second half of a message: `"7" (string)`.
    var found: String { isNull ? "null" : "\(excerpt()) (\(kind.rawValue))" }
}
