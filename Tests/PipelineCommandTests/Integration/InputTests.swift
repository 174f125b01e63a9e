import PipelineCore
import TestSupport
import Testing

@testable import PipelineCommand

extension ProgramTests {
    @Suite("What the program is given to read", .timeLimit(.minutes(1)))
    struct InputTests {
        private let folder: TemporaryFolder

        init() throws {
            folder = try TemporaryFolder()
        }

        private static let pipeline =
            #"{ "baseURL": "stub:", "requests": [{ "name": "NAME", "url": "/a", "example": {} }] }"#

        private func pipeline(_ name: String) -> String {
            Self.pipeline.replacing("NAME", with: name)
        }

        /// What running and validating a file says, which must be the same.
        private func problem(_ path: String) async throws -> String {
            let run = try await PipelineRunProgram.run(path)
            let validation = try await PipelineRunProgram.run("validate", path)
            #expect(run.status == 2)
            #expect(validation.status == 2)
            #expect(run.errors == validation.errors)
            #expect(run.output.isEmpty)
            return run.errors
        }

        @Test("A file that cannot be a pipeline is refused with its name and the reason")
        func unreadable() async throws {
            let missing = "\(folder.path)/missing.json"
            #expect(try await problem(missing) == "error: there is no such file\n  \(missing)\n")

            let empty = try folder.write("", as: "empty.json")
            #expect(try await problem(empty).contains("empty.json:1:1"))

            let binary = try folder.write(
                [0x7F, 0x45, 0x4C, 0x46, 0, 0, 0x1B, 0x5B], as: "binary.json")
            let message = try await problem(binary)
            #expect(message.contains("binary.json:1:1"))
            #expect(!message.contains("\u{1B}"))

            let utf16 = try folder.write([0xFF, 0xFE, 0x7B, 0, 0x7D, 0], as: "utf16.json")
            #expect(try await problem(utf16).contains("UTF-16"))

            let huge = try folder.writeSparse(100 << 20, as: "huge.json")
            #expect(try await problem(huge).contains("larger than 64 MB"))

            let deep = try folder.write(
                String(repeating: "[", count: 200_000), as: "deep.json")
            #expect(try await problem(deep).contains("deep.json:1:"))

            let none = try folder.makeFolder("none")
            #expect(
                try await problem(none).contains("there is no pipeline (*.json) in this folder"))
        }

        @Test("Misspelt keys and malformed text are shown with place, path and nearest name (O36)")
        func malformed() async throws {
            let misspelt = try folder.write(
                """
                {
                  "timout": "5s",
                  "requests": [
                    { "url": "https://a/", "expect": { "jsn": {} }, "url": "https://b/" }
                  ]
                }
                """, as: "misspelt.json")
            let path = misspelt
            #expect(
                try await problem(misspelt) == """
                    error: unknown key "timout" in a pipeline; did you mean "timeout", a key of a request?
                      \(path):2:3 · timout
                        2 |   "timout": "5s",
                          |   ^^^^^^^^
                    error: unknown key "jsn" in an expectation; did you mean "json"?
                      \(path):4:40 · requests[0].expect.jsn
                        4 |     { "url": "https://a/", "expect": { "jsn": {} }, "url": "https://b/" }
                          |                                        ^^^^^
                    error: the key "url" is written twice
                      \(path):4:53 · requests[0].url
                        4 |     { "url": "https://a/", "expect": { "jsn": {} }, "url": "https://b/" }
                          |                                                     ^^^^^

                    """)
            let comma = try folder.write(
                "{\n  \"name\": \"x\",\n  \"deadline\": \"1s\"\n  \"requests\": []\n}",
                as: "comma.json"
            )
            #expect(try await problem(comma).contains("comma.json:4:3"))
            let trailing = try folder.write(
                "{\n  \"requests\": [ { \"url\": \"https://a/\" }, ]\n}", as: "trailing.json")
            #expect(try await problem(trailing).contains("trailing.json:2:"))
        }

        @Test("A folder's pipelines run in the order of their bytes, without schemas")
        func folders() async throws {
            let inner = try folder.makeFolder("pipelines")
            for name in ["b.json", "B.json", "a.json", "é.json", ".hidden.json", "x.schema.json"] {
                try folder.write(pipeline(name), as: "pipelines/\(name)")
            }
            try folder.write("not a pipeline", as: "pipelines/notes.txt")
            _ = try folder.makeFolder("pipelines/folder.json")
            let outcome = try await PipelineRunProgram.run("validate", inner + "/")
            #expect(outcome.status == 0)
            let names = ["B.json", "a.json", "b.json", "é.json"]
            #expect(
                outcome.output == names.map { "\(inner)/\($0): ok, 1 request\n" }.joined())
        }

        @Test("Standard input is read once and can be run twice")
        func standardInput() async throws {
            let file = try folder.write("\u{FEFF}" + pipeline("a"), as: "a.json")
            let outcome = try await PipelineRunProgram.run("-", "-", input: file)
            #expect(outcome.status == 0)
            #expect(outcome.output.contains("2 files: 2 succeeded"))
            #expect(outcome.output.contains("<stdin>"))
            let empty = try await PipelineRunProgram.run("-")
            #expect(empty.status == 2)
            #expect(empty.errors.contains("<stdin>:1:1"))
        }

        @Test("A misspelt command is told from a file, and sends nothing")
        func misspeltCommand() async throws {
            let example = "\(PipelineRunProgram.package)/pipelines/home-screen.json"
            let outcome = try await PipelineRunProgram.run("validat", example)
            #expect(outcome.status == 2)
            #expect(outcome.output.isEmpty)
            #expect(
                outcome.errors.hasPrefix(
                    "error: there is neither a file nor a command \"validat\"; did you mean "
                        + "\"validate\"?\n"))
            // Behind a command, and behind the end of the options, it is a file.
            for arguments in [["run", "validat"], ["--", "validat"]] {
                let outcome = try await Subprocess(PipelineRunProgram.path, arguments).waitForEnd()
                #expect(outcome.errors == "error: there is no such file\n  validat\n")
            }
        }

        @Test("The command line goes before the environment, that before a file, that before all")
        func precedence() async throws {
            let file = try folder.write(
                """
                { "baseURL": "stub:", "variables": { "who": "file" },
                  "requests": [{ "url": "/a", "captures": { "got": "$.who" },
                                 "example": { "body": { "json": { "who": "{{who}}" } } } }] }
                """, as: "a.json")
            let values = try folder.write("who=values\nunused=1\n", as: "values.env")
            let set = ["PIPELINE_VAR_who": "environment", "PIPELINE_VAR_other": "x"]

            func captured(_ outcome: Subprocess.Outcome) -> String? {
                outcome.output.split(separator: "\n").first { $0.contains("got=") }
                    .map { String($0[$0.ranges(of: "got=")[0].upperBound...]) }
            }
            func run(
                _ arguments: String..., in environment: [String: String] = [:]
            ) async throws -> String? {
                captured(
                    try await Subprocess(
                        PipelineRunProgram.path, arguments + [file], environment: environment
                    ).waitForEnd())
            }
            #expect(try await run() == "file")
            #expect(try await run("--vars-file", values) == "values")
            #expect(try await run("--vars-file", values, in: set) == "environment")
            #expect(try await run("--var", "who=1", "--var", "who=line", in: set) == "line")
            #expect(try await run("--var", "who=", in: set) == "")
            #expect(try await run("--vars-file", values, in: ["PIPELINE_VAR_who": ""]) == "")
        }

        @Test("A name on the command line that no file declares is refused")
        func undeclared() async throws {
            let outcome = try await PipelineRunProgram.run(
                "--var", "usr=x", "\(PipelineRunProgram.package)/pipelines/home-screen.json")
            #expect(outcome.status == 2)
            #expect(outcome.output.isEmpty)
            #expect(
                outcome.errors
                    == "error: no file declares a variable \"usr\"; did you mean \"user\"?\n")
        }

        @Test("A secret that is not given is named, and so is a file of values that is missing")
        func missingValues() async throws {
            let file = try folder.write(
                #"{ "secrets": ["key"], "requests": [{ "url": "https://a/{{key}}" }] }"#,
                as: "a.json")
            let outcome = try await PipelineRunProgram.run(file)
            #expect(outcome.status == 2)
            #expect(outcome.errors.contains("the secret \"key\" has no value; it must be given"))
            let values = try await PipelineRunProgram.run("--vars-file", "/nowhere", file)
            #expect(values.status == 2)
            #expect(values.errors.contains("--vars-file /nowhere: there is no such file"))
            let trust = try await PipelineRunProgram.run("--cacert", "/nowhere", file)
            #expect(trust.status == 2)
            #expect(
                trust.errors.contains(
                    "--cacert: the file of certificates to trust, /nowhere, cannot be used: no such"
                ))
        }
    }
}
