import PipelineCore
import PipelineJSON
import TestSupport
import Testing

@testable import PipelineCommand

extension ProgramTests {
    @Suite("Several files", .timeLimit(.minutes(1)))
    struct JobsTests {
        private let folder: TemporaryFolder

        init() throws {
            folder = try TemporaryFolder()
        }

        /// The later files are the quicker ones.
        @discardableResult
        private func write(
            _ name: String, delay: Int = 0, status: Int = 200
        ) throws -> String {
            try folder.write(
                """
                { "name": "\(name)", "baseURL": "stub:", "requests": [
                  { "name": "one", "url": "/1", "example": { "delay": "\(delay)ms" } },
                  { "name": "two", "url": "/2", "expect": { "status": 200 },
                    "example": { "status": \(status) } }] }
                """, as: "\(name).json")
        }

        private func run(
            _ arguments: [String], environment: [String: String] = [:]
        ) async throws
            -> Subprocess.Outcome
        {
            try await Subprocess(
                PipelineRunProgram.path, arguments, environment: environment
            ).waitForEnd()
        }

        /// The output without what differs from run to run.
        private func shape(_ outcome: Subprocess.Outcome) -> String {
            outcome.output.replacing(#/[0-9.]+ m?s\b|127\.0\.0\.1:\d+/#, with: "#")
                .replacing(#/ +#/#, with: " #")
        }

        @Test("Files side by side are shown whole and in order, as one after the other")
        func order() async throws {
            let files = try [
                write("a", delay: 120), write("b", delay: 60, status: 500), write("c"), write("d"),
            ]
            let one = try await run(files)
            for jobs in ["2", "4", "9"] {
                let many = try await run(["--jobs", jobs] + files)
                #expect(many.status == 1)
                #expect(shape(many) == shape(one), "\(jobs)")
                #expect(many.errors == one.errors)
            }
            #expect(one.output.hasSuffix("4 files: 3 succeeded, 1 failed\n"))
        }

        @Test("Reports of files side by side are in the order of the files")
        func reports() async throws {
            let files = try [write("a", delay: 80), write("b"), write("c")]
            let (tap, one) = (folder.file("many.tap"), folder.file("one.tap"))
            _ = try await run(["--report-tap", one] + files)
            #expect(try await run(["--jobs", "3", "--report-tap", tap] + files).status == 0)
            func names(_ path: String) throws -> [String] {
                String(decoding: try FileBytes.read(path, limit: 1 << 20), as: UTF8.self)
                    .split(separator: "\n").map(String.init).filter { $0.hasPrefix("ok") }
            }
            #expect(try names(tap) == names(one))
            #expect(try names(tap).count == 6)
        }

        @Test("One bad file does not hide the others, one given twice runs twice")
        func bad() async throws {
            let file = try write("a")
            let bad = try folder.write("{", as: "bad.json")
            let outcome = try await run(["--jobs", "2", file, bad, file])
            #expect(outcome.status == 2)
            #expect(outcome.output.hasSuffix("3 files: 2 succeeded, 1 invalid\n"))
            #expect(outcome.errors.contains("bad.json:1:2"))
            let failFast = try await run(["--fail-fast", bad, file, file])
            #expect(failFast.output.hasSuffix("3 files: 1 invalid, 2 not started\n"))
        }

        @Test("A file that is not started names the first that failed, shown and in every report")
        func culprit() async throws {
            let reports = WrittenReports(folder)
            let files = try [write("a"), write("b", status: 500), write("c"), write("d")]
            let outcome = try await run(["--fail-fast"] + reports.options + files)
            #expect(outcome.status == 1)
            for (name, file) in [("c", files[2]), ("d", files[3])] {
                #expect(
                    outcome.output.contains(
                        """

                        \(name) · \(file) · answered from its examples
                          – one   GET /1    not started: \(files[1]) failed
                          – two   GET /2    not started: \(files[1]) failed

                        """))
            }
            let quiet = try await run(["-q", "--fail-fast"] + files)
            #expect(!quiet.output.contains("not started"))
            for report in try reports.all() {
                let text = report.text.replacing("<wbr>", with: "")
                #expect(
                    text.ranges(of: "not started: \(files[1]) failed").count >= 2, "\(report.name)")
                #expect(!text.contains("\(files[2]) failed"), "\(report.name)")
            }
        }

        @Test("A signal ends every file that runs, and those that wait are not started")
        func interrupted() async throws {
            let files = try ["a", "b", "c"].map { try write($0, delay: 15_000) }
            let program = try Subprocess(
                PipelineRunProgram.path, ["--jobs", "2", "--events", "-"] + files)
            for number in 0...1 {
                _ = try await program.waitForText("\"number\":\(number),\"request\":\"one\"")
            }
            program.send(2)
            let outcome = try await program.waitForEnd()
            #expect(outcome.status == 130)
            #expect(outcome.errors.hasSuffix("\n3 files: 2 interrupted, 1 not started\n"))
        }

        @Test("The parts of the files are disjoint and make up the whole")
        func shards() async throws {
            for name in ["a", "b", "c", "d", "e"] { try write(name) }
            var seen: [String] = []
            for part in 1...3 {
                let outcome = try await run(["--shard", "\(part)/3", folder.path])
                #expect(outcome.status == 0)
                #expect(
                    outcome.output.hasPrefix("part \(part) of 3: \(part == 3 ? 1 : 2) of 5 files\n")
                )
                seen += outcome.output.matches(of: #/(?m)^([a-e]) · /#).map { String($0.1) }
            }
            #expect(seen.sorted() == ["a", "b", "c", "d", "e"])
        }

        @Test("The environment of GitLab and of Kubernetes says which part it is")
        func shardEnvironment() async throws {
            for name in ["a", "b", "c"] { try write(name) }
            func first(_ environment: [String: String], _ options: String...) async throws -> String
            {
                let outcome = try await run(
                    options + [folder.path], environment: environment)
                return String(outcome.output.prefix { $0 != "\n" }) + outcome.errors
            }
            let gitLab = ["CI_NODE_INDEX": "2", "CI_NODE_TOTAL": "2"]
            #expect(try await first(gitLab) == "part 2 of 2: 1 of 3 files")
            #expect(try await first(gitLab, "--shard", "1/2") == "part 1 of 2: 2 of 3 files")
            #expect(try await first(gitLab, "--shard", "1/1").hasPrefix("a · "))
            #expect(
                try await first(["JOB_COMPLETION_INDEX": "0", "JOB_COMPLETIONS": "4"])
                    == "part 1 of 4: 1 of 3 files")
            #expect(try await first(["CI_NODE_TOTAL": "2"]).hasPrefix("a · "))
            // Kubernetes itself does not say how many there are.
            let index = ["JOB_COMPLETION_INDEX": "1"]
            #expect(
                try await first(index).hasSuffix(
                    "warning: JOB_COMPLETION_INDEX is set and JOB_COMPLETIONS is not: "
                        + "all files are run\n"))
            #expect(try await !first(index, "--shard", "1/1").contains("warning"))
            #expect(
                try await first(["CI_NODE_INDEX": "3", "CI_NODE_TOTAL": "2"]).hasPrefix(
                    "error: CI_NODE_INDEX=3 and CI_NODE_TOTAL=2 name no part of the files"))
        }

        @Test("A variable of files of another part is no stray name")
        func shardVariables() async throws {
            try write("a")
            try folder.write(
                """
                { "baseURL": "stub:", "variables": { "v": "1" },
                  "requests": [{ "url": "/{{v}}", "example": {} }] }
                """, as: "b.json")
            for part in ["1/3", "2/3", "3/3"] {
                let outcome = try await run(["--shard", part, "--var", "v=2", folder.path])
                #expect(outcome.status == 0, "\(part)")
            }
            let stray = try await run(["--shard", "1/3", "--var", "w=2", folder.path])
            #expect(stray.status == 2)
        }

        @Test("A part without files is a success, which says so")
        func emptyShard() async throws {
            let file = try write("a")
            let reports = WrittenReports(folder)
            let outcome = try await run(["--shard", "2/2"] + reports.options + [file])
            #expect(outcome.status == 0)
            #expect(outcome.output == "part 2 of 2: 0 of 1 files\n")
            #expect(try reports.json()["files"]?.count == 0)
            #expect(try reports.junit().suites.isEmpty)
            #expect(try reports.tap().isEmpty)
            #expect(try HARDocument(try reports.bytes(.har)).pages.isEmpty)
            let page = String(decoding: try reports.bytes(.html), as: UTF8.self)
            #expect(page.contains("<h1>Nothing was run</h1>"))
        }
    }
}
