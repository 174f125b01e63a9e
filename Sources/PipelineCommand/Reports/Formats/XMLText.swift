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
        bytes.append(name)
        bytes.append("=\"")
        append(value, isAttribute: true, to: &bytes)
        bytes.append(UInt8(ascii: "\""))
    }

    private static let plain = ASCIISet(printableBut: "<>&\"'")
    private static let plainInContent = plain.with(UInt8(ascii: "\n"))

    private static func append(
        _ text: String, isAttribute: Bool, to bytes: inout [UInt8]
    ) {
        let plain = isAttribute ? plain : plainInContent
        EscapedCopy.append(text, to: &bytes, plain: plain) { scalar, _ in
            switch scalar {
            case "<": .text("&lt;")
            // Always, so that no `]]>` is left (section 2.4).
            case ">": .text("&gt;")
            case "&": .text("&amp;")
            case "\"": .text("&quot;")
            case "'": .text("&apos;")
            // A raw one would be read as another line break (section 2.11).
            case "\r": .text("&#13;")
            // A raw one would be read as a space (section 3.3.3).
            case "\n" where isAttribute: .text("&#10;")
            case "\t" where isAttribute: .text("&#9;")
            case _ where !scalar.isAllowedInXML || scalar.isBidirectionalControl: .visibleEscape
            default: nil
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
