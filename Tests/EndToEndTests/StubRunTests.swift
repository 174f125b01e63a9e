import PipelineCore
import PipelineCurl
import PipelineJSON
import PipelineStub
import Testing

@Suite("A pipeline over real HTTP, answered from its examples")
struct StubRunTests {
    private func pipeline(profile status: Int) throws -> Pipeline {
        let text = """
            { "name": "Home screen", "baseURL": "stub:", "secrets": ["password"],
              "variables": { "user": "ada", "id": 7 },
              "requests": [
                { "name": "login", "url": "/login",
                  "body": { "json": { "user": "{{user}}", "password": "{{password}}" } },
                  "captures": { "token": { "json": "$.token", "secret": true } },
                  "example": { "body": { "json": { "token": "token of {{user}}" } } } },
                { "name": "profile", "url": "/users/{{id}}", "auth": { "bearer": "{{token}}" },
                  "expect": { "status": 200, "json": { "$.name": "{{user}}" } },
                  "example": { "status": \(status), "body": { "json": { "name": "{{user}}" } } } },
                { "name": "feed", "url": "/feed/{{token}}", "query": { "limit": 20 },
                  "example": { "body": { "text": "ok" }, "headers": { "X-Kind": "feed" } } }] }
            """
        return try Pipeline(parsing: Array(text.utf8), name: "home.json")
    }

    private func run(
        _ pipeline: Pipeline
    ) async throws -> (result: RunResult, requests: [StubRequest]) {
        let inputs = try pipeline.bind(variables: ["password": "correct horse"])
        #expect(inputs.needsStub)
        let server = try StubServer(answering: inputs)
        defer { server.stop() }
        var options = RunOptions()
        options.baseURL = server.baseURL
        let result = try await pipeline.run(
            variables: ["password": "correct horse"], transport: CurlTransport(), options: options)
        return (result, server.requests)
    }

    @Test(.timeLimit(.minutes(1)))
    func `it runs green, and what was sent is what the file says`() async throws {
        let (result, requests) = try await run(try pipeline(profile: 200))
        #expect(result.isSuccess, "\(result.requests.compactMap(\.error))")
        #expect(requests.map(\.method) == ["POST", "GET", "GET"])
        #expect(
            requests.map(\.target) == ["/login", "/users/7", "/feed/token%20of%20ada?limit=20"])
        #expect(requests[1].fields["authorization"] == "Bearer token of ada")
        let sent = try JSONValue(parsing: requests[0].body)
        #expect(sent == ["user": "ada", "password": "correct horse"])
        #expect(result["feed"]?.response?.fields["x-kind"] == "feed")
        #expect(result["feed"]?.response?.body == Array("ok".utf8))
    }

    @Test(.timeLimit(.minutes(1)))
    func `the server of a cancelled request never sees it`() async throws {
        let (result, requests) = try await run(try pipeline(profile: 401))
        #expect(result.requests.map(\.outcome) == [.succeeded, .failed, .cancelled])
        #expect(requests.map(\.target) == ["/login", "/users/7"])
        #expect(result["profile"]?.error?.message == "expected status 200, got 401 Unauthorized")
    }

    @Test func `a request without an example is named before anything is sent`() throws {
        let text = """
            { "baseURL": "stub:", "requests": [
                { "name": "a", "url": "/a", "example": {} }, { "name": "b", "url": "/b" },
                { "name": "elsewhere", "url": "http://localhost:1/c" }] }
            """
        let inputs = try Pipeline(parsing: Array(text.utf8), name: "a.json").bind()
        let error = try #require(throws: PipelineError.self) { try StubServer(answering: inputs) }
        #expect(
            error.diagnostics.map(\.message) == [
                "the stub cannot answer \"b\": it has no \"example\""
            ])
        #expect(error.diagnostics[0].path == "requests[1].name")
    }

    @Test func `a secret needs no value when the stub answers`() throws {
        let inputs = try pipeline(profile: 200).bind()
        #expect(inputs.needsStub)
    }
}
