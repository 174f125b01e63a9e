import PipelineCore

/// Writes HTML so that text and markup cannot be taken for each other: markup is what stands in the
/// source, which the compiler sees to; all else is a number or escaped.
struct HTMLWriter {
    /// Changed only here and where the style is put in.
    var bytes: [UInt8]

    /// A writer whose text follows what is there already, so that nothing is copied.
    init(following bytes: consuming [UInt8] = []) {
        self.bytes = bytes
    }

    /// The text, given up by the writer, so that whoever takes it may change it without a copy.
    consuming func finished() -> [UInt8] { bytes }

    mutating func markup(_ markup: StaticString) { bytes.append(markup) }

    mutating func number(_ number: Int) { bytes.append(decimal: number) }

    /// A number within markup.
    mutating func number(_ number: Int, in before: StaticString, _ after: StaticString) {
        bytes.append(before, decimal: number, after)
    }

    /// Text of a file, a server or a person.
    mutating func text(_ text: String) { HTMLText.append(text, to: &bytes) }

    /// Text within markup.
    mutating func text(_ text: String, in before: StaticString, _ after: StaticString) {
        HTMLText.append(text, in: before, after, to: &bytes)
    }

    /// Preformatted text, as valid UTF-8.
    mutating func preformatted(_ text: [UInt8], class name: StaticString) {
        markup("<pre class=\"")
        markup(name)
        // A line break at the very beginning is not part of the text (HTML, section 13.1.2.5).
        markup("\">\n")
        HTMLText.append(utf8: text, to: &bytes)
        markup("</pre>\n")
    }

    /// Lines of preformatted text; nothing for none.
    mutating func lines(_ lines: [String], class name: StaticString) {
        guard !lines.isEmpty else { return }
        preformatted(Array(lines.joined(separator: "\n").utf8), class: name)
    }

    /// A time for people; below 10 milliseconds with one decimal.
    mutating func time(_ microseconds: Int) {
        let tenths = (microseconds + 50) / 100
        guard 0..<100 ~= tenths else { return text(HTMLTime.shown(microseconds)) }
        number(tenths / 10, in: "", ".")
        number(tenths % 10, in: "", " ms")
    }
}

/// Times of the page.
enum HTMLTime {
    /// For people; below 10 milliseconds with one decimal.
    static func shown(_ microseconds: Int) -> String {
        let tenths = (microseconds + 50) / 100
        return 0..<100 ~= tenths
            ? "\(tenths / 10).\(tenths % 10) ms" : DurationText.shown(.microseconds(microseconds))
    }

    static func shown(_ duration: Duration) -> String { shown(Int(duration.wholeMicroseconds)) }
}
