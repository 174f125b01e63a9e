import PipelineCore
import PipelineJSON
import Testing

@testable import PipelineCommand

@Suite("Text in the page (O33)")
struct HTMLTextTests {
    @Test(
        "Nothing is markup, and nothing goes unseen",
        arguments: [
            ("plain", "plain"), ("<script>", "&lt;script&gt;"), ("</style>", "&lt;/style&gt;"),
            ("\" onload='a'", "&quot; onload=&#39;a&#39;"), ("&lt;", "&amp;lt;"),
            ("a\u{0}\u{FFFE}\u{1FFFF}", "a\\u0000\\uFFFE\\u1FFFF"),
            ("\u{202E}\u{2066}\u{200F}\u{200E}\u{61C}", "\\u202E\\u2066\\u200F\\u200E\\u061C"),
            ("\u{1B}[31m\u{7F}\u{85}", "\\u001B[31m\\u007F\\u0085"),
            ("\u{2028}\u{FEFF}", "\\u2028\\uFEFF"), ("a\r\nb\n\tc", "a\nb\n\tc"),
            ("a\rb\r", "a\\u000Db\\u000D"), ("\r\r\n", "\\u000D\n"), ("é 👩‍👩‍👧 שלום", "é 👩‍👩‍👧 שלום"),
        ])
    func escaped(text: String, expected: String) {
        #expect(HTMLText.escaped(text).unicodeScalars.elementsEqual(expected.unicodeScalars))
    }

    @Test(
        "JSON gets lines and keeps its tokens as they were written",
        arguments: [
            (#"{"a":1}"#, "{\n  \"a\": 1\n}"),
            (#"[ ]"#, "[]"),
            (#"{"a":{},"b":[1.0,2e0]}"#, "{\n  \"a\": {},\n  \"b\": [\n    1.0,\n    2e0\n  ]\n}"),
            // Undone, it could be a secret that was masked before.
            (#"["\u0073 , {\"\\"]"#, "[\n  \"\\u0073 , {\\\"\\\\\"\n]"),
        ])
    func indented(text: String, expected: String) throws {
        let result = try #require(JSONIndentation.of(Array(text.utf8)))
        #expect(String(decoding: result, as: UTF8.self) == expected)
        #expect(try JSONValue(parsing: result) == JSONValue(parsing: text))
    }

    @Test(
        "What is no JSON, a plain value, or would become very long is left alone",
        arguments: ["", "text", "1", "\"a\"", "{", "{'a':1}", "[1,]"]
            + [String(repeating: "[", count: 500) + String(repeating: "]", count: 500)])
    func plain(text: String) {
        #expect(JSONIndentation.of(Array(text.utf8)) == nil)
    }
}

@Suite("Both sides of a comparison")
struct HTMLDifferenceTests {
    @Test(
        "Lines that differ have a mark, which is no colour",
        arguments: [
            ("1", "2", "1", "2"),
            ("a\nb\nc", "a\nx\nc", "  a\n- b\n  c", "  a\n+ x\n  c"),
            ("a\nb", "a", "  a\n- b", "  a"),
            ("a", "a\na", "  a", "  a\n+ a"),
            ("", "a\nb", "- ", "+ a\n+ b"),
        ])
    func marks(expected: String, actual: String, left: String, right: String) {
        let (one, other) = HTMLDifference.marked(Array(expected.utf8), Array(actual.utf8))
        #expect(String(decoding: one, as: UTF8.self) == left)
        #expect(String(decoding: other, as: UTF8.self) == right)
    }
}
