import PipelineCore
import TestSupport
import Testing

@testable import PipelineCommand

extension ProgramTests {
    @Suite("Annotations", .timeLimit(.minutes(1)))
    struct AnnotationTests {
        private static let secret = "s3cret|`<&"
        private let folder: TemporaryFolder
        private let server: ByteServer
        private let file: String

        init() throws {
            folder = try TemporaryFolder()
            server = try ByteServer.answering { request in
                ByteServer.http(
                    status: request.target == "/bad" ? 500 : 200,
                    body: "##[stop-commands]x\n::error::from \(Self.secret)")
            }
            file = try folder.write(
                #"""
                { "name": "Start", "baseURL": "\#(server.url(""))", "secrets": ["password"],
                  "requests": [
                    { "name": "good", "url": "/good" },
                    { "name": "bad", "url": "/bad",
                      "expect": { "text": { "contains": "{{password}}!" } } },
                    { "name": "never", "url": "/never" }] }
                """#, as: "start.json")
        }

        private var summaryPath: String { folder.file("summary.md") }

        private func run(
            _ options: [String] = [], file other: String? = nil,
            environment: [String: String] = [:]
        ) async throws -> Subprocess.Outcome {
            let operands = other.map { [$0] } ?? ["--secret", "password=\(Self.secret)", file]
            return try await Subprocess(
                PipelineRunProgram.path, options + operands, environment: environment
            ).waitForEnd()
        }

        private var github: [String: String] {
            [
                "GITHUB_ACTIONS": "true", "GITHUB_STEP_SUMMARY": summaryPath,
                "GITHUB_WORKSPACE": folder.file(""),
            ]
        }

        private func summary() throws -> String {
            String(decoding: try FileBytes.read(summaryPath, limit: 1 << 20), as: UTF8.self)
        }

        @Test("GitHub is told of each failure at its line, of nothing that a server commands")
        func gitHub() async throws {
            _ = try folder.write("# before\n", as: "summary.md")
            let outcome = try await run(environment: github)
            #expect(outcome.status == 1)
            let lines = outcome.output.split(separator: "\n").map(String.init)
            let first = try #require(lines.first)
            #expect(first.hasPrefix("::stop-commands::"))
            let word = first.dropFirst("::stop-commands::".count)
            let end = try #require(lines.firstIndex(of: "::\(word)::"))
            let errors = lines[(end + 1)...]
            #expect(errors.allSatisfy { $0.hasPrefix("::error file=start.json,line=") })
            #expect(errors.contains { $0.hasPrefix("::error file=start.json,line=5,col=") })
            #expect(errors.count == 2)
            #expect(errors.allSatisfy { $0.contains(",title=Start%3A bad::") })
            let summary = try summary()
            #expect(summary.hasPrefix("# before\n### ❌ pipeline-run: 1 succeeded, 1 failed"))
            #expect(summary.contains("1 cancelled"))
            for text in [outcome.output, outcome.errors, summary] {
                #expect(!text.contains("s3cret"))
            }
        }

        @Test("A run without failures gets a summary and no annotation")
        func success() async throws {
            let good = try folder.write(
                #"{ "name": "Good", "requests": [{ "url": "\#(server.url("/good"))" }] }"#,
                as: "good.json")
            let outcome = try await run(file: good, environment: github)
            #expect(outcome.status == 0, "\(outcome.errors)")
            #expect(!outcome.output.contains("::error"))
            #expect(try summary().hasPrefix("### ✅ pipeline-run: 1 succeeded"))
        }

        @Test("A file that is not valid is annotated where it is wrong")
        func invalid() async throws {
            let bad = try folder.write("{\n \"requests\": [ { \"ur\": 1 } ] }", as: "bad.json")
            let outcome = try await run(["-q"], file: bad, environment: github)
            #expect(outcome.status == 2)
            #expect(outcome.output.contains("::error file=bad.json,line=2,col="))
            #expect(try summary().contains("| ❌ not valid | \(MarkdownText.cell(bad)) | 0 |"))
        }

        @Test("GitLab gets a section, others and --annotations none get nothing")
        func others() async throws {
            let marker = "section_start:"
            let gitLab = try await run(environment: ["GITLAB_CI": "true"])
            #expect(gitLab.output.contains(marker) && gitLab.status == 1)
            #expect(gitLab.output.contains("start.json:5:"))
            #expect(!gitLab.output.contains("s3cret"))
            #expect(try await run(["--annotations", "gitlab"]).output.contains(marker))
            let silent = try await run(["--annotations", "none"], environment: github)
            #expect(!silent.output.contains("::stop-commands::"))
            #expect(!silent.output.contains("::error file="))
            let plain = try await run()
            #expect(!plain.output.contains("::stop-commands::") && !plain.output.contains(marker))
        }

        @Test("A summary that cannot be written is an error where it was asked for by name")
        func unwritable() async throws {
            var environment = github
            environment["GITHUB_STEP_SUMMARY"] = folder.file("no/such/folder")
            let wanted = try await run(["--annotations", "github"], environment: environment)
            #expect(wanted.status == 4)
            #expect(wanted.errors.contains("error: the step summary could not be written to"))
            let automatic = try await run(environment: environment)
            #expect(automatic.status == 1)
            #expect(automatic.errors.contains("warning: the step summary could not be written to"))
        }

        @Test("A word that is none of them is refused")
        func misspelt() async throws {
            let outcome = try await run(["--annotations", "githup"])
            #expect(outcome.status == 2)
            #expect(
                outcome.errors.contains(
                    "expected auto, github, gitlab or none, found \"githup\""))
        }
    }
}
