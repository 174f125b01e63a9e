import PipelineCore
import TestSupport
import Testing

@testable import PipelineCommand

extension ProgramTests {
    @Suite("Parts of a pipeline", .timeLimit(.minutes(1)))
    struct SelectionTests {
        private let folder: TemporaryFolder
        private let file: String

        init() throws {
            folder = try TemporaryFolder()
            file = try folder.write(
                """
                { "baseURL": "stub:", "requests": [
                    { "name": "a", "url": "/a", "captures": { "v": "$.v" },
                      "example": { "body": { "json": { "v": 1 } } } },
                    { "name": "b", "url": "/b", "example": {} },
                    { "name": "c", "url": "/c/{{v}}", "example": {} }
                ] }
                """, as: "a.json")
        }

        @Test("What is left out is shown and reported as skipped")
        func skipped() async throws {
            let tap = folder.file("r.tap")
            let outcome = try await PipelineRunProgram.run(
                "--only", "b", "--report-tap", tap, file)
            #expect(outcome.status == 0)
            #expect(outcome.output.contains("a   GET /a          skipped"))
            #expect(outcome.output.contains("1 succeeded, 2 skipped"))
            let report = String(decoding: try FileBytes.read(tap, limit: 1 << 20), as: UTF8.self)
            #expect(report.ranges(of: "# SKIP").count == 2)
        }

        @Test(
            "What cannot be selected is refused before anything is sent, a misspelling with a hint")
        func refused() async throws {
            let needs = try await PipelineRunProgram.run("--from", "b", file)
            #expect(needs.status == 2)
            #expect(needs.output.isEmpty)
            #expect(needs.errors.contains("\"c\" needs {{v}}, which \"a\" captures"))
            let unknown = try await PipelineRunProgram.run("--only", "B", file)
            #expect(unknown.status == 2)
            #expect(unknown.errors.contains("there is no request \"B\"; did you mean \"b\"?"))
            let both = try await PipelineRunProgram.run("--only", "b", "--to", "b", file)
            #expect(both.status == 2)
            #expect(both.errors.contains("--to: --only cannot be combined with --from and --to"))
        }
    }
}
