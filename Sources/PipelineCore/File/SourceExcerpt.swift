import PipelineJSON

/// One line of a file with a caret under the part that is meant.
///
/// ```
///    31 |       "expect": { "status": 200 }
///       |                             ^^^
/// ```
package struct SourceExcerpt: Sendable {
    /// The number of the line, from 1.
    package let line: Int
    /// The text of the line, cut around the place when it is long.
    package let text: String
    /// The spaces before the caret, in characters of ``text``.
    package let indentation: Int
    /// How many carets; at least 1.
    package let width: Int

    init(_ lines: SourceLines, _ place: Range<Int>) {
        let position = lines.position(of: place.lowerBound)
        let characters = Array(lines.text(ofLine: position.line).unicodeScalars)
        let start = min(position.column - 1, characters.count)
        let last = lines.position(of: place.upperBound)
        let end =
            last.line == position.line ? min(last.column - 1, characters.count) : characters.count
        // A minified file is one long line: show what surrounds the place.
        let first = characters.count > 96 ? max(0, start - 40) : 0
        let window = first..<min(characters.count, first + 96)
        let isCutBefore = window.lowerBound > 0
        line = position.line
        text =
            (isCutBefore ? "…" : "")
            + String(String.UnicodeScalarView(characters[window].map(Self.printable)))
            + (window.upperBound < characters.count ? "…" : "")
        indentation = start - window.lowerBound + (isCutBefore ? 1 : 0)
        width = max(1, min(end, window.upperBound) - start)
    }

    /// Two lines of text: the line with its number, and the caret.
    package var lines: [String] {
        let number = String(line)
        let gutter = String(repeating: " ", count: max(5, number.count + 1))
        return [
            gutter.dropLast(number.count) + number + " | " + text,
            gutter + " | " + String(repeating: " ", count: indentation)
                + String(repeating: "^", count: width),
        ]
    }

    /// A tab counts as one column, and nothing may move the cursor of a terminal.
    private static func printable(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        switch scalar.properties.generalCategory {
        case .control where scalar == "\t": " "
        case .control, .format, .lineSeparator, .paragraphSeparator: "\u{FFFD}"
        default: scalar
        }
    }
}
