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
        // As the documentation of StubServer shows it.
        let result = try await inputs.replacingBaseURL(server.baseURL)
            .run(transport: CurlTransport())
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

    @Test(
        "An address is answered whatever its values turn out to be", .timeLimit(.minutes(1)),
        arguments: [
            ("/o/{{$uuid}}", ""), ("/o/{{$randomInt}}/x", ""), ("{{$timestamp}}", ""),
            ("/o/{{made}}", #""made": "{{$uuid}}""#),
            ("/o/{{held}}", #""held": "a{{made}}", "made": "{{$uuid}}""#),
            ("{{path}}", #""path": "/x/y""#), ("{{path}}?q=1", #""path": "x""#),
            ("/u/{{id}}", #""id": "1""#), ("{{id}}/u", #""id": "1""#), ("/u/{{later}}", ""),
            ("{{id}}", ""), ("/s/{{key}}", ""), ("/s/{{held}}", #""held": "{{key}}!""#),
        ])
    func addresses(url: String, variables: String) async throws {
        let text = """
            { "baseURL": "stub:", "secrets": ["key"], "variables": { \(variables) },
              "requests": [
                { "url": "/first", "captures": { "id": "$.id", "later": "$.id" },
                  "example": { "body": { "json": { "id": 7 } } } },
                { "name": "second", "url": "\(url)", "example": { "status": 201 } }] }
            """
        let pipeline = try Pipeline(parsing: Array(text.utf8), name: "a.json")
        let server = try StubServer(answering: pipeline.bind())
        defer { server.stop() }
        // Bound again, as another program does that runs the file against a server.
        let inputs = try pipeline.bind(
            variables: ["key": "correct horse"], baseURL: server.baseURL + "/")
        let result = try await inputs.run(transport: CurlTransport())
        #expect(result["second"]?.response?.status == 201, "\(server.requests.map(\.target))")
    }

    @Test func `an address that a variable makes absolute is not the stub's`() throws {
        let text = """
            { "baseURL": "stub:", "variables": { "host": "http://localhost:1", "s": "http" },
              "requests": [
                { "url": "/a", "example": {} }, { "url": "{{host}}/b" },
                { "url": "{{s}}://localhost:1/c" }] }
            """
        let inputs = try Pipeline(parsing: Array(text.utf8), name: "a.json").bind()
        #expect(try inputs.examples().map(\.name) == ["GET /a"])
    }

    @Test func `inputs for a stub do not run without one`() throws {
        let inputs = try pipeline(profile: 200).bind()
        let error = try #require(throws: PipelineError.self) {
            try inputs.start(transport: CurlTransport())
        }
        #expect(error.diagnostics[0].message.hasPrefix("the baseURL is \"stub:\""))
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
