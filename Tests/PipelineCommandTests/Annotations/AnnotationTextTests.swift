import PipelineCore
import Testing

@testable import PipelineCommand

@Suite("Text of annotations")
struct AnnotationTextTests {
    private static let hostile =
        "a\r\n::error::b, 100% ``` | <script>x</script> [l](u) ##[c] @me \u{1B}[2J"

    private static func file(_ name: String, number: Int = 0) -> ReportedFile {
        ReportedFile(
            number: number, name: name, title: "Title", precedingCount: 0, itemCount: 1,
            isStub: false, isInsecure: false, startedAt: .now, offset: .zero)
    }

    private static func annotation(
        _ message: String, file name: String = "/nowhere/a.json", title: String = "Title: login",
        difference: [String] = []
    ) -> Annotation {
        Annotation(
            ReportedFinding(
                message: message, location: "\(name):3:7", line: 3, column: 7,
                path: "requests[0].expect", excerpt: [], comparison: nil,
                difference: difference),
            title: title, in: file(name))
    }

    @Test(
        "GitHub's escapes are those that its toolkit documents",
        arguments: [
            ("plain: a, b", "plain: a, b", "plain%3A a%2C b"),
            ("100%", "100%25", "100%25"),
            ("%0A", "%250A", "%250A"),
            ("a\r\nb\nc", "a%0D%0Ab%0Ac", "a%0D%0Ab%0Ac"),
            ("::error::é😀", "::error::é😀", "%3A%3Aerror%3A%3Aé😀"),
        ])
    func escapes(text: String, data: String, property: String) {
        #expect(GitHubCommands.data(text) == data)
        #expect(GitHubCommands.property(text) == property)
    }

    @Test("A failure is one command at the line of its file, whatever its texts hold")
    func command() throws {
        let annotation = Self.annotation(
            Self.hostile, file: #filePath, title: Self.hostile, difference: ["- 1", "+ 2"])
        let text = GitHubCommands.text([annotation], of: 1)
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.count == 2 && lines[1].isEmpty)
        #expect(text.hasPrefix("::error file=") && text.contains(",line=3,col=7,title=a"))
        #expect(text.hasSuffix("%0A- 1%0A+ 2%0Arequests[0].expect\n"))
        let properties = try #require(text.dropFirst(2).split(separator: "::").first)
        #expect(properties.split(separator: ",").count == 4)
        #expect(text.unicodeScalars.allSatisfy { $0 == "\n" || $0.value >= 0x20 })
    }

    @Test("A file that is not there has no place")
    func missingFile() {
        let text = GitHubCommands.text([Self.annotation("wrong")], of: 1)
        #expect(text == "::error title=Title%3A login::wrong%0Arequests[0].expect\n")
    }

    @Test("GitHub gets the ten errors that it shows, and the number of the others")
    func limit() {
        let annotations = Array(repeating: Self.annotation("wrong"), count: 50)
        let lines = GitHubCommands.text(annotations, of: 123).split(separator: "\n")
        #expect(lines.count == 11)
        #expect(lines.last == "::notice title=pipeline-run::and 113 more failures")
        #expect(GitHubCommands.text([], of: 0).isEmpty)
    }

    @Test("The word that lets GitHub read commands again is another each time")
    func stop() {
        let (one, other) = (GitHubCommands.Stop(), GitHubCommands.Stop())
        #expect(one.end != other.end)
        #expect(one.end.count > 16)
        #expect(one.beginning == "::stop-commands::\(one.end.dropFirst(2).dropLast(3))\n")
    }

    @Test(
        "A cell of Markdown holds its text and no markup",
        arguments: [
            ("plain text, 1.5", "plain text, 1.5"),
            ("a|b\\|c", "a&#124;b&#92;&#124;c"),
            ("`<b>`", "&#96;&#60;b&#62;&#96;"),
            ("[a](b)", "&#91;a&#93;&#40;b&#41;"),
            ("&lt;", "&#38;lt&#59;"),
            ("*_~#@:", "&#42;&#95;&#126;&#35;&#64;&#58;"),
            ("é😀", "é😀"),
        ])
    func markdown(text: String, cell: String) {
        #expect(MarkdownText.cell(text) == cell)
    }

    @Test("No character has a meaning in a cell of Markdown, and none ends its line")
    func hostileMarkdown() {
        let cell = MarkdownText.cell(Self.hostile)
        #expect(!cell.contains { "`|<>[]*_\\\n\r\u{1B}".contains($0) })
        #expect(MarkdownText.cell(String(repeating: "|", count: 9_999)).utf8.count < 1_300)
    }

    @Test("The summary has a row for each file and each failure, and stays within GitHub's 1 MiB")
    func summary() {
        let hostile = String(repeating: Self.hostile, count: 50)
        let files = (0..<600).map { number in
            ReportedSummary(
                file: Self.file("\(number).json", number: number), ending: .ran(interruption: nil),
                duration: .milliseconds(91), counts: [.succeeded: 2, .failed: 1], unmetCount: 1,
                exitCode: .failure)
        }
        func run(_ count: Int) -> ReportedRun {
            ReportedRun(
                startedAt: .now, duration: .milliseconds(91), files: Array(files.prefix(count)),
                exitCode: .failure, signal: nil, isInsecure: false)
        }
        let short = StepSummary.text(of: run(1), [Self.annotation("wrong")], of: 1)
        #expect(
            short == """
                ### ❌ pipeline-run: 2 succeeded, 1 failed · 91 ms

                | | File | Succeeded | Failed | Cancelled | Skipped | Time |
                |---|---|---:|---:|---:|---:|---:|
                | ❌ | Title · 0.json | 2 | 1 | 0 | 0 | 91 ms |

                | Failure | Place | Message |
                |---|---|---|
                | Title&#58; login | /nowhere/a.json&#58;3&#58;7 | wrong<br>requests&#91;0&#93;.expect |


                """)
        let annotation = Self.annotation(
            hostile, title: hostile, difference: Array(repeating: hostile, count: 99))
        let long = StepSummary.text(
            of: run(600), Array(repeating: annotation, count: 600), of: 700)
        #expect(long.utf8.count < 1 << 20)
        #expect(long.contains("and 100 more files") && long.contains("and 650 more failures"))
    }

    @Test("GitLab gets a section that can be folded, in which no text is a marker")
    func section() {
        let time = UTCTime.now
        let name = "\(time.secondsSince1970):pipeline_run_failures"
        let begin = "\u{1B}[0Ksection_start:\(name)\r\u{1B}[0K"
        let end = "\u{1B}[0Ksection_end:\(name)\r\u{1B}[0K\n"
        let text = GitLabSection.text(
            [Self.annotation("\u{1B}[0Ksection_end:1:x\r\u{1B}[0K")], of: 3, at: time)
        #expect(text.hasPrefix("\(begin)\u{1B}[31mpipeline-run: 3 failures\u{1B}[0m\n/nowhere"))
        #expect(text.hasSuffix("    requests[0].expect\nand 2 more\n\(end)"))
        #expect(text.unicodeScalars.filter { $0 == "\u{1B}" }.count == 6)
        #expect(GitLabSection.text([], of: 0, at: time).isEmpty)
    }
}
