import PipelineCore
import Testing

@testable import PipelineCommand

@Suite("Text in reports (O33)")
struct ReportTextTests {
    @Test(
        "XML is given nothing that it does not allow",
        arguments: [
            ("plain", "plain", "plain"), ("]]>", "]]&gt;", "]]&gt;"),
            ("<&\"'>", "&lt;&amp;&quot;&apos;&gt;", "&lt;&amp;&quot;&apos;&gt;"),
            ("a\nb\tc\rd", "a\nb\tc&#13;d", "a&#10;b&#9;c&#13;d"),
            (
                "\u{0}\u{1B}\u{FFFE}\u{FFFF}", "\\u0000\\u001B\\uFFFE\\uFFFF",
                "\\u0000\\u001B\\uFFFE\\uFFFF"
            ),
            ("😀 é \u{200F}", "😀 é \u{200F}", "😀 é \u{200F}"),
            ("\u{202E}evil\u{2066}", "\\u202Eevil\\u2066", "\\u202Eevil\\u2066"),
        ])
    func xml(text: String, content: String, attribute: String) throws {
        var bytes: [UInt8] = []
        XMLText.append(text, to: &bytes)
        #expect(String(decoding: bytes, as: UTF8.self) == content)
        bytes = []
        XMLText.attribute("a", text, to: &bytes)
        #expect(String(decoding: bytes, as: UTF8.self) == " a=\"\(attribute)\"")
        var scanner = try XMLScanner(Array("<x".utf8) + bytes + Array("/>".utf8))
        while try scanner.next() != nil {}
    }

    @Test(
        "TAP has descriptions on one line, with # and \\ escaped",
        arguments: [
            ("plain", "plain"), ("a # SKIP b", "a \\# SKIP b"), ("a\\b", "a\\\\b"),
            ("a\nnot ok 2", "a not ok 2"), ("\u{1B}[2J", "\\\\u001B[2J"), ("é😀", "é😀"),
        ])
    func tap(text: String, expected: String) {
        // A visible escape is escaped like any backslash.
        #expect(TAPText.description(text) == expected)
    }

    @Test(
        "YAML strings are those of JSON, with everything escaped that is not shown",
        arguments: [
            ("a\"b\\", #""a\"b\\""#), ("a\n\t\r", #""a\n\t\r""#),
            ("\u{0}\u{7F}", #""\u0000\u007F""#),
            ("\u{2028}\u{FEFF}", #""\u2028\uFEFF""#), ("\u{1FFFE}", #""\U0001FFFE""#),
            ("😀", #""😀""#),
        ])
    func yaml(text: String, expected: String) {
        #expect(TAPText.quoted(text) == expected)
    }

    @Test(
        "What is no well-formed XML is refused",
        arguments: [
            "", "<a>", "<a></b>", "<a/><b/>", "<a b='1' b='2'/>", "<a b=1/>", "<a>&nbsp;</a>",
            "<a>&</a>", "<a>]]></a>", "<a>\u{1B}</a>", "<a>&#27;</a>", "<a b='<'/>", "text<a/>",
            "<!DOCTYPE a><a/>", "<a><!-- </a>", "<a b='1'c='2'/>", "<1/>",
        ])
    func malformed(text: String) {
        #expect(throws: XMLScanner.Failure.self) {
            var scanner = try XMLScanner(Array(text.utf8))
            while try scanner.next() != nil {}
        }
    }

    @Test(
        "Durations keep microseconds, without zeros at their end",
        arguments: [(0, "0"), (1, "0.001"), (48_250, "48.25"), (1_000_000, "1000"), (999, "0.999")])
    func milliseconds(microseconds: Int, expected: String) {
        #expect(Duration.microseconds(microseconds).inMilliseconds == expected)
    }
}
