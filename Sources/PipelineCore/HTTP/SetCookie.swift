/// One `Set-Cookie` line, read as user agents do (RFC 6265, section 5.2).
package struct SetCookie: Sendable {
    package let name: String
    package let value: String
    /// The attributes in order, their names in lower case; one without a value has an empty one.
    let attributes: [(name: String, value: String)]

    /// Reads a line; `nil` for one that user agents ignore.
    package init?(_ line: String) {
        let parts = Array(line.utf8)[...]
            .split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
        guard let pair = parts.first, let equals = pair.firstIndex(of: UInt8(ascii: "=")) else {
            return nil
        }
        name = Self.text(pair[..<equals])
        value = Self.text(pair[(equals + 1)...])
        guard !name.isEmpty else { return nil }
        attributes = parts.dropFirst().map { part in
            let equals = part.firstIndex(of: UInt8(ascii: "=")) ?? part.endIndex
            let name = part[..<equals].trimmingWhitespace.map(\.lowercasedASCII)
            return (String(decoding: name, as: UTF8.self), Self.text(part[equals...].dropFirst()))
        }
    }

    /// The value of the last attribute of that name; `nil` when there is none.
    package func attribute(_ name: String) -> String? {
        attributes.last { $0.name == name }?.value
    }

    private static func text(_ bytes: ArraySlice<UInt8>) -> String {
        String(decoding: bytes.trimmingWhitespace, as: UTF8.self)
    }
}
