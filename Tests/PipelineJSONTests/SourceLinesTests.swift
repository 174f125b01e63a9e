import PipelineJSON
import Testing

@Suite("Lines and columns")
struct SourceLinesTests {
    @Test(
        "LF, CRLF and CR each end one line",
        arguments: [
            "one\ntwo\n\nfour", "one\r\ntwo\r\n\r\nfour", "one\rtwo\r\rfour", "one\ntwo\r\n\rfour",
        ])
    func lineBreaks(text: String) throws {
        let bytes = Array(text.utf8)
        let lines = SourceLines(bytes)
        #expect((1...5).map(lines.text(ofLine:)) == ["one", "two", "", "four", ""])
        for (word, line) in [("one", 1), ("two", 2), ("four", 4)] {
            let offset = try #require(bytes.firstRange(of: Array(word.utf8))).lowerBound
            #expect(lines.position(of: offset) == SourcePosition(line: line, column: 1))
            #expect(lines.position(of: offset + 2) == SourcePosition(line: line, column: 3))
        }
    }

    @Test("both characters of a line break belong to the line that they end")
    func insideLineBreak() {
        let lines = SourceLines(Array("ab\r\nc".utf8))
        #expect(lines.position(of: 2) == SourcePosition(line: 1, column: 3))
        #expect(lines.position(of: 3) == SourcePosition(line: 1, column: 4))
        #expect(lines.position(of: 4) == SourcePosition(line: 2, column: 1))
    }

    @Test("a column counts Unicode scalars, and a tab is one")
    func columns() throws {
        let text = "\té日😀x"
        let lines = SourceLines(Array(text.utf8))
        #expect(lines.position(of: text.utf8.count - 1) == SourcePosition(line: 1, column: 5))
    }

    @Test("a byte order mark is not part of the first line")
    func byteOrderMark() {
        let lines = SourceLines(Array("\u{FEFF}ab\nc".utf8))
        #expect(lines.text(ofLine: 1) == "ab")
        #expect(lines.position(of: 0) == SourcePosition(line: 1, column: 1))
        #expect(lines.position(of: 4) == SourcePosition(line: 1, column: 2))
        #expect(lines.position(of: 6) == SourcePosition(line: 2, column: 1))
    }

    @Test("the end and what is beyond it are the place after the last character")
    func end() {
        let lines = SourceLines(Array("a\nbc".utf8))
        #expect(lines.position(of: 4) == SourcePosition(line: 2, column: 3))
        #expect(lines.position(of: 99) == SourcePosition(line: 2, column: 3))
        #expect(SourceLines([]).position(of: 0) == SourcePosition(line: 1, column: 1))
        #expect(SourceLines([]).text(ofLine: 1) == "")
    }
}
