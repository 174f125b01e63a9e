import PipelineCore
import TestSupport
import Testing

@testable import PipelineCommand

extension ProgramTests {
    @Suite("Commands beside run", .timeLimit(.minutes(1)))
    struct CommandTests {
        private let folder: TemporaryFolder

        init() throws {
            folder = try TemporaryFolder()
        }

        @Test("init writes an example that runs at once, and replaces nothing unasked")
        func initialize() async throws {
            let file = folder.file("pipeline.json")
            let made = try await Subprocess(
                "/bin/sh",
                [
                    "-c", #"cd "$1" && exec "$2" init"#, "sh", folder.path,
                    PipelineRunProgram.path,
                ]
            ).waitForEnd()
            #expect(made.status == 0)
            #expect(made.output.hasPrefix("wrote pipeline.json\n  pipeline-run pipeline.json "))
            let run = try await PipelineRunProgram.run(file)
            #expect(run.status == 0)
            #expect(run.output.contains("3 succeeded"))

            try folder.write("{}", as: "pipeline.json")
            let again = try await PipelineRunProgram.run("init", file)
            #expect(again.status == 2)
            #expect(again.errors == "error: \(file) is there already; --force replaces it\n")
            #expect(try FileBytes.read(file, limit: 10) == Array("{}".utf8))
            #expect(try await PipelineRunProgram.run("init", "--force", file).status == 0)
            #expect(try await PipelineRunProgram.run("validate", file).status == 0)

            for arguments in [["init"], ["init", "--force"]] {
                let folder = try await Subprocess(
                    PipelineRunProgram.path, arguments + [folder.path]
                ).waitForEnd()
                #expect(folder.status == 2)
                #expect(folder.errors.hasSuffix(" is a folder; give the path of a file to write\n"))
            }

            let nowhere = try await PipelineRunProgram.run(
                "init", "\(folder.path)/no/such/folder.json")
            #expect(nowhere.status == 2)
            #expect(try await PipelineRunProgram.run("init", "--force", "/dev/full").status == 4)
        }

        @Test("serve answers from the examples until it is stopped, which is its orderly end")
        func serve() async throws {
            let file = "\(PipelineRunProgram.package)/pipelines/home-screen.json"
            let server = try PipelineRunProgram.start("serve", file)
            let text = try await server.waitForText("banners\n")
            let lines = text.split(separator: "\n").map(String.init)
            #expect(lines[0].hasPrefix("serving \(file) on http://127.0.0.1:"))
            #expect(lines[1] == "  GET  /config   config")
            #expect(lines[4] == "  GET  /users/{}/feed   feed")
            let url = try #require(lines[0].split(separator: " ").last.map(String.init))

            let run = try await PipelineRunProgram.run(
                "--var", "API=\(url)", "--secret", "password=hunter2", file)
            #expect(run.status == 0)
            #expect(!run.output.contains("answered from its examples"))

            let port = try #require(url.split(separator: ":").last.map(String.init))
            let second = try await PipelineRunProgram.run("serve", file, "--port", port)
            #expect(second.status == 2)
            #expect(second.errors.contains(port))

            server.send(15)
            #expect(try await server.waitForEnd().status == 0)
        }

        @Test("serve names the requests that have no example")
        func serveWithoutExamples() async throws {
            let file = try folder.write(
                #"{ "baseURL": "https://a", "requests": [{ "name": "x", "url": "/x" }] }"#,
                as: "a.json"
            )
            let outcome = try await PipelineRunProgram.run("serve", file)
            #expect(outcome.status == 2)
            #expect(outcome.errors.contains("the stub cannot answer \"x\": it has no \"example\""))
        }

        @Test("The version is the newest of the change log")
        func version() async throws {
            let outcome = try await PipelineRunProgram.run("--version")
            #expect(outcome.status == 0)
            #expect(outcome.output == "pipeline-run \(Version.text)\n")
            let log = try PipelineRunProgram.text("CHANGELOG.md")
            let versions = log.matches(of: /## \[([0-9.]+)\]/)
            #expect(versions.first.map { String($0.1) } == Version.text)
        }

        @Test("The help goes to standard output")
        func help() async throws {
            for arguments in ["--help", "-h", "help"] {
                let outcome = try await PipelineRunProgram.run(arguments)
                #expect(outcome.status == 0)
                #expect(outcome.output == HelpText.text(for: nil))
            }
        }

        @Test("validate sends nothing, counts what it read, and is silent when asked to be")
        func validate() async throws {
            let file = "\(PipelineRunProgram.package)/pipelines/checkout.json"
            let outcome = try await PipelineRunProgram.run("validate", file)
            #expect(outcome.status == 0)
            #expect(outcome.output == "\(file): ok, 5 requests, 2 in finally\n")
            #expect(try await PipelineRunProgram.run("validate", "-q", file).output.isEmpty)
        }
    }
}
