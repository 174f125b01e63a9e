import PipelineCore
import PipelineJSON
import TestSupport
import Testing

@testable import PipelineCommand

@Suite("The attempts and redirects of a failed request", .timeLimit(.minutes(1)))
struct AttemptLinesTests {
    /// The lines about attempts and redirects, with durations made equal.
    private static func lines(
        _ request: String, variables: [String: JSONValue] = [:],
        script: @escaping @Sendable (HTTPRequest) -> ScriptedTransport.Step
    ) async throws -> [String] {
        let file = #"{ "baseURL": "http://a", "secrets": ["key"], "requests": [\#(request)] }"#
        let all = try await RunReportTests.report(
            file, variables: variables.isEmpty ? ["key": "unused"] : variables, script: script)
        let start = all.firstIndex {
            $0.hasPrefix("  attempts") || $0.hasPrefix("  redirects")
        }
        let end = all.firstIndex { $0.hasPrefix("  response") || $0.hasPrefix("  try") }
        guard let start, let end else { return [] }
        return all[start..<end].map { $0.replacing(/[0-9.]+ m?s\b/, with: "0 ms") }
    }

    @Test("Each attempt has its reason, its time and the wait before it")
    func attempts() async throws {
        let count = Locked(0)
        let lines = try await Self.lines(
            #"{ "url": "/x", "retry": { "max": 2, "interval": "1ms" } }"#
        ) { _ in
            count.change { $0 += 1 }
            return count.value == 2
                ? .fail(TransportError(.cannotConnect, "connection refused at a:80"))
                : .respond(status: 503)
        }
        #expect(
            lines == [
                "  attempts  1  status 503 Service Unavailable, 0 ms",
                "            2  connection refused at a:80, 0 ms, after waiting 0 ms",
                "            3  expected status 2xx, got 503 Service Unavailable, 0 ms, "
                    + "after waiting 0 ms",
            ])
    }

    @Test(
        "Of many attempts the first and the latest are shown, with their numbers",
        arguments: [(12, 4), (120, 112)])
    func many(count: Int, hidden: Int) async throws {
        let lines = try await Self.lines(
            #"{ "url": "/x", "retry": { "max": \#(count), "interval": "0ms" } }"#
        ) { _ in .respond(status: 503) }
        let width = "\(count + 1)".count
        let blank = String(repeating: " ", count: width - 1)
        try #require(lines.count == 10)
        #expect(lines[0] == "  attempts  \(blank)1  status 503 Service Unavailable, 0 ms")
        #expect(lines[1] == "            \(blank)   … \(hidden) more")
        let numbers = lines.dropFirst(2).map {
            Int($0.dropFirst(12).prefix { $0 != "s" && $0 != "e" }.filter(\.isNumber))
        }
        #expect(numbers == Array((count - 6)...(count + 1)))
    }

    @Test("Redirects are shown with their methods; secrets in their addresses are not (O27)")
    func redirects() async throws {
        let lines = try await Self.lines(
            #"{ "url": "/x", "body": { "text": "{{key}}" } }"#, variables: ["key": "s3cr/et"]
        ) { request in
            switch request.url.target {
            case "/x": .respond(status: 307, fields: ["Location": "/y?k=s3cr%2Fet"])
            case "/y?k=s3cr%2Fet":
                .respond(
                    status: 302,
                    fields: ["Location": "http://b/" + String(repeating: "z", count: 300)])
            default: .respond(status: 500)
            }
        }
        try #require(lines.count == 2)
        #expect(lines[0] == "  redirects 307 to POST http://a/y?k=***")
        #expect(lines[1].hasPrefix("            302 to GET http://b/zzz"))
        #expect(lines[1].hasSuffix("z…"))
        #expect(lines[1].count == 12 + 160)
    }

    @Test("A request that is sent again with credentials is no redirect")
    func challenge() async throws {
        let lines = try await Self.lines(
            #"{ "url": "/x", "auth": { "digest": { "username": "ada", "password": "x" } } }"#
        ) { request in
            request.fields["Authorization"] == nil
                ? .respond(
                    status: 401,
                    fields: ["WWW-Authenticate": #"Digest realm="r", nonce="n", qop="auth""#])
                : .respond(status: 500)
        }
        #expect(lines.isEmpty)
    }
}
