import TestSupport
import Testing

@testable import PipelineCommand

extension ProgramTests {
    @Suite("Watching files", .timeLimit(.minutes(1)))
    struct WatchTests {
        private let folder: TemporaryFolder

        init() throws {
            folder = try TemporaryFolder()
        }

        private func pipeline(_ name: String) -> String {
            """
            { "name": "\(name)", "baseURL": "stub:", "requests": [
              { "url": "/a", "expect": { "schema": "a.schema.json" },
                "example": { "body": { "json": {} } } }] }
            """
        }

        @Test("A change of the file, or of one that it names, runs it again; a signal ends it")
        func watch() async throws {
            let file = try folder.write(pipeline("First"), as: "a.json")
            try folder.write("{}", as: "a.schema.json")
            let program = try PipelineRunProgram.start("--watch", file)
            _ = try await program.waitForText("watching 2 files", on: 2)
            try folder.write(pipeline("Second and longer"), as: "a.json")
            _ = try await program.waitForText("Second and longer · ")
            _ = try await program.waitForText("1 succeeded ·")
            try folder.write(#"{ "type": "string" }"#, as: "a.schema.json")
            _ = try await program.waitForText("1 failed")
            try folder.write("{", as: "a.json")
            _ = try await program.waitForText("a.json:1:2", on: 2)
            program.send(2)
            #expect(try await program.waitForEnd().status == 130)
        }

        @Test(
            "Each run closes what it has opened",
            .enabled(if: Folder.exists("/proc/self/fd"), "needs what Linux tells of a process"))
        func descriptors() async throws {
            let file = try folder.write(pipeline("First"), as: "a.json")
            try folder.write("{}", as: "a.schema.json")
            let program = try Subprocess(
                PipelineRunProgram.path, ["--watch", file] + WrittenReports(folder).options)
            let end = "\nwatching 2 files; Ctrl-C ends\n\n"
            _ = try await program.waitForText(end, on: 2)
            let count = try #require(program.descriptorCount())
            try folder.write(pipeline("Second and longer"), as: "a.json")
            _ = try await program.waitForText(end + end, on: 2)
            #expect(program.descriptorCount() == count)
        }

        @Test("Standard input is not watched")
        func standardInput() async throws {
            let outcome = try await PipelineRunProgram.run("--watch", "-")
            #expect(outcome.status == 2)
            #expect(outcome.errors.contains("--watch: standard input cannot be run again"))
        }

        @Test("The files that a pipeline names are those in its folder and absolute ones")
        func names() throws {
            let file = try folder.write(
                """
                { "defaults": { "tls": { "ca": "/etc/ca.pem", "key": "{{key}}" } }, "requests": [
                  { "url": "/a", "body": { "file": "b.bin" }, "saveTo": "c.bin",
                    "expect": { "schema": { "file": 1 }, "json": { "$.file": "" } } }] }
                """, as: "a.json")
            var settings = Settings()
            settings.operands = [file, folder.file("missing.json")]
            settings.connection.authorities = "ca.pem"
            let names = NamedFiles(settings)
            #expect(
                Set(names.read) == [
                    file, folder.file("missing.json"), "ca.pem", "/etc/ca.pem",
                    folder.file("b.bin"),
                ])
            #expect(names.written == [folder.file("c.bin")])
        }

        @Test("A file that is written again, put in place of another or removed has changed")
        func changes() throws {
            var settings = Settings()
            settings.operands = [try folder.write(pipeline("x"), as: "a.json")]
            let first = WatchedFiles(settings)
            #expect(first == WatchedFiles(settings))
            try folder.write(pipeline("xx"), as: "a.json")
            let second = WatchedFiles(settings)
            #expect(first != second)
            try folder.remove("a.json")
            let third = WatchedFiles(settings)
            #expect(second != third)
            #expect(third.count == 0)
        }
    }
}
