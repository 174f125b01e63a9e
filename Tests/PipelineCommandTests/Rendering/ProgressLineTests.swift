import PipelineCore
import Testing

@testable import PipelineCommand

@Suite("The line of what is running")
struct ProgressLineTests {
    private static func step(
        _ progress: RequestProgress? = nil, name: String = "profile", elapsed: Int = 1_240
    ) -> ProgressLine {
        ProgressLine(
            files: nil,
            running: [
                ProgressLine.Running(
                    name: name, tableStart: "  … \(name)   GET  /users/me    ",
                    elapsed: .milliseconds(elapsed), progress: progress)
            ])
    }

    private static func files(
        _ done: Int, _ all: Int, failed: Int = 0, _ names: String...
    ) -> ProgressLine {
        ProgressLine(
            files: ProgressLine.Files(done: done, all: all, failed: failed),
            running: names.map { ProgressLine.Running(name: $0, elapsed: .milliseconds(1_240)) })
    }

    private static func at(
        _ attempt: Int, of limit: Int = 1, _ phase: RequestProgress.Phase
    ) -> RequestProgress {
        RequestProgress(attempt: attempt, attemptLimit: limit, phase: phase)
    }

    @Test(
        "It tells the time, the attempt, the wait before it and how much of a large body has come",
        arguments: [
            (nil, "1.2 s"),
            (at(1, .receiving(0, of: nil)), "1.2 s"),
            (at(1, of: 3, .receiving(0, of: nil)), "1.2 s"),
            (at(2, of: 3, .receiving(0, of: nil)), "1.2 s   attempt 2 of 3"),
            (at(1, .waiting(.milliseconds(800))), "1.2 s   waiting 800 ms"),
            (at(1, .waiting(.zero)), "1.2 s"),
            (
                at(3, of: 3, .waiting(.milliseconds(1_200))),
                "1.2 s   waiting 1.2 s before attempt 3"
            ),
            (at(1, .receiving(65_535, of: nil)), "1.2 s"),
            (at(1, .receiving(65_536, of: nil)), "1.2 s   64 KB"),
            (at(1, .receiving(0, of: 12 << 20)), "1.2 s"),
            (at(1, .receiving(1, of: 12 << 20)), "1.2 s   1 B of 12 MB"),
            (
                at(2, of: 2, .receiving(4_300_000, of: 12 << 20)),
                "1.2 s   attempt 2 of 2   4.1 MB of 12 MB"
            ),
        ] as [(RequestProgress?, String)])
    func facts(progress: RequestProgress?, text: String) {
        #expect(Self.step(progress).text(width: 99) == "  … profile   GET  /users/me    " + text)
    }

    @Test(
        "Where room is short, the table goes first, then what is known last, then the name",
        arguments: [
            (72, "  … profile   GET  /users/me    1.2 s   attempt 2 of 3   4.1 MB of 12 MB"),
            (71, "  … profile   1.2 s   attempt 2 of 3   4.1 MB of 12 MB"),
            (54, "  … profile   1.2 s   attempt 2 of 3   4.1 MB of 12 MB"),
            (53, "  … profile   1.2 s   attempt 2 of 3"),
            (35, "  … profile   1.2 s"),
            (20, "  … profile   1.2 s"),
            (18, "  … profile"),
            (8, "  … pro…"),
            (1, "…"), (0, ""),
        ])
    func narrow(width: Int, text: String) {
        let line = Self.step(Self.at(2, of: 3, .receiving(4_300_000, of: 12 << 20)))
        #expect(line.text(width: width) == text)
    }

    @Test(
        "Several files have a bar, or at least a number",
        arguments: [
            (
                files(3, 10, "checkout"), 79,
                "  [###-------] 3 of 10 files   … checkout   1.2 s"
            ),
            (
                files(3, 10, failed: 1, "checkout"), 79,
                "  [###-------] 3 of 10 files, 1 failed   … checkout   1.2 s"
            ),
            (files(0, 2, "a", "b"), 79, "  [----------] 0 of 2 files   … a, b   1.2 s"),
            (
                files(1, 9, "a", "b", "c", "d"), 79,
                "  [#---------] 1 of 9 files   … a, b and 2 more   1.2 s"
            ),
            (files(9, 9), 79, "  [##########] 9 of 9 files"),
            (
                files(3, 10, failed: 1, "checkout"), 59,
                "  3 of 10 files, 1 failed   … checkout   1.2 s"
            ),
            (files(3, 10, failed: 1, "checkout"), 40, "  3/10, 1 failed   … checkout   1.2 s"),
            (files(3, 10, failed: 1, "checkout"), 28, "  3 of 10 files, 1 failed"),
            (files(3, 10, failed: 1, "checkout"), 20, "  3/10, 1 failed"),
            (files(3, 10, failed: 1, "checkout"), 10, "  3/10, 1…"),
        ] as [(ProgressLine, Int, String)])
    func several(line: ProgressLine, width: Int, text: String) {
        #expect(line.text(width: width) == text)
    }

    @Test("It never has more columns than there are, whatever the names are made of")
    func width() throws {
        let names = ["profile", "首页配置加载请求", "📦📦📦📦📦📦📦📦📦", "e\u{301}e\u{301}e\u{301}e\u{301}", ""]
        let progress = Self.at(12, of: 99, .waiting(.seconds(100)))
        for name in names {
            for width in 0...100 {
                for var line in [
                    Self.step(progress, name: name, elapsed: 3_723_000),
                    Self.files(7, 10_000, failed: 3, name, name, name),
                ] {
                    #expect(try #require(line.text(width: width)).displayWidth <= width)
                    line.files = nil
                    #expect(try #require(line.text(width: width)).displayWidth <= width)
                }
            }
        }
    }

    @Test("There is none while nothing runs")
    func nothing() {
        #expect(ProgressLine(files: nil, running: []).text(width: 80) == nil)
    }
}

@Suite("What a command is at")
struct ProgressStateTests {
    private let start = ContinuousClock.now

    private func step(_ position: Int, _ name: String, after seconds: Int) -> ProgressState.Step {
        ProgressState.Step(
            position: position, name: name, tableStart: "  … \(name) ",
            startedAt: start + .seconds(seconds)
        ) { nil }
    }

    private func text(_ state: ProgressState) -> String? {
        state.line(at: start + .seconds(9)).text(width: 79)
    }

    @Test("A single file shows its requests")
    func single() {
        var state = ProgressState(fileCount: 1)
        #expect(text(state) == nil)
        state.begin(0, name: "pipelines/a.json", at: start)
        #expect(text(state) == nil)
        state.start(step(0, "one", after: 2), in: 0)
        #expect(text(state) == "  … one 7.0 s")
        state.start(step(1, "two", after: 3), in: 0)
        #expect(text(state) == "  … one, two   7.0 s")
        state.end(0, in: 0)
        #expect(text(state) == "  … two 6.0 s")
        state.end(1, in: 0)
        state.end(0, hasFailed: false)
        #expect(text(state) == nil)
    }

    @Test("Several files show how many have ended, and those that run side by side")
    func several() {
        var state = ProgressState(fileCount: 4)
        state.end(0, hasFailed: true)
        state.begin(1, name: "pipelines/a.json", at: start)
        state.start(step(0, "one", after: 2), in: 1)
        #expect(text(state) == "  [##--------] 1 of 4 files, 1 failed   … one   7.0 s")
        state.begin(2, name: "b.json [row 2]", at: start + .seconds(1))
        state.start(step(0, "one", after: 2), in: 2)
        #expect(
            text(state)
                == "  [##--------] 1 of 4 files, 1 failed   … a.json, b.json [row 2]   9.0 s")
        state.end(1, hasFailed: false)
        state.end(0, in: 2)
        #expect(text(state) == "  [#####-----] 2 of 4 files, 1 failed")
        // What comes late, of a file that has ended, changes nothing.
        state.start(step(1, "two", after: 3), in: 1)
        #expect(text(state) == "  [#####-----] 2 of 4 files, 1 failed")
    }
}
