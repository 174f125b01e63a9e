import PipelineCore

/// Text as HTML takes it, whatever is in it: never markup, and nothing in it unseen.
///
/// Used for the content of elements and for values of attributes in double quotes; never within
/// `style` or `script`, in a comment, or where an address or a style is expected.
enum HTMLText {
    private static let plain = ASCIISet(printableBut: "<>&\"'").with(UInt8(ascii: "\n"))

    /// Adds text, within markup of the source.
    static func append(
        _ text: String, in before: StaticString = "", _ after: StaticString = "",
        to bytes: inout [UInt8]
    ) {
        var text = text
        text.withUTF8 { text in
            if text.allSatisfy(plain.contains) { return bytes.append(before, text, after) }
            bytes.append(before)
            EscapedCopy.append(utf8: text, to: &bytes, plain: plain, replacement)
            bytes.append(after)
        }
    }

    /// Adds text that is there as valid UTF-8.
    static func append(utf8: [UInt8], to bytes: inout [UInt8]) {
        utf8.withUnsafeBufferPointer {
            EscapedCopy.append(utf8: $0, to: &bytes, plain: plain, replacement)
        }
    }

    private static func replacement(
        of scalar: Unicode.Scalar, before next: UInt8?
    ) -> EscapedCopy.Replacement? {
        switch scalar {
        case "<": .text("&lt;")
        case ">": .text("&gt;")
        case "&": .text("&amp;")
        case "\"": .text("&quot;")
        case "'": .text("&#39;")
        // Alone it would be read as another line break (HTML, section 13.2.3.5).
        case "\r": next == UInt8(ascii: "\n") ? .text("") : .visibleEscape
        case "\t": nil
        default: scalar.isUnseenInHTML ? .visibleEscape : nil
        }
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
