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
                let input = try await PipelineRunProgram.run("merge", "-", input: path)
                #expect(input.output == once.output)
                let same = try await PipelineRunProgram.run("merge", "-", "-o", path, input: path)
                #expect(same.status == 2)
                #expect(same.errors.contains("is both a report to be joined"), "\(same.errors)")
            }
        }

        @Test(
            "A JSON report of a wrong shape is refused with the place of what is wrong",
            arguments: [
                (##""files": {}"##, "files: expected an array, found an object"),
                (##""files": [1]"##, "files[0]: expected an object, found a number"),
                (
                    ##""files": [{ "requests": [] }, {}]"##,
                    "files[1].requests: expected an array, found nothing"
                ),
                (
                    ##""files": [{ "requests": [{ "outcome": "skipped" }, null] }]"##,
                    "files[0].requests[1]: expected an object, found null"
                ),
                (
                    ##""files": [{ "requests": [{ "outcome": "lost" }] }]"##,
                    "files[0].requests[0].outcome: expected one of "
                ),
                (##""exitCode": null"##, "exitCode: expected a number from 0 to 255, found "),
                (##""exitCode": 256"##, "exitCode: expected a number from 0 to 255, found "),
            ])
        func shape(members: String, message: String) throws {
            let rest = members.contains("exitCode") ? ##""files": []"## : ##""exitCode": 0"##
            let text =
                ##"{ "format": "pipeline-run-report", "version": 1, \##(rest), \##(members) }"##
            var merge = JSONMerge()
            do {
                try merge.add(Array(text.utf8))
                Issue.record("it was taken")
            } catch {
                #expect(error.message.hasPrefix(message), "\(error.message)")
            }
        }

        /// The joined text of JUnit reports.
        private func joined(_ reports: String...) throws -> String {
            var merge = JUnitMerge()
            for report in reports { try merge.add(Array(report.utf8)) }
            return String(decoding: merge.text(), as: UTF8.self)
        }

        @Test("A suite's counts are those of its own test cases, each with one outcome")
        func counts() throws {
            let text = try joined(
                """
                <testsuite name="a" tests="9">
                  <testcase name="1"><skipped/><failure/><error/></testcase>
                  <testcase name="2"><failure/><failure/></testcase>
                  <testcase name="3"><system-out><error/><testcase/></system-out></testcase>
                  <properties><testcase/><skipped/></properties><error/>
                  <testsuite name="b" tests="7"><testcase><skipped/></testcase></testsuite>
                </testsuite>
                """)
            #expect(
                text.contains(
                    ##"<testsuite name="a" id="0" tests="3" failures="1" errors="1" skipped="0">"##)
            )
            #expect(text.contains(##"tests="4" failures="1" errors="1" time"##))
        }

        @Test("Declarations of namespaces at the root are kept, and do not meet others")
        func namespaces() throws {
            let text = try joined(
                ##"<testsuites xmlns:x="urn:a"><testsuite x:y="1"/></testsuites>"##,
                ##"<testsuites xmlns:x="urn:b" a="b"><testsuite xmlns:x="urn:c"/></testsuites>"##)
            #expect(text.contains(##"<testsuite x:y="1" xmlns:x="urn:a" "##))
            #expect(text.contains(##"<testsuite xmlns:x="urn:c" "##))
            #expect(!text.contains("urn:b"))
            #expect(try joined(text) == text)
        }

        @Test("A report that says it is in another encoding is refused")
        func encoding() throws {
            let suite = "<testsuite name=\"a\"/>"
            for good in ["<?xml version='1.0' encoding='utf-8' ?>", "<?xml version=\"1.0\"?>\n"] {
                #expect(try joined(good + suite).contains("name=\"a\""))
            }
            #expect(throws: XMLScanner.Failure.self) {
                try joined("<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?>" + suite)
            }
            #expect(throws: XMLScanner.Failure.self) {
                try joined("<?xml version=\"1.0\"")
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
