import PipelineCore

/// The ways in which a text may be written that no output may hold, made without the code that
/// looks for them.
struct WrittenForms {
    private let bytes: [UInt8]

    init(_ secret: String) {
        bytes = Array(secret.utf8)
    }

    /// Every one by its name.
    var all: [(name: String, text: String)] {
        [
            ("raw", String(decoding: bytes, as: UTF8.self)),
            ("percent-encoded", each { Self.isPlain($0) ? nil : "%" + Self.hex($0) }),
            (
                "percent-encoded, lower",
                each { Self.isPlain($0) ? nil : "%" + Self.hex($0).lowercased() }
            ),
            ("percent-encoded throughout", each { "%" + Self.hex($0) }),
            (
                "form-encoded",
                each { $0 == 0x20 ? "+" : Self.isPlain($0) ? nil : "%" + Self.hex($0) }
            ),
            ("JSON", each { $0 == UInt8(ascii: "\"") ? "\\\"" : nil }),
            (
                "JSON with solidus",
                each { "\"/".utf8.contains($0) ? "\\" + Self.character($0) : nil }
            ),
            ("JSON in \\u", each { "\\u00" + Self.hex($0) }),
            ("JSON in \\u, lower", each { "\\u00" + Self.hex($0).lowercased() }),
            ("JSON twice", each { $0 == UInt8(ascii: "\"") ? "\\\\\\\"" : nil }),
            ("XML", each { $0 == UInt8(ascii: "\"") ? "&quot;" : nil }),
            ("XML in decimal", each { "&#\($0);" }),
            ("XML in hexadecimal", each { "&#x\(Self.hex($0).lowercased());" }),
            ("XML in hexadecimal, upper", each { "&#X\(Self.hex($0));" }),
        ] + base64
    }

    /// What the secret alone decides, wherever it stands, in both alphabets.
    private var base64: [(name: String, text: String)] {
        (0..<3).flatMap { offset in
            let text = Base64.encode(
                [UInt8](repeating: 0x41, count: offset) + bytes + [0x41, 0x41])
            let first = (offset * 8 + 5) / 6
            let last = (offset + bytes.count) * 8 / 6
            let core = String(text.dropFirst(first).prefix(last - first))
            let url = core.replacing("+", with: "-").replacing("/", with: "_")
            return [("Base64 at \(offset)", core), ("Base64url at \(offset)", url)]
        }
    }

    private func each(_ escape: (UInt8) -> String?) -> String {
        bytes.map { escape($0) ?? Self.character($0) }.joined()
    }

    private static func character(_ byte: UInt8) -> String { String(Unicode.Scalar(byte)) }

    private static func isPlain(_ byte: UInt8) -> Bool {
        byte.isASCIILetter || byte.isASCIIDigit || "-._~".utf8.contains(byte)
    }

    private static func hex(_ byte: UInt8) -> String {
        let digits = String(byte, radix: 16, uppercase: true)
        return digits.utf8.count == 1 ? "0" + digits : digits
    }
}
