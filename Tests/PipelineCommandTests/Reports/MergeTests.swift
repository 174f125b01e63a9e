import PipelineCore
import PipelineJSON
import TestSupport
import Testing

@testable import PipelineCommand

extension ProgramTests {
    @Suite("Joining reports", .timeLimit(.minutes(1)))
    struct MergeTests {
        private let folder: TemporaryFolder

        init() throws {
            folder = try TemporaryFolder()
        }

        /// Runs the project's own examples; returns where their reports are.
        private func shards() async throws -> [(junit: String, json: String)] {
            let pipelines = "\(PipelineRunProgram.package)/pipelines"
            var paths: [(String, String)] = []
            for (index, name) in ["home-screen", "home-screen-failing"].enumerated() {
                let junit = folder.file("\(index).xml")
                let json = folder.file("\(index).json")
                _ = try await PipelineRunProgram.run(
                    "-q", "--report-junit", junit, "--report-json", json,
                    "\(pipelines)/\(name).json")
                paths.append((junit, json))
            }
            return paths
        }

        @Test("The joined reports have all files, and counts of the whole")
        func joined() async throws {
            let shards = try await shards()
            let junit = try await PipelineRunProgram.run("merge", shards[0].junit, shards[1].junit)
            #expect(junit.status == 0)
            let whole = try JUnitDocument(Array(junit.output.utf8))
            #expect(whole.suites.count == 2)
            let parts = try shards.map {
                try JUnitDocument(try FileBytes.read($0.junit, limit: 1 << 20))
            }
            #expect(
                whole.suites.map(\.cases.count) == parts.flatMap { $0.suites.map(\.cases.count) })

            let path = folder.file("joined/all.json")
            let json = try await PipelineRunProgram.run(
                "merge", shards[1].json, shards[0].json, "-o", path)
            #expect(json.status == 0)
            #expect(json.output.isEmpty)
            let report = try WrittenReports.validated(try FileBytes.read(path, limit: 1 << 20))
            #expect(report["exitCode"]?.number?.int == 1)
            #expect(report["counts"]?["failed"]?.number?.int == 1)
            #expect(report["files"]?.elements.map { $0["number"]?.number?.int } == [0, 1])
        }

        @Test("One report, and a joined one, can be joined again and stay what they are")
        func again() async throws {
            let shards = try await shards()
            for paths in [shards.map(\.junit), shards.map(\.json)] {
                let once = try await PipelineRunProgram.run("merge", paths[0], paths[1])
                let path = try folder.write(once.output, as: "once")
                let twice = try await PipelineRunProgram.run("merge", path)
                #expect(twice.output == once.output)
            }
        }

        @Test("What is no report, another kind, or the target itself is refused")
        func refused() async throws {
            let shards = try await shards()
            let broken = try folder.write("<testsuites><testsuite name=\"a\">", as: "broken.xml")
            let other = try folder.write("{\"version\":1}", as: "other.json")
            let text = try folder.write("hello", as: "text")
            let cases: [([String], String)] = [
                ([shards[0].junit, shards[1].json], "reports of one kind can be joined"),
                ([broken], "broken.xml:1: the document is cut short"),
                ([other], "this is not a JSON report of pipeline-run"),
                ([text], "is neither a JUnit nor a JSON report"),
                ([folder.file("none")], "there is no such file"),
                ([shards[0].json, "-o", shards[0].json], "is both a report to be joined and the"),
            ]
            for (arguments, message) in cases {
                let outcome = try await Subprocess(
                    PipelineRunProgram.path, ["merge"] + arguments
                ).waitForEnd()
                #expect(outcome.status == 2)
                #expect(outcome.errors.contains(message), "\(outcome.errors)")
            }
        }
    }
}
