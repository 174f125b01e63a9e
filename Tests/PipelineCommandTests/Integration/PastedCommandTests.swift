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
                #""method": "PURGE!", "url": "/", "auth": {"basic": {"username": "ada", "password": "c'd"}}"#,
            ])
        func paste(request: String) async throws {
            let server = try ByteServer.answering { _ in ByteServer.http(status: 500) }
            let folder = try TemporaryFolder()
            let file = try folder.write(
                #"{ "baseURL": "\#(server.url(""))", "requests": [{ \#(request) }] }"#, as: "a.json"
            )
            let run = try await PipelineRunProgram.run(file)
            #expect(run.status == 1, "\(run.output)\(run.errors)")
            let command = try #require(
                run.output.split(separator: "\n").first { $0.hasPrefix("  try       ") }
            ).dropFirst(12)
            let shell = try await Subprocess("/bin/sh", ["-c", String(command)]).waitForEnd()
            #expect(shell.status == 0, "\(command)\n\(shell.errors)")
            try #require(server.requests.count == 2)
            let (sent, pasted) = (server.requests[0], server.requests[1])
            #expect(pasted.method == sent.method)
            #expect(pasted.target == sent.target)
            #expect(pasted.body == sent.body)
            #expect(Self.ownFields(pasted) == Self.ownFields(sent))
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

        /// All but the fields in which two clients differ by themselves.
        private static func ownFields(_ request: ReceivedRequest) -> [HTTPField] {
            request.fields.filter {
                !["user-agent", "accept", "accept-encoding"].contains($0.name.lowercased())
            }.sorted { ($0.name, $0.value) < ($1.name, $1.value) }
        }
    }
}
