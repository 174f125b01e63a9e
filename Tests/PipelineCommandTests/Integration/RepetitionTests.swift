import PipelineCore
import TestSupport
import Testing

@testable import PipelineCommand

extension ProgramTests {
    @Suite("Files that run more than once", .timeLimit(.minutes(1)))
    struct RepetitionTests {
        private let folder: TemporaryFolder
        private let file: String

        init() throws {
            folder = try TemporaryFolder()
            file = try folder.write(
                """
                { "name": "Greeting", "baseURL": "stub:", "variables": { "user": "nobody" },
                  "secrets": ["pin"],
                  "requests": [{ "name": "hello", "url": "/hello", "captures": { "got": "$.user" },
                    "example": { "body": { "json": { "user": "{{user}}" } } } }] }
                """, as: "a.json")
        }

        private func captured(_ outcome: Subprocess.Outcome) -> [String] {
            outcome.output.matches(of: #/got=(.*)/#).map { String($0.1) }
        }

        @Test("Each row of a file of data is a run with a name of its own, also in reports")
        func rows() async throws {
            let data = try folder.write(
                "user,pin\r\nada,secret-1\r\n\"b, c\",secret-2\r\n", as: "users.csv")
            let report = folder.file("junit.xml")
            let outcome = try await PipelineRunProgram.run(
                "--data", data, "--report-junit", report, file)
            #expect(outcome.status == 0)
            #expect(captured(outcome) == ["ada", "b, c"])
            #expect(outcome.output.contains("Greeting · \(file) [row 1] · "))
            #expect(outcome.output.contains("Greeting · \(file) [row 2] · "))
            #expect(outcome.output.hasSuffix("2 runs: 2 succeeded\n"))
            let text = String(decoding: try FileBytes.read(report, limit: 1 << 20), as: UTF8.self)
            #expect(text.contains("[row 1]") && text.contains("[row 2]"))
        }

        @Test("--repeat runs a file again, with every row where there are some")
        func repetition() async throws {
            let plain = try await PipelineRunProgram.run("--repeat", "3", file)
            #expect(plain.status == 0)
            #expect(captured(plain).count == 3)
            #expect(plain.output.contains("\(file) [run 3]"))
            let data = try folder.write(#"[{"user": "x"}, {"user": "y"}]"#, as: "users.json")
            let both = try await PipelineRunProgram.run(
                "--repeat", "2", "--data", data, "--jobs", "2", file)
            #expect(captured(both) == ["x", "y", "x", "y"])
            #expect(both.output.contains("\(file) [run 2, row 1]"))
        }

        @Test("What is wrong with every run is told once")
        func toldOnce() async throws {
            let file = try folder.write(
                #"{ "secrets": ["pin"], "requests": [{ "url": "https://a/{{pin}}" }] }"#,
                as: "b.json")
            let outcome = try await PipelineRunProgram.run("--repeat", "3", file)
            #expect(outcome.status == 2)
            #expect(outcome.errors.ranges(of: "the secret \"pin\" has no value").count == 1)
            #expect(outcome.output.hasSuffix("3 runs: 3 invalid\n"))
        }

        @Test("What does not fit is refused before anything is sent")
        func refused() async throws {
            let unknown = try folder.write("usr\nada\n", as: "unknown.csv")
            let outcome = try await PipelineRunProgram.run("--data", unknown, file)
            #expect(outcome.status == 2)
            #expect(outcome.output.isEmpty)
            #expect(
                outcome.errors
                    == "error: no file declares a variable \"usr\"; did you mean \"user\"?\n")
            let data = try folder.write("user\nada\n", as: "users.csv")
            let twice = try await PipelineRunProgram.run(
                "--data", data, "--var", "user=x", file)
            #expect(twice.status == 2)
            #expect(twice.errors.contains("\"user\" is given by --data and by an option as well"))
            let report = try await PipelineRunProgram.run(
                "--data", data, "--report-junit", data, file)
            #expect(report.status == 2)
            #expect(report.errors.contains("is a file that this run reads"))
        }
    }
}
