import Testing

@testable import PipelineCommand

@Suite("How many columns a text takes")
struct DisplayWidthTests {
    @Test(
        "As terminals draw it",
        arguments: [
            ("", 0), ("abc", 3), ("é", 1), ("e\u{301}", 1), ("…", 1), ("✓", 1), ("首页", 4),
            ("ｆｕｌｌ", 8), ("한국", 4), ("\u{1112}\u{1161}\u{11AB}", 2), ("📦", 2), ("✅", 2),
            ("⚡", 2), ("⌚", 2), ("🇩🇪", 2), ("a\u{200D}b", 2), ("❤\u{FE0F}", 1),
        ])
    func width(text: String, columns: Int) {
        #expect(text.displayWidth == columns)
    }

    @Test(
        "A wide character that does not fit is left out whole",
        arguments: [(8, "首页配置"), (7, "首页配…"), (6, "首页…"), (3, "首…"), (2, "…"), (1, "…"), (0, "")])
    func cut(width: Int, text: String) {
        #expect("首页配置".cut(toWidth: width) == text)
        #expect(text.displayWidth <= width)
    }
}
