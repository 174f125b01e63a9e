import Testing

@testable import PipelineCommand

@Suite("Text for a terminal")
struct SafeTextTests {
    @Test(
        "Texts are cut and padded by columns",
        arguments: [
            ("abc", 5, "abc  "), ("abcdef", 5, "abcd…"), ("日本語", 5, "日本…"),
            ("日本", 5, "日本 "), ("e\u{301}e\u{301}", 3, "e\u{301}e\u{301} "), ("", 2, "  "),
            ("🙂🙂🙂", 4, "🙂… "),
        ])
    func widths(text: String, width: Int, shown: String) {
        #expect(text.cut(toWidth: width).padded(toWidth: width) == shown)
    }
}
