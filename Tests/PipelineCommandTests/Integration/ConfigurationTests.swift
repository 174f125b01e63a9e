import TestSupport
import Testing

@testable import PipelineCommand

extension ProgramTests {
    @Suite("A configuration file, and patterns for files", .timeLimit(.minutes(1)))
    struct ConfigurationTests {
        private let folder: TemporaryFolder

        init() throws {
            folder = try TemporaryFolder()
        }

        @discardableResult
        private func pipeline(_ name: String, value: String = "0") throws -> String {
            try folder.write(
                """
                { "name": "\(name)", "baseURL": "stub:", "variables": { "v": "\(value)" },
                  "requests": [{ "url": "/{{v}}", "example": {} }] }
                """, as: "\(name).json")
        }

        @Test("A check that it switches off is told as if the option stood on the command line")
        func insecure() async throws {
            let file = try pipeline("a")
            let configuration = try folder.write(#"{ "insecure": true }"#, as: "config.json")
            let environment = ["PIPELINE_RUN_CONFIG": configuration]
            let outcome = try await PipelineRunProgram.run(file, environment: environment)
            #expect(outcome.status == 0)
            #expect(outcome.errors == "warning: certificates are not verified (--insecure)\n")
            let other = try await PipelineRunProgram.run(
                "--no-config", file, environment: environment)
            #expect(other.errors.isEmpty)
        }

        @Test("-v and --dry-run tell which file was read", arguments: ["-v", "--dry-run"])
        func told(option: String) async throws {
            let file = try pipeline("a")
            let configuration = try folder.write(#"{ "retry": 1 }"#, as: "config.json")
            let outcome = try await PipelineRunProgram.run(
                option, "--config", configuration, file)
            #expect(outcome.errors == "options from \(configuration)\n")
            #expect(try await PipelineRunProgram.run(option, file).errors.isEmpty)
        }

        @Test("Values come from the command line, the environment, the file, and the pipeline")
        func precedence() async throws {
            let file = try pipeline("a", value: "pipeline")
            let configuration = try folder.write(
                #"{ "var": { "v": "file", "unknown": 1 } }"#, as: "config.json")
            let environment = ["PIPELINE_VAR_v": "environment"]
            let option = ["--var", "v=option"]
            func address(
                _ options: [String], _ environment: [String: String] = [:]
            ) async throws -> Substring? {
                let outcome = try await Subprocess(
                    PipelineRunProgram.path, ["--dry-run"] + options + [file],
                    environment: environment
                ).waitForEnd()
                return outcome.output.firstMatch(of: #/127\.0\.0\.1/([a-z]+)/#)?.1
            }
            let configured = ["--config", configuration]
            #expect(try await address([]) == "pipeline")
            #expect(try await address(configured) == "file")
            #expect(try await address(configured, environment) == "environment")
            #expect(try await address(configured + option, environment) == "option")
        }

        @Test("A wrong one is refused before anything is sent, with all that is wrong")
        func wrong() async throws {
            let file = try pipeline("a")
            let path = try folder.write(#"{ "colour": "auto", "jobs": 0 }"#, as: "config.json")
            let outcome = try await PipelineRunProgram.run("--config", path, file)
            #expect(outcome.status == 2)
            #expect(outcome.output.isEmpty)
            #expect(
                outcome.errors == """
                    error: \(path):1:3: unknown option "colour"; did you mean "color"?
                    error: \(path):1:29: jobs: expected a number from 1 to 256, found "0"
                      see pipeline-run --help

                    """)
        }

        @Test("No report may replace it")
        func kept() async throws {
            let file = try pipeline("a")
            let path = try folder.write("{}", as: "config.json")
            let outcome = try await PipelineRunProgram.run(
                "--config", path, "--report-json", path, file)
            #expect(outcome.status == 2)
            #expect(outcome.errors.contains("is a file that this run reads"))
        }

        @Test("A pattern runs, checks and joins what matches, and must match something")
        func patterns() async throws {
            for name in ["b", "a", "c"] { try pipeline(name) }
            let pattern = folder.file("[ab].json")
            let run = try await PipelineRunProgram.run(
                "--report-json", folder.file("one.report"), pattern, folder.file("c.json"))
            #expect(run.status == 0)
            #expect(
                run.output.matches(of: #/(?m)^(\w) · /#).map { String($0.1) } == ["a", "b", "c"])
            let validation = try await PipelineRunProgram.run("validate", pattern)
            #expect(
                validation.output
                    == ["a", "b"].map { "\(folder.file("\($0).json")): ok, 1 request\n" }.joined())
            let joined = try await PipelineRunProgram.run("merge", folder.file("*.report"))
            #expect(joined.status == 0)
            #expect(joined.output.contains("\"a\""))

            let nothing = folder.file("*.yaml")
            for command in ["run", "validate", "merge", "serve"] {
                let outcome = try await PipelineRunProgram.run(command, nothing)
                #expect(outcome.status == 2)
                #expect(outcome.errors.contains("no file matches this pattern"))
                #expect(outcome.errors.contains(nothing))
            }
            let some = try await PipelineRunProgram.run(nothing, pattern)
            #expect(some.status == 2)
            #expect(some.output.hasSuffix("3 files: 2 succeeded, 1 invalid\n"))
        }
    }
}
