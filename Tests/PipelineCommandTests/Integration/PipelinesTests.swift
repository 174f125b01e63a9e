import PipelineCore
import Testing

@testable import PipelineCommand

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

extension ProgramTests {
    @Suite("The pipelines that come with the project", .timeLimit(.minutes(1)))
    struct PipelinesTests {
        private static let folder = "\(PipelineRunProgram.package)/pipelines"

        static let files: [String] = (try? Folder.pipelines(in: folder)) ?? []

        @Test("Each runs as it is, and only the failing one fails", arguments: files)
        func run(file: String) async throws {
            let outcome = try await PipelineRunProgram.run(file)
            #expect(
                outcome.status == (file.hasSuffix("-failing.json") ? 1 : 0), "\(outcome.output)")
            #expect(outcome.errors.isEmpty)
        }

        @Test("A proxy in the environment is not asked for what is answered from examples")
        func proxy() async throws {
            let outcome = try await PipelineRunProgram.run(
                "\(Self.folder)/home-screen.json",
                environment: ["http_proxy": "http://127.0.0.1:1", "no_proxy": "", "NO_PROXY": ""])
            #expect(outcome.status == 0, "\(outcome.output)")
        }

        @Test("There are at least four of them")
        func count() {
            #expect(Self.files.count >= 4)
        }

        @Test("The failing one looks as the documentation shows it")
        func failing() async throws {
            let file = "\(Self.folder)/home-screen-failing.json"
            let outcome = try await PipelineRunProgram.run(file)
            let shown = outcome.output
                .replacing(/[ ]+\d+ ms/, with: " 0 ms").replacing(/127\.0\.0\.1:\d+/, with: "HOST")
            #expect(
                shown == """
                    Home screen · \(file) · answered from its examples
                      ✓ config    GET  /config     200 0 ms
                      ✓ login     POST /login      200 0 ms   token=***
                      ✗ profile   GET  /me         401 0 ms
                      – feed      GET  /feed       cancelled by profile
                      – banners   GET  /banners    cancelled by profile

                    error: expected status 200, got 401 Unauthorized
                      \(file):30:29 · requests[2].expect.status
                       30 |       "expect": { "status": 200 },
                          |                             ^^^
                      response  {"error":"token expired"}
                      try       curl -H 'Accept: application/json' -H 'Authorization: Bearer ***' \
                    http://HOST/me

                    failed at profile: 2 succeeded, 1 failed, 2 cancelled · 0 ms

                    """)
        }

        @Test("The messages of failed expectations are as they were; PIPELINE_RECORD=1 renews them")
        func failingChecks() async throws {
            let file = "\(Self.folder)/checks-failing.json"
            let outcome = try await PipelineRunProgram.run(file)
            let shown = outcome.output.replacing(Self.folder, with: "pipelines")
                .replacing(/[ ]+\d+ ms/, with: " 0 ms").replacing(/127\.0\.0\.1:\d+/, with: "HOST")
            let path = "\(PipelineRunProgram.package)/Tests/Snapshots/checks-failing.txt"
            try Snapshot.expect(shown, toBeIn: path)
        }

        @Test("pipeline.schema.json is what schema prints; PIPELINE_RECORD=1 renews it")
        func schema() async throws {
            let outcome = try await PipelineRunProgram.run("schema")
            #expect(outcome.status == 0)
            try Snapshot.expect(outcome.output, toBeIn: "\(Self.folder)/pipeline.schema.json")
        }
    }
}
