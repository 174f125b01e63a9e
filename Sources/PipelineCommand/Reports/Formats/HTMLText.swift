import PipelineCore

/// Text as HTML takes it, whatever is in it: never markup, and nothing in it unseen.
///
/// Used for the content of elements and for values of attributes in double quotes; never within
/// `style` or `script`, in a comment, or where an address or a style is expected.
enum HTMLText {
    static func append(_ text: String, to bytes: inout [UInt8]) {
        if text.utf8.allSatisfy(\.isPlainInHTML) {
            bytes.append(contentsOf: text.utf8)
            return
        }
        var previous: Unicode.Scalar?
        for scalar in text.unicodeScalars {
            // Alone it would be read as another line break (HTML, section 13.2.3.5).
            if previous == "\r", scalar != "\n" {
                bytes.append(contentsOf: "\\u000D".utf8)
            }
            previous = scalar
            switch scalar {
            case "<": bytes.append(contentsOf: "&lt;".utf8)
            case ">": bytes.append(contentsOf: "&gt;".utf8)
            case "&": bytes.append(contentsOf: "&amp;".utf8)
            case "\"": bytes.append(contentsOf: "&quot;".utf8)
            case "'": bytes.append(contentsOf: "&#39;".utf8)
            case "\r": break
            case "\n", "\t": bytes.append(UInt8(truncatingIfNeeded: scalar.value))
            case _ where scalar.isUnseenInHTML:
                bytes.append(contentsOf: scalar.visibleEscape.utf8)
            default: bytes.append(contentsOf: String(scalar).utf8)
            }
        }
        if previous == "\r" { bytes.append(contentsOf: "\\u000D".utf8) }
    }

    /// The text for the content of an element or the value of an attribute.
    static func escaped(_ text: String) -> String {
        var bytes: [UInt8] = []
        append(text, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension Unicode.Scalar {
    /// Whether it is not shown, is not allowed, ends a line or changes the direction of text.
    fileprivate var isUnseenInHTML: Bool {
        switch value {
        case 0x20...0x7E: false
        case 0x061C, 0x200E, 0x200F, 0x2028, 0x2029, 0xFEFF: true
        default:
            properties.generalCategory == .control || isBidirectionalControl
                || properties.isNoncharacterCodePoint
        }
    }
}

extension UInt8 {
    /// Printable ASCII without what has a meaning, and the breaks of lines.
    fileprivate var isPlainInHTML: Bool { isPlainInXML || self == UInt8(ascii: "\n") }
}
