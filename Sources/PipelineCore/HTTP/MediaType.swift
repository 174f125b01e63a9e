/// A media type with its parameters (RFC 9110, section 8.3.1).
struct MediaType {
    /// Type and subtype in lower case, such as `text/html`.
    let essence: String
    /// The names in lower case, with their values.
    let parameters: [(name: String, value: String)]

    /// Reads the value of a `Content-Type` field; `nil` when it holds no type.
    ///
    /// Tolerant where senders are careless: parameters that are not well-formed are left out.
    init?(_ text: String) {
        var rest = Array(text.utf8)[...]
        let essence = rest.prefix { $0 != UInt8(ascii: ";") }.trimmingWhitespace
        guard !essence.isEmpty else { return nil }
        self.essence = String(decoding: essence.map(\.lowercasedASCII), as: UTF8.self)
        var parameters: [(String, String)] = []
        while let start = rest.firstIndex(of: UInt8(ascii: ";")) {
            rest = rest[(start + 1)...]
            let name = rest.prefix { $0 != UInt8(ascii: "=") && $0 != UInt8(ascii: ";") }
            rest = rest[name.endIndex...]
            guard rest.first == UInt8(ascii: "=") else { continue }
            rest = rest.dropFirst()
            let value = Self.value(&rest)
            let plain = name.trimmingWhitespace
            if plain.isToken {
                parameters.append(
                    (String(decoding: plain.map(\.lowercasedASCII), as: UTF8.self), value))
            }
        }
        self.parameters = parameters
    }

    /// The value of the parameter `charset`.
    var charset: String? { parameters.first { $0.name == "charset" }?.value }

    /// A token, or a quoted string without its quotes and backslashes.
    private static func value(_ rest: inout ArraySlice<UInt8>) -> String {
        rest = rest.drop { $0 == 0x20 || $0 == 0x09 }
        guard rest.first == UInt8(ascii: "\"") else {
            let token = rest.prefix { $0 != UInt8(ascii: ";") }
            rest = rest[token.endIndex...]
            return String(decoding: token.trimmingWhitespace, as: UTF8.self)
        }
        rest = rest.dropFirst()
        var value: [UInt8] = []
        while let byte = rest.popFirst(), byte != UInt8(ascii: "\"") {
            guard byte == UInt8(ascii: "\\") else {
                value.append(byte)
                continue
            }
            if let escaped = rest.popFirst() { value.append(escaped) }
        }
        return String(decoding: value, as: UTF8.self)
    }
}
