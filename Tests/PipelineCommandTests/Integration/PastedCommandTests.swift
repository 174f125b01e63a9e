import PipelineCore
import TestSupport
import Testing

extension ProgramTests {
    @Suite("The command that a failure offers", .timeLimit(.minutes(1)))
    struct PastedCommandTests {
        @Test(
            "Pasted into a shell, it sends the same request again",
            arguments: [
                #""method": "GET", "url": "/a b/ü?x=1&y=it's", "query": {"q": "1+1 a&b=c%", "f[]": 2}"#,
                #""method": "HEAD", "url": "/""#,
                #""method": "POST", "url": "/", "body": {"json": {"a": "it's \"$HOME\" `id` \\ \n"}}"#,
                #""url": "/", "body": {"form": {"a b": "c&d", "e": ["1", "2"]}}"#,
                #""url": "/", "body": {"text": "50% \\n %s\n\tü\u001b[0m\u0000'\r\n\u200b"}"#,
                #""url": "/", "body": {"text": "@/etc/passwd"}"#,
                #""url": "/", "body": {"text": ""}"#,
                #""method": "POST", "url": "/empty""#,
                #""method": "DELETE", "url": "/{x}/../[y]""#,
                #""method": "PATCH", "url": "/", "headers": {"X-A": ["one", "two"], "X-B": "", "x-c": "!*;$(id)"}, "body": {"json": []}"#,
                #""url": "/", "body": {"file": "data.bin"}, "http": "1.1""#,
                #""method": "PUT", "url": "/", "body": {"file": "data.bin"}, "proxy": "none""#,
                #""url": "/", "body": {"multipart": {"a b": "it's; \"x\", ü", "c": ["1", "@2"], "up": {"file": "data.bin", "contentType": "image/png", "filename": "b \"c\\.png"}, "t": {"text": "x;y", "contentType": "text/csv"}}}"#,
                #""url": "/", "body": {"multipart": {"a=b": "x", "up": {"file": "data.bin"}}}"#,
                #""url": "/", "body": {"multipart": {"a": "x\r\n y%", "t": {"text": "x", "contentType": "text/plain; charset=utf-8"}}}"#,
                #""method": "PUT", "url": "/", "body": {"graphql": {"query": "{ me { id } }", "variables": {"a": 1}}}"#,
                #""method": "PURGE!", "url": "/", "auth": {"basic": {"username": "ada", "password": "c'd"}}"#,
            ])
        func paste(request: String) async throws {
            let server = try ByteServer.answering { _ in ByteServer.http(status: 500) }
            let folder = try TemporaryFolder()
            try folder.write([0, 0xFF, 0x0D, 0x0A, 0x40], as: "data.bin")
            let file = try folder.write(
                #"{ "baseURL": "\#(server.url(""))", "requests": [{ \#(request) }] }"#, as: "a.json"
            )
            let run = try await PipelineRunProgram.run(file)
            #expect(run.status == 1, "\(run.output)\(run.errors)")
            try await Self.paste(run.output)
            try #require(server.requests.count == 2)
            let (sent, pasted) = (server.requests[0], server.requests[1])
            #expect(pasted.method == sent.method)
            #expect(pasted.target == sent.target)
            #expect(Self.body(pasted) == Self.body(sent))
            #expect(Self.ownFields(pasted) == Self.ownFields(sent))
        }

        @Test("Digest authentication is left to curl, with the user's name (RFC 7616)")
        func digest() async throws {
            let server = try ByteServer.answering { request in
                guard request.fields["Authorization"] == nil else {
                    return ByteServer.http(status: 500)
                }
                let challenge = #"Digest realm="r", nonce="abc", qop="auth", algorithm=SHA-256"#
                return ByteServer.http(status: 401, fields: ["WWW-Authenticate": challenge])
            }
            let folder = try TemporaryFolder()
            let file = try folder.write(
                """
                { "secrets": ["password"], "requests": [{ "url": "\(server.url("/me"))", "auth":
                    { "digest": { "username": "ada \\"l\\"", "password": "{{password}}" } } }] }
                """, as: "a.json")
            let run = try await PipelineRunProgram.run(file, "--secret", "password=hunter2")
            #expect(run.output.contains(#"curl --digest --user 'ada "l":***' http"#))
            try await Self.paste(run.output) { $0.replacing("***", with: "hunter2") }
            let answers = server.requests.compactMap { $0.fields["Authorization"] }
            try #require(answers.count == 2)
            #expect(
                answers[1].hasPrefix(#"Digest username="ada \"l\"", realm="r""#), "\(answers[1])")
        }

        @Test("AWS signatures are left to curl, with the access key")
        func amazon() async throws {
            let server = try ByteServer.answering { _ in ByteServer.http(status: 500) }
            let folder = try TemporaryFolder()
            let file = try folder.write(
                """
                { "secrets": ["key"], "requests": [{ "url": "\(server.url("/x"))", "auth":
                    { "awsSigV4": { "accessKeyId": "AKID/EXAMPLE", "secretAccessKey": "{{key}}",
                        "region": "eu-central-1", "service": "execute-api" } } }] }
                """, as: "a.json")
            let run = try await PipelineRunProgram.run(file, "--secret", "key=hunter2hunter2")
            #expect(
                run.output.contains(
                    "curl --aws-sigv4 aws:amz:eu-central-1:execute-api --user 'AKID/EXAMPLE:***' http"
                ))
            try await Self.paste(run.output) { $0.replacing("***", with: "hunter2hunter2") }
            let (sent, pasted) = (server.requests[0], server.requests[1])
            for request in [sent, pasted] {
                #expect(request.fields["X-Amz-Date"] != nil)
                let value = try #require(request.fields["Authorization"])
                #expect(value.hasPrefix("AWS4-HMAC-SHA256 Credential=AKID/EXAMPLE/"))
                #expect(value.contains("/eu-central-1/execute-api/aws4_request, SignedHeaders="))
            }
        }

        @Test("Where to connect to is part of the command")
        func places() async throws {
            let server = try ByteServer.answering { _ in ByteServer.http(status: 500) }
            let folder = try TemporaryFolder()
            let file = try folder.write(
                #"{ "requests": [{ "url": "http://api.test/x" }] }"#, as: "a.json")
            for options in [
                ["-4", "--connect-to", "api.test:80:\(server.authority)"],
                ["-x", "http://\(server.authority)", "--noproxy", "", "--http1.1"],
            ] {
                let run = try await Subprocess(PipelineRunProgram.path, options + [file])
                    .waitForEnd()
                try await Self.paste(run.output)
            }
            #expect(
                server.requests.map(\.target)
                    == ["/x", "/x", "http://api.test/x", "http://api.test/x"])
            #expect(server.requests.allSatisfy { $0.fields["Host"] == "api.test" })
        }

        /// Runs the command that the output of a run offers.
        private static func paste(
            _ output: String, change: (String) -> String = { $0 }
        ) async throws {
            let line = output.split(separator: "\n").first { $0.hasPrefix("  try       ") }
            let command = change(String(try #require(line, "\(output)").dropFirst(12)))
            let shell = try await Subprocess("/bin/sh", ["-c", command]).waitForEnd()
            #expect(shell.status == 0, "\(command)\n\(shell.errors)")
        }

        @Test("Cookies are mentioned from the response on that set them")
        func cookies() async throws {
            let server = try ByteServer.answering { request in
                request.target == "/login"
                    ? ByteServer.http(fields: ["Set-Cookie": "sid=9"])
                    : ByteServer.http(status: 500)
            }
            let folder = try TemporaryFolder()
            let file = try folder.write(
                """
                { "baseURL": "\(server.url(""))",
                  "requests": [{ "url": "/before" }, { "url": "/login" }, { "url": "/me" }] }
                """, as: "a.json")
            for arguments in [[file], ["--quiet", file]] {
                let run = try await Subprocess(
                    PipelineRunProgram.path, ["--keep-going"] + arguments
                ).waitForEnd()
                let lines = run.output.split(separator: "\n")
                let remarks = lines.indices.filter {
                    lines[$0].hasSuffix("without cookies that earlier responses set")
                }
                try #require(remarks.count == 1)
                #expect(lines[remarks[0] - 1] == "  try       curl \(server.url("/me"))")
            }
        }

        /// What separates the parts of a form.
        private static func boundary(_ request: ReceivedRequest) -> String? {
            let type = request.fields["Content-Type"] ?? ""
            return type.firstRange(of: "boundary=").map { String(type[$0.upperBound...]) }
        }

        /// The body with the same boundary for all, each byte as a character.
        private static func body(_ request: ReceivedRequest) -> String {
            let text = String(
                String.UnicodeScalarView(request.body.map { Unicode.Scalar($0) }))
            return boundary(request).map { text.replacing($0, with: "BOUNDARY") } ?? text
        }

        /// All but the fields in which two clients differ by themselves.
        private static func ownFields(_ request: ReceivedRequest) -> [HTTPField] {
            var names = ["user-agent", "accept", "accept-encoding"]
            if boundary(request) != nil { names += ["content-type", "content-length"] }
            return request.fields.filter { !names.contains($0.name.lowercased()) }
                .sorted { ($0.name, $0.value) < ($1.name, $1.value) }
        }
    }
}
