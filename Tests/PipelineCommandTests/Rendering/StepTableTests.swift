import PipelineCore
import Testing

@testable import PipelineCommand

@Suite("The lines of a run")
struct StepTableTests {
    private static let steps = [
        StepLine(name: "config", method: "GET", path: "/config"),
        StepLine(name: "login", method: "POST", path: "/login"),
        StepLine(name: "profile", method: "GET", path: "/me"),
        StepLine(name: "feed", method: "GET", path: "/feed"),
        StepLine(name: "banners", method: "GET", path: "/banners"),
    ]

    private static func lines(
        _ endings: [StepLine.Ending], _ steps: [StepLine] = steps, safe: SafeText = SafeText(nil),
        width: Int? = nil
    ) -> [String] {
        let table = StepTable(steps, safe: safe)
        return zip(steps, endings).map { step, ending in
            var step = step
            step.ending = ending
            return table.line(step, width: width).text
        }
    }

    @Test("Columns are as wide as the longest needs")
    func columns() {
        let lines = Self.lines([
            .succeeded(status: 200, .milliseconds(12), captures: []),
            .succeeded(
                status: 200, .milliseconds(48), captures: [.init(name: "token", value: "***")]),
            .failed(status: 401, .milliseconds(31)),
            .cancelled("cancelled by profile", nil),
            .skipped,
        ])
        #expect(
            lines == [
                "  ✓ config    GET  /config     200    12 ms",
                "  ✓ login     POST /login      200    48 ms   token=***",
                "  ✗ profile   GET  /me         401    31 ms",
                "  – feed      GET  /feed       cancelled by profile",
                "  – banners   GET  /banners    skipped",
            ])
    }

    @Test("A request without a response, and one that was interrupted, say so")
    func withoutResponse() {
        let lines = Self.lines([
            .failed(status: nil, .milliseconds(1_520)), .cancelled("interrupted", .seconds(30)),
            .failed(status: nil, nil),
        ])
        #expect(
            lines == [
                "  ✗ config    GET  /config     –      1.5 s",
                "  – login     POST /login      interrupted after 30.0 s",
                "  ✗ profile   GET  /me         –",
            ])
    }

    @Test("Wide characters and long texts keep the columns")
    func wide() {
        let long = String(repeating: "segment/", count: 20)
        let lines = Self.lines(
            [.skipped, .skipped, .skipped],
            [
                StepLine(name: "設定", method: "GET", path: "/" + long),
                StepLine(name: "e\u{301}tat", method: "GET", path: "/a"),
                StepLine(
                    name: String(repeating: "n", count: 60), method: "GET", path: "/b"),
            ])
        #expect(Set(lines.map { $0.prefixWidth(upTo: "skipped") }).count == 1)
        #expect(lines[0].contains("…"))
    }

    @Test("Long captured values are cut, all of them to the terminal's width")
    func longValues() {
        let value = String(repeating: "v", count: 300)
        let ending = StepLine.Ending.succeeded(
            status: 200, .milliseconds(1),
            captures: [.init(name: "a", value: value), .init(name: "b", value: value)])
        let free = Self.lines([ending])[0]
        #expect(free.hasSuffix("a=" + value.prefix(39) + "… b=" + value.prefix(39) + "…"))
        #expect(Self.lines([ending], width: 80)[0].displayWidth == 80)
    }

    @Test("A secret is masked before a long value is cut (O27)")
    func secretInLongValue() throws {
        let redactor = Redactor()
        try #require(redactor.add("hunter2hunter2hunter2"))
        let value = String(repeating: "v", count: 30) + "hunter2hunter2hunter2"
        let lines = Self.lines(
            [
                .succeeded(
                    status: 200, .milliseconds(1), captures: [.init(name: "a", value: value)])
            ],
            safe: SafeText(redactor))
        #expect(!lines[0].contains("hunt"))
    }

    @Test("Nothing from a server or a file moves the cursor")
    func controlCharacters() {
        let lines = Self.lines(
            [
                .succeeded(
                    status: 200, .milliseconds(1),
                    captures: [.init(name: "a", value: "x\u{1B}[2J\r\ny\u{9B}1A\u{202E}z\u{0}")])
            ],
            [StepLine(name: "a\u{1B}[31m\nb", method: "GET", path: "/\u{7}")])
        #expect(
            lines[0]
                == "  ✓ a\u{FFFD}[31m b   GET /\u{FFFD}    200     1 ms   "
                + "a=x\u{FFFD}[2J  y\u{FFFD}1A\u{FFFD}z\u{FFFD}")
    }

    @Test("A line that is live begins as it will when it has ended")
    func live() {
        let table = StepTable(Self.steps, safe: SafeText(nil))
        #expect(table.start(of: Self.steps[2]) == "  … profile   GET  /me         ")
    }
}

extension String {
    fileprivate func prefixWidth(upTo text: String) -> Int? {
        firstRange(of: text).map { String(self[..<$0.lowerBound]).displayWidth }
    }
}
