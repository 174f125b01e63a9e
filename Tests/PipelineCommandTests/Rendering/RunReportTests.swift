import PipelineCore
import PipelineJSON
import Testing

@testable import PipelineCommand

@Suite("Failures and summaries", .timeLimit(.minutes(1)))
struct RunReportTests {
    /// Runs a pipeline against a script and returns what its failures and its summary look like.
    static func report(
        _ text: String, variables: [String: JSONValue] = [:], keepsGoing: Bool = false,
        script: @escaping @Sendable (HTTPRequest) -> ScriptedTransport.Step
    ) async throws -> [String] {
        let pipeline = try Pipeline(parsing: Array(text.utf8), name: "a.json")
        let inputs = try pipeline.bind(variables: variables)
        var options = RunOptions()
        options.stopsOnFailure = !keepsGoing
        options.keepsMessages = false
        let run = try inputs.start(transport: ScriptedTransport(script), options: options)
        let result = await run.result
        let safe = SafeText(inputs.redactor)
        let blocks = result.requests.compactMap {
            FailureBlock($0, in: pipeline.source, safe: safe)?.lines
        }
        let lines = blocks.flatMap(\.self) + [Summary(result).line]
        return lines.map { safe($0.text) }
    }

    private static let pipeline = """
        {
          "baseURL": "https://api.example.com",
          "variables": { "token": "abcdefgh" },
          "requests": [
            { "name": "config", "url": "/config" },
            {
              "name": "profile",
              "url": "/me",
              "auth": { "bearer": "{{token}}" },
              "expect": { "status": 200, "json": { "$.name": "Ada" } }
            },
            { "name": "feed", "url": "/feed" }
          ]
        }
        """

    @Test("All findings of the failing request are shown, with their places")
    func findings() async throws {
        let lines = try await Self.report(Self.pipeline) { request in
            request.url.target == "/me"
                ? .respond(status: 401, body: "{\n  \"error\":\t\"token expired\"\n}\n")
                : .respond()
        }
        #expect(
            lines.dropLast() == [
                "error: expected status 200, got 401 Unauthorized",
                "  a.json:10:29 · requests[1].expect.status",
                "   10 |       \"expect\": { \"status\": 200, \"json\": { \"$.name\": \"Ada\" } }",
                "      |                             ^^^",
                "error: expected $.name to be \"Ada\" (string), found nothing",
                "  a.json:10:54 · requests[1].expect.json[\"$.name\"]",
                "   10 |       \"expect\": { \"status\": 200, \"json\": { \"$.name\": \"Ada\" } }",
                "      |                                                      ^^^^^",
                "  response  { \"error\": \"token expired\" }",
                "  try       curl -H 'Authorization: Bearer abcdefgh' https://api.example.com/me",
            ])
        let summary = try #require(lines.last)
        #expect(summary.hasPrefix("failed at profile: 1 succeeded, 1 failed, 1 cancelled · "))
    }

    @Test("A transport failure is shown at its request, with the library's code")
    func transport() async throws {
        let lines = try await Self.report(Self.pipeline) { _ in
            .fail(TransportError(.cannotConnect, "connection refused at a:1", libraryCode: 7))
        }
        #expect(
            lines.dropLast() == [
                "error: connection refused at a:1 (libcurl error 7)",
                "  a.json:5:15 · requests[0].name",
                "    5 |     { \"name\": \"config\", \"url\": \"/config\" },",
                "      |               ^^^^^^^^",
                "  try       curl https://api.example.com/config",
            ])
    }

    @Test("A request that cannot be sent has no command to try")
    func unsendable() async throws {
        let lines = try await Self.report(Self.pipeline) { _ in
            .fail(TransportError(.invalidRequest, "that cannot be sent", isBeforeSending: true))
        }
        #expect(lines.contains("error: that cannot be sent"))
        #expect(!lines.contains { $0.contains("curl") && $0.contains("try") })
    }

    @Test("With keep-going every failure has its block, and the summary names the first")
    func keepGoing() async throws {
        let lines = try await Self.report(Self.pipeline, keepsGoing: true) { _ in
            .respond(status: 500)
        }
        #expect(lines.count { $0.hasPrefix("error: expected status") } == 3)
        #expect(lines.count { $0 == "  response  (empty)" } == 3)
        #expect(lines.last?.hasPrefix("failed at config: 3 failed · ") ?? false)
    }

    @Test("A run without a failure is one line")
    func success() async throws {
        let lines = try await Self.report(Self.pipeline) { _ in
            .respond(body: #"{"name":"Ada"}"#)
        }
        #expect(lines.count == 1)
        #expect(lines[0].hasPrefix("3 succeeded · "))
        #expect(lines[0].hasSuffix(" ms"))
    }

    @Test(
        "The excerpt of a body is short, on one line, and says when there is more",
        arguments: [
            ("\u{1B}]0;title\u{7}\r\nSet-Cookie: x", "\u{FFFD}]0;title\u{FFFD} Set-Cookie: x"),
            (String(repeating: "é", count: 300), String(repeating: "é", count: 199) + "…"),
            (String(repeating: " ", count: 20_000) + "x", "…"),
            ("PNG\u{0}\u{1}", "(5 B of image/png)"),
        ])
    func excerpts(body: String, shown: String) async throws {
        let lines = try await Self.report(Self.pipeline) { _ in
            .respond(status: 500, fields: ["Content-Type": "image/png"], body: body)
        }
        #expect(lines.contains("  response  \(shown)"))
    }

    @Test("A secret that the excerpt would cut in two is masked whole (O27)")
    func secretAtTheCut() async throws {
        let text = """
            { "secrets": ["key"],
              "requests": [{ "url": "https://a/", "headers": { "X-Key": "{{key}}" } }] }
            """
        let secret = "hunter2hunter2hunter2hunter2"
        // Cut where the excerpt ends, and where what is looked at of a body does.
        let paddings = (170...200).map { String(repeating: "v", count: $0) }
        let blanks = String(repeating: " ", count: 16_384 - secret.count / 2)
        for padding in paddings + [blanks] {
            let lines = try await Self.report(text, variables: ["key": JSONValue(secret)]) { _ in
                .respond(status: 500, body: padding + secret)
            }
            #expect(!lines.joined().contains("hunt"))
        }
    }
}
