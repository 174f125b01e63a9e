import PipelineCore
import TestSupport
import Testing

@testable import PipelineCommand

extension ProgramTests {
    @Suite("The program's exit codes (O32)", .timeLimit(.minutes(1)))
    struct ProgramExitCodeTests {
        private let folder: TemporaryFolder

        init() throws {
            folder = try TemporaryFolder()
        }

        /// Runs a pipeline of one file.
        private func run(_ text: String, _ options: String...) async throws -> Subprocess.Outcome {
            let file = try folder.write(text, as: "a.json")
            return try await Subprocess(PipelineRunProgram.path, options + [file]).waitForEnd()
        }

        @Test("0: every request succeeded")
        func success() async throws {
            let outcome = try await run(
                """
                { "baseURL": "stub:",
                  "requests": [{ "name": "a", "url": "/a", "example": { "body": { "text": "x" } } }] }
                """)
            #expect(outcome.status == 0)
            #expect(outcome.output.contains("✓ a"))
            #expect(outcome.output.contains("1 succeeded · "))
            #expect(outcome.errors.isEmpty)
        }

        @Test("1: an expectation failed, and the rest is cancelled")
        func expectation() async throws {
            let outcome = try await run(
                """
                { "baseURL": "stub:",
                  "requests": [
                    { "name": "a", "url": "/a", "expect": { "status": 201 }, "example": {} },
                    { "name": "b", "url": "/b", "example": {} }] }
                """)
            #expect(outcome.status == 1)
            #expect(outcome.output.contains("error: expected status 201, got 200 OK\n"))
            #expect(outcome.output.contains("cancelled by a"))
        }

        @Test("1: a capture found nothing; the request that needs it is never sent (O24)")
        func capture() async throws {
            let server = try ByteServer.answering { _ in ByteServer.http(body: #"{"error":"no"}"#) }
            let outcome = try await run(
                """
                { "baseURL": "\(server.url(""))",
                  "requests": [
                    { "name": "a", "url": "/a", "captures": { "token": "$.token" } },
                    { "name": "b", "url": "/b?t={{token}}" }] }
                """)
            #expect(outcome.status == 1)
            #expect(outcome.output.contains("the capture \"token\": found nothing at $.token"))
            #expect(outcome.output.contains("response  {\"error\":\"no\"}"))
            #expect(server.requests.map(\.target) == ["/a"])
        }

        @Test("2: a misspelt variable is refused before the first request (O24)")
        func misspeltVariable() async throws {
            let server = try ByteServer.answering { _ in ByteServer.http() }
            let outcome = try await run(
                """
                { "baseURL": "\(server.url(""))", "variables": { "user": "ada" },
                  "requests": [{ "name": "a", "url": "/a" }, { "name": "b", "url": "/{{usr}}" }] }
                """)
            #expect(outcome.status == 2)
            #expect(outcome.errors.contains("unknown variable {{usr}}; did you mean \"user\"?"))
            #expect(outcome.errors.contains("a.json:2:"))
            #expect(outcome.output.isEmpty)
            #expect(server.requests.isEmpty)
        }

        @Test("3: nobody listens at the port")
        func refused() async throws {
            let listener = try ByteServer { _ in }
            let url = listener.url("/")
            listener.stop()
            let outcome = try await run(#"{ "requests": [{ "name": "a", "url": "\#(url)" }] }"#)
            #expect(outcome.status == 3)
            #expect(outcome.output.contains("error: connection refused at 127.0.0.1:"))
            #expect(outcome.output.contains("(libcurl error 7)"))
            #expect(outcome.output.contains("failed at a: 1 failed · "))
        }

        @Test("3: the server hangs until the timeout")
        func timeout() async throws {
            let server = try ByteServer { connection in
                _ = connection.readRequest()
                connection.waitUntilStopped()
            }
            let outcome = try await run(
                #"{ "requests": [{ "name": "a", "url": "\#(server.url())" }] }"#, "--timeout",
                "100ms")
            #expect(outcome.status == 3)
            #expect(outcome.output.contains("error: timed out after 100 ms"))
        }

        @Test("3: the deadline of the run comes")
        func deadline() async throws {
            let server = try ByteServer { connection in
                _ = connection.readRequest()
                connection.waitUntilStopped()
            }
            let outcome = try await run(
                """
                { "requests": [
                    { "name": "a", "url": "\(server.url())" }, { "name": "b", "url": "https://b/" }] }
                """, "--deadline=100ms")
            #expect(outcome.status == 3)
            #expect(outcome.output.contains("deadline reached at a: 1 failed, 1 cancelled · "))
            #expect(outcome.output.contains("cancelled at the deadline"))
        }

        @Test("4: standard output cannot be written, said once on standard error (O35)")
        func fullDevice() async throws {
            let outcome = try await PipelineRunProgram.run(
                "\(PipelineRunProgram.package)/pipelines/home-screen.json",
                output: .path("/dev/full"))
            #expect(outcome.status == 4)
            #expect(
                outcome.errors
                    == "error: standard output could not be written: No space left on device\n")
            let schema = try await PipelineRunProgram.run("schema", output: .path("/dev/full"))
            #expect(schema.status == 4)
        }

        @Test("With several files the most serious code wins, and the good ones run")
        func severalFiles() async throws {
            let good = try folder.write(
                #"{ "baseURL": "stub:", "requests": [{ "url": "/good", "example": {} }] }"#,
                as: "good.json")
            let failing = try folder.write(
                """
                { "baseURL": "stub:", "requests": [
                    { "url": "/bad", "example": { "status": 500 } }] }
                """, as: "failing.json")
            let broken = try folder.write("{", as: "broken.json")
            let outcome = try await PipelineRunProgram.run(failing, broken, good, good)
            #expect(outcome.status == 2)
            #expect(outcome.output.ranges(of: "✓ GET /good").count == 2)
            #expect(outcome.output.contains("4 files: 2 succeeded, 1 failed, 1 invalid\n"))
            #expect(outcome.errors.contains("broken.json:1:2"))
            #expect(try await PipelineRunProgram.run(good, failing).status == 1)

            let first = try await PipelineRunProgram.run("--fail-fast", failing, good)
            #expect(first.status == 1)
            #expect(first.output.contains("2 files: 1 failed, 1 not started\n"))
            // What is broken counts, wherever it stands.
            #expect(try await PipelineRunProgram.run("--fail-fast", failing, broken).status == 2)
        }

        @Test("With keep-going the requests after a failed one are sent")
        func keepGoing() async throws {
            let outcome = try await run(
                """
                { "baseURL": "stub:", "requests": [
                    { "name": "a", "url": "/a", "example": { "status": 500 } },
                    { "name": "b", "url": "/b", "example": {} }] }
                """, "--keep-going")
            #expect(outcome.status == 1)
            #expect(outcome.output.contains("failed at a: 1 succeeded, 1 failed · "))
        }

        @Test("Nothing to run is not a success")
        func nothingToRun() async throws {
            let disabled = try await run(
                #"{ "requests": [{ "url": "https://a/", "enabled": false }] }"#)
            #expect(disabled.status == 2)
            #expect(disabled.errors.contains("nothing to run: no request is enabled"))
            let empty = try await run(#"{ "requests": [] }"#)
            #expect(empty.status == 2)
            #expect(empty.errors.contains("expected at least one element"))
        }

        @Test("Wrong usage is 2, with the way to the help")
        func usage() async throws {
            let outcome = try await PipelineRunProgram.run("--timout", "5s", "a.json")
            #expect(outcome.status == 2)
            #expect(outcome.output.isEmpty)
            #expect(
                outcome.errors == """
                    error: unknown option --timout; did you mean "--timeout"?
                      see pipeline-run --help

                    """)
        }
    }
}
