import PipelineCore
import TestSupport
import Testing

@testable import PipelineCommand

extension ProgramTests {
    @Suite("The options about requests, over the network", .timeLimit(.minutes(1)))
    struct OptionsOverNetworkTests {
        private let folder: TemporaryFolder

        init() throws {
            folder = try TemporaryFolder()
        }

        private func run(_ file: String, _ options: String...) async throws -> Subprocess.Outcome {
            let path = try folder.write(file, as: "a.json")
            return try await Subprocess(PipelineRunProgram.path, options + [path]).waitForEnd()
        }

        @Test("Fields of the command line replace the file's in every request")
        func fields() async throws {
            let server = try ByteServer.answering { _ in ByteServer.http() }
            let outcome = try await run(
                """
                { "baseURL": "\(server.url(""))",
                  "defaults": { "headers": { "X-A": ["1", "2"], "X-B": "b", "X-C": "c" } },
                  "requests": [{ "url": "/a", "auth": { "bearer": "file" } },
                               { "url": "/b", "headers": { "x-a": "3" }, "cookies": { "k": "v" } }] }
                """, "-H", "X-A: 4", "-H", "X-A: 5", "-H", "x-b:", "-H", "X-C;", "-H",
                "Authorization: Bearer mine", "-A", "")
            #expect(outcome.status == 0, "\(outcome.output)")
            try #require(server.requests.count == 2)
            for request in server.requests {
                #expect(request.fields.values(of: "X-A") == ["4", "5"])
                #expect(request.fields["X-B"] == nil)
                #expect(request.fields.values(of: "X-C") == [""])
                #expect(request.fields.values(of: "Authorization") == ["Bearer mine"])
                #expect(request.fields["User-Agent"] == nil)
            }
            #expect(server.requests[1].fields["Cookie"] == "k=v")
        }

        @Test("A credential of the command line does not follow to another origin (O08)")
        func redirect() async throws {
            let other = try ByteServer.answering { _ in ByteServer.http() }
            let server = try ByteServer.answering { request in
                request.target == "/same"
                    ? ByteServer.http(status: 302, fields: ["Location": other.url("/other")])
                    : ByteServer.http(status: 302, fields: ["Location": "/same"])
            }
            let outcome = try await run(
                #"{ "secrets": ["key"], "requests": [{ "url": "\#(server.url())", "headers": { "X": "{{key}}" } }] }"#,
                "-H", "authorization: Bearer abcdef", "-H", "X-Key: my-secret-value", "-H",
                "X-Plain: 1", "--secret", "key=my-secret-value")
            #expect(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
            #expect(
                server.requests.map { $0.fields["Authorization"] } == [
                    "Bearer abcdef", "Bearer abcdef",
                ])
            let last = try #require(other.requests.first)
            #expect(last.fields["Authorization"] == nil)
            #expect(last.fields["X-Key"] == nil)
            #expect(last.fields["X-Plain"] == "1")
        }

        @Test(
            "An Authorization field of the command line takes the place of the file's credentials")
        func instead() async throws {
            let server = try ByteServer.answering { _ in
                ByteServer.http(
                    status: 401, fields: ["WWW-Authenticate": #"Digest realm="r", nonce="n""#])
            }
            let outcome = try await run(
                """
                { "requests": [{ "url": "\(server.url())", "auth":
                    { "digest": { "username": "ada", "password": "file" } } }] }
                """, "-H", "Authorization: Token mine")
            #expect(outcome.status == 1)
            #expect(server.requests.map { $0.fields["Authorization"] } == ["Token mine"])
        }

        @Test("Credentials of the command line are masked in what a failure shows (O27)")
        func masking() async throws {
            let server = try ByteServer.answering { request in
                ByteServer.http(status: 500, body: request.headText)
            }
            let outcome = try await run(
                #"{ "requests": [{ "url": "\#(server.url())" }] }"#, "-H",
                "Authorization: Bearer hunter2hunter2", "-H", "Cookie: sid=0123456789")
            #expect(outcome.status == 1)
            #expect(outcome.output.contains("-H 'Authorization: ***'"))
            #expect(!outcome.output.contains("hunter2"))
            #expect(!outcome.output.contains("0123456789"))
        }

        @Test("--retry holds for every request, with the file's waits or the usual ones")
        func retry() async throws {
            let server = try ByteServer.answering { _ in ByteServer.http(status: 503) }
            let file = """
                { "baseURL": "\(server.url(""))", "requests": [
                    { "name": "a", "url": "/a", "retry": { "max": 0, "interval": "1ms" } },
                    { "name": "b", "url": "/b", "retry": { "max": 9, "interval": "1ms" } }] }
                """
            let outcome = try await run(file, "--retry", "2", "--keep-going")
            #expect(outcome.status == 1)
            #expect(outcome.output.ranges(of: "3 attempts").count == 2)
            #expect(server.requests.count == 6)
            _ = try await run(file, "--retry=0", "--keep-going")
            #expect(server.requests.count == 8)
        }

        @Test("A request without a retry of its own gets one from --retry")
        func retryFromNothing() async throws {
            let server = try ByteServer.answering { [count = Locked(0)] _ in
                count.change {
                    $0 += 1; return $0
                } == 1
                    ? ByteServer.http(status: 503, fields: ["Retry-After": "0"])
                    : ByteServer.http()
            }
            let outcome = try await run(
                #"{ "requests": [{ "url": "\#(server.url())" }] }"#, "--retry", "1")
            #expect(outcome.status == 0, "\(outcome.output)")
            #expect(outcome.output.contains("2 attempts"))
        }

        @Test("A name is resolved, and connected to elsewhere, as the command line says")
        func places() async throws {
            let server = try ByteServer.answering { _ in ByteServer.http() }
            let file = #"{ "requests": [{ "url": "http://api.test:\#(server.port)/" }] }"#
            let resolved = try await run(file, "--resolve", "api.test:\(server.port):127.0.0.1")
            #expect(resolved.status == 0, "\(resolved.output)")
            let rerouted = try await run(
                #"{ "requests": [{ "url": "http://api.test/" }] }"#, "--connect-to",
                "api.test:80:127.0.0.1:\(server.port)")
            #expect(rerouted.status == 0, "\(rerouted.output)")
            #expect(
                server.requests.map { $0.fields["Host"] } == [
                    "api.test:\(server.port)", "api.test",
                ])
        }

        @Test(
            "A proxy of the command line goes before that of the file, and its password is masked")
        func proxy() async throws {
            let server = try ByteServer.answering { _ in ByteServer.http(status: 500) }
            let outcome = try await run(
                #"{ "requests": [{ "url": "http://api.test/x", "proxy": "http://127.0.0.1:1" }] }"#,
                "-x", "http://ada:hunter2@\(server.authority)", "--noproxy", "")
            #expect(outcome.status == 1, "\(outcome.output)")
            #expect(server.requests.map(\.target) == ["http://api.test/x"])
            #expect(outcome.output.contains("--proxy 'http://ada:***@\(server.authority)'"))
            #expect(!outcome.output.contains("hunter2"))
            let direct = try await run(
                #"{ "requests": [{ "url": "\#(server.url())", "proxy": "http://127.0.0.1:1" }] }"#,
                "--proxy", "none")
            #expect(direct.status == 1, "\(direct.output)")
        }

        @Test("What is answered from examples is reached directly, whatever the options say")
        func stub() async throws {
            let key = try folder.write("no key", as: "key.pem")
            let outcome = try await run(
                """
                { "baseURL": "stub:", "requests": [
                    { "url": "/a", "example": {}, "proxy": "http://127.0.0.1:1", "http": "2" }] }
                """, "--proxy", "http://127.0.0.1:1", "--connect-to", "::127.0.0.1:1", "--key", key,
                "-6")
            #expect(outcome.status == 0, "\(outcome.output)")
        }

        @Test("Requests beside the examples do go where the options say")
        func besideStub() async throws {
            let server = try ByteServer.answering { _ in ByteServer.http() }
            let outcome = try await run(
                """
                { "baseURL": "stub:", "requests": [
                    { "url": "/a", "example": {} }, { "url": "http://api.test/" }] }
                """, "--connect-to", "::\(server.authority)")
            #expect(outcome.status == 0, "\(outcome.output)")
            #expect(server.requests.map(\.target) == ["/"])
        }

        @Test("Wrong options are usage errors, found before the first request")
        func usage() async throws {
            let server = try ByteServer.answering { _ in ByteServer.http() }
            for options in [["--cert", "/no/cert.pem"], ["--timeout", "0s"], ["-H", "X"]] {
                let file = try folder.write(
                    #"{ "requests": [{ "url": "\#(server.url())" }] }"#, as: "a.json")
                let outcome = try await Subprocess(PipelineRunProgram.path, options + [file])
                    .waitForEnd()
                #expect(outcome.status == 2)
                #expect(outcome.errors.hasPrefix("error: \(options[0]): "))
            }
            #expect(server.requests.isEmpty)
        }

        @Test("A file that gives up verification is warned of, by its requests")
        func unverified() async throws {
            let file = """
                { "baseURL": "stub:", "requests": [
                    { "name": "one", "url": "/a", "example": {}, "tls": { "verify": false } },
                    { "name": "two", "url": "/b", "example": {} },
                    { "name": "three", "url": "/c", "example": {}, "tls": { "verify": false } }] }
                """
            let path = try folder.write(file, as: "a.json")
            let outcome = try await PipelineRunProgram.run(path)
            #expect(
                outcome.errors
                    == "warning: certificates are not verified for one, three (\"verify\" in \(path))\n"
            )
            let insecure = try await PipelineRunProgram.run("-k", path)
            #expect(insecure.errors == "warning: certificates are not verified (--insecure)\n")
            let requests = (1...4).map { #"{ "url": "/\#($0)", "example": {} }"# }
            let many = try folder.write(
                """
                { "baseURL": "stub:", "defaults": { "tls": { "verify": false } },
                  "requests": [\(requests.joined(separator: ","))] }
                """, as: "b.json")
            #expect(try await PipelineRunProgram.run(many).errors.contains("for 4 requests"))
        }
    }
}
