/// Text as XML 1.0 takes it, whatever is in it.
///
/// Characters that XML forbids even as references (section 2.2) are shown as `\u001B`, and so are
/// those that reverse the direction of text, which would show other things than there are.
enum XMLText {
    /// Adds text to the content of an element.
    static func append(_ text: String, to bytes: inout [UInt8]) {
        append(text, isAttribute: false, to: &bytes)
    }

    /// Adds ` name="value"`.
    static func attribute(_ name: StaticString, _ value: String, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: " "))
        name.withUTF8Buffer { bytes.append(contentsOf: $0) }
        bytes.append(contentsOf: "=\"".utf8)
        append(value, isAttribute: true, to: &bytes)
        bytes.append(UInt8(ascii: "\""))
    }

    private static func append(
        _ text: String, isAttribute: Bool, to bytes: inout [UInt8]
    ) {
        if text.utf8.allSatisfy(\.isPlainInXML) {
            bytes.append(contentsOf: text.utf8)
            return
        }
        for scalar in text.unicodeScalars {
            switch scalar {
            case "<": bytes.append(contentsOf: "&lt;".utf8)
            // Always, so that no `]]>` is left (section 2.4).
            case ">": bytes.append(contentsOf: "&gt;".utf8)
            case "&": bytes.append(contentsOf: "&amp;".utf8)
            case "\"": bytes.append(contentsOf: "&quot;".utf8)
            case "'": bytes.append(contentsOf: "&apos;".utf8)
            // A raw one would be read as another line break (section 2.11).
            case "\r": bytes.append(contentsOf: "&#13;".utf8)
            // A raw one would be read as a space (section 3.3.3).
            case "\n" where isAttribute: bytes.append(contentsOf: "&#10;".utf8)
            case "\t" where isAttribute: bytes.append(contentsOf: "&#9;".utf8)
            case _ where !scalar.isAllowedInXML || scalar.isBidirectionalControl:
                bytes.append(contentsOf: scalar.visibleEscape.utf8)
            default: bytes.append(contentsOf: String(scalar).utf8)
            }
        }
    }
}

extension Unicode.Scalar {
    /// Whether a document may hold it (XML 1.0, section 2.2).
    var isAllowedInXML: Bool {
        switch value {
        case 0x09, 0x0A, 0x0D, 0x20...0xD7FF, 0xE000...0xFFFD, 0x10000...0x10FFFF: true
        default: false
        }
    }

    /// Whether it changes the direction in which the text after it is shown (Unicode Annex 9).
    var isBidirectionalControl: Bool {
        0x202A...0x202E ~= value || 0x2066...0x2069 ~= value
    }

    /// `\u001B`.
    var visibleEscape: String {
        let digits = String(value, radix: 16, uppercase: true)
        return "\\u" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }
}

extension UInt8 {
    /// Printable ASCII without what has a meaning.
    var isPlainInXML: Bool {
        switch self {
        case UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "&"), UInt8(ascii: "\""),
            UInt8(ascii: "'"):
            false
        default: 0x20...0x7E ~= self
        }
    }
}
