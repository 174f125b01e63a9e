/// Text as GitHub's Markdown takes it in the cell of a table, whatever is in it.
enum MarkdownText {
    /// The text on one line, without any meaning: no markup, no link, no end of the cell.
    static func cell(_ text: String, width: Int = 200) -> String {
        var result = ""
        for scalar in SafeText(nil)(text, width: width).unicodeScalars {
            if scalar.isPlainInMarkdown {
                result.unicodeScalars.append(scalar)
            } else {
                // A character reference never begins or ends markup (CommonMark, section 2.5).
                result += "&#\(scalar.value);"
            }
        }
        return result
    }
}

extension Unicode.Scalar {
    /// Whether it has no meaning between other characters: all but most of ASCII's punctuation.
    fileprivate var isPlainInMarkdown: Bool {
        switch self {
        case "a"..."z", "A"..."Z", "0"..."9", " ", ".", ",", "-", "/", "?", "'": true
        default: !isASCII
        }
    }
}
