extension UInt8 {
    /// `0` to `9`.
    var isDigit: Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= self }

    /// `0` to `9`, `a` to `f` and `A` to `F`.
    var isHexDigit: Bool {
        isDigit || UInt8(ascii: "a")...UInt8(ascii: "f") ~= self | 0x20
    }

    /// A character of a token: `tchar` of RFC 9110, section 5.6.2.
    var isTokenCharacter: Bool {
        isDigit || UInt8(ascii: "a")...UInt8(ascii: "z") ~= self | 0x20
            || "!#$%&'*+-.^_`|~".utf8.contains(self)
    }
}

extension Sequence<UInt8> {
    /// Whether these bytes could be a method or a field name (RFC 9110, section 5.6.2).
    var isToken: Bool {
        var isEmpty = true
        for byte in self {
            guard byte.isTokenCharacter else { return false }
            isEmpty = false
        }
        return !isEmpty
    }
}

extension String {
    /// Whether the text could be a method or a field name (RFC 9110, section 5.6.2).
    var isToken: Bool { utf8.isToken }
}
