import PipelineCore

/// Writes HTML so that text and markup cannot be taken for each other: markup is what stands in the
/// source, all else is escaped.
struct HTMLWriter {
    private(set) var bytes: [UInt8]

    /// A writer whose text follows what is there already, so that nothing is copied.
    init(following bytes: consuming [UInt8] = []) {
        self.bytes = bytes
    }

    /// The text, given up by the writer, so that whoever takes it may change it without a copy.
    consuming func finished() -> [UInt8] { bytes }

    /// Markup, with values that are numbers alone.
    mutating func markup(_ markup: HTMLMarkup) {
        bytes.append(contentsOf: markup.text.utf8)
    }

    /// Text of a file, a server or a person.
    mutating func text(_ text: String) {
        HTMLText.append(text, to: &bytes)
    }

    /// Text within markup.
    mutating func text(_ text: String, in before: HTMLMarkup, _ after: HTMLMarkup) {
        markup(before)
        self.text(text)
        markup(after)
    }

    /// Lines of preformatted text; nothing for none.
    mutating func lines(_ lines: [String], class name: StaticString) {
        guard !lines.isEmpty else { return }
        // A line break at the very beginning is not part of the text (HTML, section 13.1.2.5).
        text(lines.joined(separator: "\n"), in: "<pre class=\"\(name)\">\n", "</pre>\n")
    }
}

/// A piece of HTML that holds no text from outside: what stands in the source, numbers, and
/// constants.
struct HTMLMarkup: ExpressibleByStringInterpolation, Sendable {
    private(set) var text: String

    init(stringLiteral value: String) { text = value }

    init(stringInterpolation: StringInterpolation) { text = stringInterpolation.text }

    mutating func append(_ other: HTMLMarkup) { text += other.text }

    /// Takes nothing that could hold markup of somebody else: the compiler refuses a `String`.
    struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var text = ""

        init(literalCapacity: Int, interpolationCount: Int) {
            text.reserveCapacity(literalCapacity + 8 * interpolationCount)
        }

        mutating func appendLiteral(_ literal: String) { text += literal }

        mutating func appendInterpolation(_ number: Int) { text += String(number) }

        mutating func appendInterpolation(_ constant: StaticString) {
            constant.withUTF8Buffer { text += String(decoding: $0, as: UTF8.self) }
        }
    }
}
