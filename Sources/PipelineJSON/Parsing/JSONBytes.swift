/// The UTF-8 form of U+FEFF, which may stand before a text (RFC 8259 section 8.1).
let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

extension UInt8 {
    var isDigit: Bool { self &- UInt8(ascii: "0") < 10 }

    /// `a` to `z` and `A` to `Z`.
    var isLetter: Bool { UInt8(ascii: "a")...UInt8(ascii: "z") ~= self | 0x20 }

    /// Space, tab, line feed and carriage return: all that RFC 8259 section 2 lets stand between tokens.
    var isJSONBlank: Bool { self <= 0x20 && (1 &<< UInt64(self)) & 0x1_0000_2600 != 0 }

    var hexadecimalValue: UInt32? {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(self) - 0x30
        case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt32(self) - 0x57
        case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt32(self) - 0x37
        default: nil
        }
    }

    /// The character that stands for this byte after a backslash (RFC 8259 section 7), except `u`.
    var unescaped: UInt8? {
        switch self {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): self
        case UInt8(ascii: "b"): 0x08
        case UInt8(ascii: "f"): 0x0C
        case UInt8(ascii: "n"): 0x0A
        case UInt8(ascii: "r"): 0x0D
        case UInt8(ascii: "t"): 0x09
        default: nil
        }
    }

    /// The letter that stands for this byte after a backslash, where there is a short escape that is needed.
    var shortEscape: UInt8? {
        switch self {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): self
        case 0x08: UInt8(ascii: "b")
        case 0x0C: UInt8(ascii: "f")
        case 0x0A: UInt8(ascii: "n")
        case 0x0D: UInt8(ascii: "r")
        case 0x09: UInt8(ascii: "t")
        default: nil
        }
    }
}

extension Collection<UInt8> where Index == Int {
    /// The UTF-16 code unit that four hexadecimal digits give; nil when four do not stand at `offset`.
    func codeUnit(at offset: Int) -> UInt32? {
        guard offset + 4 <= endIndex else { return nil }
        var unit: UInt32 = 0
        for index in offset..<offset + 4 {
            guard let digit = self[index].hexadecimalValue else { return nil }
            unit = unit << 4 | digit
        }
        return unit
    }

    /// The code unit of a `\uXXXX` escape whose backslash stands at `offset`.
    func escapedCodeUnit(at offset: Int) -> UInt32? {
        guard offset + 6 <= endIndex, self[offset] == UInt8(ascii: "\\"),
            self[offset + 1] == UInt8(ascii: "u")
        else { return nil }
        return codeUnit(at: offset + 2)
    }
}

/// The scalar that a pair of UTF-16 code units gives; nil when they are not a surrogate pair.
func scalar(high: UInt32, low: UInt32) -> Unicode.Scalar? {
    guard (0xD800..<0xDC00).contains(high), (0xDC00..<0xE000).contains(low) else { return nil }
    return Unicode.Scalar(0x10000 + (high - 0xD800) << 10 + (low - 0xDC00))
}
