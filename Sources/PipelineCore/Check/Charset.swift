/// The encodings of text that bodies are read in (names of the Encoding standard).
enum Charset {
    case utf8
    case utf16(bigEndian: Bool)
    case latin1
    case windows1252

    /// Finds an encoding by one of its usual names; `nil` for one that is not known.
    init?(_ name: String) {
        switch String(decoding: name.utf8.map(\.lowercasedASCII), as: UTF8.self) {
        case "utf-8", "utf8", "us-ascii", "ascii": self = .utf8
        case "utf-16", "utf-16le": self = .utf16(bigEndian: false)
        case "utf-16be": self = .utf16(bigEndian: true)
        case "iso-8859-1", "latin1", "iso8859-1", "l1": self = .latin1
        case "windows-1252", "cp1252", "x-cp1252": self = .windows1252
        default: return nil
        }
    }

    /// The text, without a byte order mark; `nil` when the bytes are not text in the encoding.
    func decode(_ bytes: [UInt8]) -> String? {
        switch self {
        case .utf8:
            let hasMark = bytes.starts(with: [0xEF, 0xBB, 0xBF])
            return String(validating: bytes.dropFirst(hasMark ? 3 : 0), as: UTF8.self)
        case .utf16(let bigEndian): return Self.utf16(bytes, bigEndian: bigEndian)
        case .latin1: return Self.scalars(bytes) { Unicode.Scalar($0) }
        case .windows1252:
            return Self.scalars(bytes) { byte in
                0x80...0x9F ~= byte
                    ? Self.windows[Int(byte - 0x80)] : Unicode.Scalar(byte)
            }
        }
    }

    /// A byte order mark decides, whatever the name says.
    private static func utf16(_ bytes: [UInt8], bigEndian: Bool) -> String? {
        guard bytes.count.isMultiple(of: 2) else { return nil }
        var bigEndian = bigEndian
        var start = 0
        if bytes.starts(with: [0xFE, 0xFF]) { (bigEndian, start) = (true, 2) }
        if bytes.starts(with: [0xFF, 0xFE]) { (bigEndian, start) = (false, 2) }
        let units = stride(from: start, to: bytes.count, by: 2).map { offset in
            let (one, other) = (UInt16(bytes[offset]), UInt16(bytes[offset + 1]))
            return bigEndian ? one << 8 | other : other << 8 | one
        }
        return String(validating: units, as: UTF16.self)
    }

    private static func scalars(
        _ bytes: [UInt8], _ scalar: (UInt8) -> Unicode.Scalar
    ) -> String {
        var result = String.UnicodeScalarView()
        result.append(contentsOf: bytes.lazy.map(scalar))
        return String(result)
    }

    /// 0x80 to 0x9F; what is not assigned stands for itself, as in the Encoding standard.
    private static let windows: [Unicode.Scalar] = [
        "\u{20AC}", "\u{81}", "\u{201A}", "\u{192}", "\u{201E}", "\u{2026}", "\u{2020}",
        "\u{2021}", "\u{2C6}", "\u{2030}", "\u{160}", "\u{2039}", "\u{152}", "\u{8D}", "\u{17D}",
        "\u{8F}", "\u{90}", "\u{2018}", "\u{2019}", "\u{201C}", "\u{201D}", "\u{2022}", "\u{2013}",
        "\u{2014}", "\u{2DC}", "\u{2122}", "\u{161}", "\u{203A}", "\u{153}", "\u{9D}", "\u{17E}",
        "\u{178}",
    ]
}
