extension UInt8 {
    /// The lower-case letter for an upper-case ASCII one; any other byte as it is.
    package var lowercasedASCII: UInt8 {
        UInt8(ascii: "A")...UInt8(ascii: "Z") ~= self ? self | 0x20 : self
    }

    /// `0` to `9`.
    package var isASCIIDigit: Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= self }

    /// `a` to `z` and `A` to `Z`.
    package var isASCIILetter: Bool { UInt8(ascii: "a")...UInt8(ascii: "z") ~= self | 0x20 }

    /// `0` to `9`, `a` to `f` and `A` to `F`.
    package var isHexDigit: Bool {
        isASCIIDigit || UInt8(ascii: "a")...UInt8(ascii: "f") ~= self | 0x20
    }

    /// A character that a method or a field name may hold: `tchar` of RFC 9110, section 5.6.2.
    package var isTokenCharacter: Bool {
        isASCIILetter || isASCIIDigit || "!#$%&'*+-.^_`|~".utf8.contains(self)
    }

    /// CR, LF and NUL: what would end or forge a line of a request (RFC 9110, section 5.5).
    package var isLineBreakOrNull: Bool { self == 0x0D || self == 0x0A || self == 0 }
}

extension Sequence<UInt8> {
    /// Whether these bytes could be a method or a field name: `token` of RFC 9110, section 5.6.2.
    package var isToken: Bool {
        var isEmpty = true
        for byte in self {
            guard byte.isTokenCharacter else { return false }
            isEmpty = false
        }
        return !isEmpty
    }
}

extension ArraySlice<UInt8> {
    /// The slice without spaces, tabs and carriage returns at either end.
    var trimmingWhitespace: Self {
        let isText: (UInt8) -> Bool = { $0 != 0x20 && $0 != 0x09 && $0 != 0x0D }
        guard let first = firstIndex(where: isText), let last = lastIndex(where: isText) else {
            return []
        }
        return self[first...last]
    }
}
