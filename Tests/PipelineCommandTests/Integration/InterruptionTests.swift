import TestSupport
import Testing

extension ProgramTests {
    @Suite("Ctrl-C and SIGTERM (O34)", .timeLimit(.minutes(1)))
    struct InterruptionTests {
        private static let interrupt: Int32 = 2
        private static let terminate: Int32 = 15

        private let folder: TemporaryFolder

        init() throws {
            folder = try TemporaryFolder()
        }

        /// A server whose `/hang` never answers.
        private static func server() throws -> ByteServer {
            try ByteServer { connection in
                while let request = connection.readRequest() {
                    if request.target == "/hang" { return connection.waitUntilStopped() }
                    connection.send(ByteServer.http())
                }
            }
        }

        private func pipeline(
            _ server: ByteServer, finally: String = "/cleanup"
        ) throws -> String {
            try folder.write(
                """
                { "baseURL": "\(server.url(""))",
                  "requests": [
                    { "name": "first", "url": "/first" }, { "name": "second", "url": "/hang" },
                    { "name": "third", "url": "/third" }],
                  "finally": [{ "name": "cleanup", "url": "\(finally)" }] }
                """, as: "a.json")
        }

        @Test(
            "The first signal cancels, cleans up and starts nothing more",
            arguments: [interrupt, terminate])
        func once(signal: Int32) async throws {
            let server = try Self.server()
            let file = try pipeline(server)
            let program = try PipelineRunProgram.start(file, file)
            _ = await server.waitForRequests(2)
            program.send(signal)
            let outcome = try await program.waitForEnd()
            #expect(outcome.status == 128 + signal)
            #expect(server.requests.map(\.target) == ["/first", "/hang", "/cleanup"])
            #expect(outcome.output.contains("✓ first"))
            #expect(outcome.output.contains("– second    GET /hang       interrupted after "))
            #expect(outcome.output.contains("– third     GET /third      interrupted\n"))
            #expect(outcome.output.contains("✓ cleanup"))
            #expect(
                outcome.output.contains("interrupted at second: 2 succeeded, 2 cancelled · "))
            #expect(outcome.output.matches(of: #/– .* not started: interrupted\n/#).count == 4)
            #expect(outcome.output.contains("2 files: 1 interrupted, 1 not started\n"))
            #expect(outcome.errors.isEmpty)
        }

        @Test("The second signal ends it at once, whatever cleaning up does")
        func twice() async throws {
            let server = try Self.server()
            let program = try PipelineRunProgram.start(try pipeline(server, finally: "/hang"))
            _ = await server.waitForRequests(2)
            program.send(Self.interrupt)
            _ = await server.waitForRequests(3)
            program.send(Self.interrupt)
            let outcome = try await program.waitForEnd()
            #expect(outcome.status == 130)
            #expect(!outcome.output.contains("– cleanup"))
        }

        @Test("A reader of the output who has stopped reading does not keep it from its end")
        func unreadOutput() async throws {
            let server = try Self.server()
            let name = String(repeating: "x", count: 10_000)
            let file = try folder.write(
                """
                { "name": "short", "baseURL": "\(server.url(""))",
                  "requests": [{ "name": "\(name)", "url": "/first" }],
                  "finally": [{ "name": "cleanup", "url": "/cleanup" }] }
                """, as: "a.json")
            let pipe = try FullPipe(room: 4_096)
            let program = try PipelineRunProgram.start(file, output: .descriptor(pipe.writing))
            // Its line does not fit: whenever the signal comes, something waits to be written.
            _ = await server.waitForRequests(1)
            program.send(Self.interrupt)
            let outcome = try await program.waitForEnd()
            #expect(outcome.status == 130)
            #expect(
                outcome.errors == "error: standard output could not be written: nobody reads it\n")
            #expect(server.requests.map(\.target) == ["/first", "/cleanup"])
        }

        @Test("A signal while the files are still read ends it at once")
        func whileReading() async throws {
            for command in ["run", "validate"] {
                let pipe = folder.file(command)
                #expect(try await Subprocess("/usr/bin/mkfifo", [pipe]).waitForEnd().status == 0)
                // The shell says that the program has opened the pipe to read from it.
                let script = try Subprocess(
                    "/bin/sh",
                    [
                        "-c", #"exec 3<>"$3"; "$1" "$2" - <"$3" & echo "pid $!"; wait $!"#, "sh",
                        PipelineRunProgram.path, command, pipe,
                    ])
                let line = try await script.waitForText("\n")
                let process = try #require(line.split(whereSeparator: \.isWhitespace).last)
                _ = try await Subprocess("/bin/sh", ["-c", "kill -TERM \(process)"]).waitForEnd()
                #expect(try await script.waitForEnd().status == 143)
            }
        }

        @Test("A first signal while cleaning up lets that go on until its deadline")
        func duringFinally() async throws {
            let server = try Self.server()
            let file = try folder.write(
                """
                { "baseURL": "\(server.url(""))", "requests": [{ "name": "first", "url": "/first" }],
                  "finally": [{ "name": "cleanup", "url": "/hang" }], "finallyDeadline": "1s" }
                """, as: "a.json")
            let program = try PipelineRunProgram.start(file)
            _ = await server.waitForRequests(2)
            program.send(Self.terminate)
            let outcome = try await program.waitForEnd()
            #expect(outcome.status == 143)
            #expect(outcome.output.contains("cancelled at the deadline, in flight"))
        }

        @Test("A signal is heard by a program that was started in the background of a script")
        func background() async throws {
            let server = try Self.server()
            // A shell without job control starts such a program with SIGINT ignored.
            let script = try Subprocess(
                "/bin/sh",
                [
                    "-c", #""$1" "$2" & echo "pid $!"; wait $!"#, "sh", PipelineRunProgram.path,
                    try pipeline(server),
                ])
            let line = try await script.waitForText("first")
            let word = try #require(
                line.split(separator: "\n").first { $0.hasPrefix("pid ") }?.split(separator: " ")
                    .last)
            _ = await server.waitForRequests(2)
            _ = try await Subprocess("/bin/sh", ["-c", "kill -INT \(word)"]).waitForEnd()
            #expect(try await script.waitForEnd().status == 130)
        }
    }
}
