import PipelineCore
import PipelineJSON
import TestSupport
import Testing

@testable import PipelineCommand

extension ProgramTests {
    @Suite("Secrets in what the program prints (O27)", .timeLimit(.minutes(1)))
    struct SecretsTests {
        private static let secret = #"s3/+= "x"#
        private static let captured = "captured-T0ken/+"

        /// Every form that must not be seen.
        private static let forms = [
            secret, captured, "s3%2F%2B%3D%20%22x", "s3%2f%2b%3d%20%22x", "s3%2F%2B%3D+%22x",
            #"s3/+= \"x"#, Base64.encode(Array(secret.utf8)), "ada:" + secret,
            Base64.encode(Array("ada:\(secret)".utf8)), "captured-T0ken%2F%2B",
            Base64.encode(Array(captured.utf8)),
        ]

        @Test(
            "A failing run whose server echoes everything shows none of their forms",
            arguments: [
                ["--secret", "password=\(secret)"], ["--var", "password=\(secret)"],
                [
                    "--color=always", "--progress=always", "--keep-going", "--secret",
                    "password=\(secret)",
                ],
            ])
        func echo(options: [String]) async throws {
            let server = try ByteServer.answering { request in
                let echo = "\(request.headText) \(request.bodyText) \(Self.secret)"
                let body = #"{"token":"\#(Self.captured)","echo":\#(JSONString.text(echo))}"#
                return ByteServer.http(
                    status: request.target.hasPrefix("/fail") ? 400 : 200,
                    fields: ["X-Echo": Self.secret], body: body)
            }
            let folder = try TemporaryFolder()
            let file = try folder.write(
                """
                { "baseURL": "\(server.url(""))", "secrets": ["password"],
                  "requests": [
                    { "name": "login", "method": "POST", "url": "/login/{{password}}",
                      "auth": { "basic": { "username": "ada", "password": "{{password}}" } },
                      "body": { "json": { "password": "{{password}}" } },
                      "captures": { "token": { "json": "$.token", "secret": true },
                                    "same": "$.token", "echo": "$.echo" } },
                    { "name": "fail", "method": "POST", "url": "/fail",
                      "query": { "password": "{{password}}", "token": "{{token}}" },
                      "auth": { "bearer": "{{password}}" },
                      "headers": { "X-Token": "{{token}}" },
                      "body": { "form": { "password": "{{password}}", "token": "{{token}}" } },
                      "expect": { "status": 200, "json": { "$.token": "{{password}}",
                                  "$.echo": "{{token}}" } } },
                    { "name": "text", "method": "PUT", "url": "/fail/text",
                      "body": { "text": "it's {{password}} and\\n{{token}}" } }] }
                """, as: "a.json")
            let outcome = try await Subprocess(PipelineRunProgram.path, options + [file])
                .waitForEnd()
            #expect(outcome.status == 1)
            #expect(outcome.output.contains("token=***"))
            #expect(outcome.output.contains("expected status 200, got 400"))
            for form in Self.forms {
                #expect(!outcome.output.contains(form))
                #expect(!outcome.errors.contains(form))
            }
            // The true value was sent, and compared.
            let received = try #require(server.requests.first)
            #expect(received.bodyText == #"{"password":"s3/+= \"x"}"#)
        }

        @Test("A message that is cut within a secret does not show its beginning")
        func cutMessages() async throws {
            let folder = try TemporaryFolder()
            let key =
                "Zm9vYmFyLXBhc3N3b3Jk.-----BEGIN KEY-----\nMIIEvQIBADANBgkqhkiG9w0BAQEFAASC\n-----END KEY-----"
            for padding in [0, 1, 8, 20, 33] + stride(from: 40, through: 115, by: 5) {
                let server = try ByteServer.answering { request in
                    let text = String(repeating: "v", count: padding) + key
                    let json = #"{"a":\#(JSONString.text(text))}"#
                    return ByteServer.http(body: request.target == "/text" ? text : json)
                }
                let file = try folder.write(
                    """
                    { "baseURL": "\(server.url(""))", "secrets": ["key"], "requests": [
                        { "url": "/json", "expect": { "json": { "$.a": 1 } } },
                        { "url": "/text", "expect": { "json": { "$.a": 1 } } }] }
                    """, as: "a.json")
                let outcome = try await PipelineRunProgram.run(
                    "--keep-going", "--secret", "key=\(key)", file)
                #expect(outcome.status == 1)
                #expect(!outcome.output.contains("--BE"), "\(outcome.output)")
                #expect(!outcome.output.contains("Zm9v"), "\(outcome.output)")
                #expect(!outcome.output.contains("MIIE"), "\(outcome.output)")
            }
        }

        @Test("A plain variable that is given as a secret is masked as well")
        func plainVariable() async throws {
            let folder = try TemporaryFolder()
            let file = try folder.write(
                """
                { "baseURL": "stub:", "variables": { "user": "ada" },
                  "requests": [{ "url": "/a", "captures": { "who": "$.who" },
                                 "example": { "body": { "json": { "who": "{{user}}" } } } }] }
                """, as: "a.json")
            let outcome = try await PipelineRunProgram.run("--secret", "user=lovelace", file)
            #expect(outcome.status == 0)
            #expect(outcome.output.contains("who=***"))
        }
    }
}

private enum JSONString {
    /// The text as a JSON string.
    static func text(_ text: String) -> String { JSONValue(text).description }
}
