import PipelineJSON
import TestSupport
import Testing

@testable import PipelineCore

@Suite("Running a pipeline")
struct PipelineRunTests {
    static let boot = file(
        #"{ "name": "config", "url": "/config", "captures": { "locale": "$.locale" } }"#,
        #"{ "name": "login", "url": "/login", "body": { "json": { "user": "{{user}}" } }, "#
            + #""captures": { "token": { "json": "$.token", "secret": true } } }"#,
        #"{ "name": "feed", "url": "/feed", "query": { "limit": 20, "locale": "{{locale}}" }, "#
            + #""auth": { "bearer": "{{token}}" }, "expect": { "json": { "$.items[*]": 1 } } }"#,
        keys: #""variables": { "user": "ada" },"#)

    static func answers(_ bodies: [String: String]) -> ScriptedTransport {
        ScriptedTransport { request in
            let path = request.url.target.prefix { $0 != "?" }
            guard let body = bodies[String(path)] else {
                return .respond(status: 404, body: "none")
            }
            return .respond(body: body)
        }
    }

    static let good = [
        "/config": #"{"locale":"en"}"#, "/login": #"{"token":"t0k3n"}"#, "/feed": #"{"items":[1]}"#,
    ]

    @Test(.timeLimit(.minutes(1)))
    func `requests run in order and use what earlier ones captured`() async throws {
        let transport = Self.answers(Self.good)
        let result = try await load(Self.boot).run(transport: transport)
        #expect(result.isSuccess)
        #expect(result.requests.map(\.outcome) == [.succeeded, .succeeded, .succeeded])
        #expect(
            transport.requests.map(\.url.text) == [
                "http://test/config", "http://test/login", "http://test/feed?limit=20&locale=en",
            ])
        #expect(transport.requests[1].method == "POST")
        #expect(transport.requests[1].body == .bytes(Array(#"{"user":"ada"}"#.utf8)))
        #expect(transport.requests[1].fields["content-type"] == "application/json")
        #expect(transport.requests[2].fields["Authorization"] == "Bearer t0k3n")
        #expect(result.value("token")?.string == "t0k3n")
        #expect(result["login"]?.response?.body == Array(#"{"token":"t0k3n"}"#.utf8))
    }

    @Test(.timeLimit(.minutes(1)))
    func `the first failure cancels the rest and names its place`() async throws {
        let transport = Self.answers(["/config": #"{"locale":"en"}"#])
        let run = try load(Self.boot).start(transport: transport)
        var lines: [String] = []
        for await event in run.events { lines.append(Self.line(event)) }
        #expect(
            lines == [
                "started config", "succeeded config", "started login", "failed login",
                "cancelled feed", "finished",
            ])
        let result = await run.result
        #expect(!result.isSuccess)
        #expect(transport.requests.count == 2)
        let feed = try #require(result["feed"])
        #expect(feed.outcome == .cancelled)
        #expect(feed.record?.state == .new)
        #expect(feed.cancellation?.culprit?.name == "login")
        #expect("\(try #require(feed.cancellation))" == "cancelled by login")
        let error = try #require(result["login"]?.error)
        #expect(error.code == .expectation)
        #expect(error.message == "expected status 2xx, got 404 Not Found")
        let diagnostic = result.diagnostic(try #require(error.findings.first))
        #expect(diagnostic.path == "requests[1].name")
    }

    @Test(.timeLimit(.minutes(1)))
    func `all expectations of the failing request are reported`() async throws {
        let text = file(
            #"{ "url": "/a", "expect": { "status": [201, "3xx"], "json": "#
                + #"{ "$.n": 2, "$.s": "1", "$.missing": null, "$.l[*]": 1, "$.ok": 1.0 } } }"#)
        let transport = Self.answers(["/a": #"{"n":1,"s":1,"l":[1,2],"ok":1}"#])
        let result = try await load(text).run(transport: transport)
        #expect(
            result.requests[0].error?.findings.map(\.message) == [
                "expected status 201 or 3xx, got 200 OK",
                "expected $.n to be 2 (number), got 1 (number)",
                #"expected $.s to be "1" (string), got 1 (number)"#,
                "expected $.missing to be null, found nothing",
                "expected $.l[*] to be 1 (number), found 2 values: 1, 2",
            ])
        let paths = result.requests[0].error?.findings.map { result.diagnostic($0).path }
        #expect(paths?[0] == "requests[0].expect.status")
        #expect(paths?[1] == #"requests[0].expect.json["$.n"]"#)
    }

    @Test(
        "O22: a body that is not JSON fails with its first bytes, beside the status",
        .timeLimit(.minutes(1)),
        arguments: [
            ("<html>\noops", "it begins with <html> oops"), (#"{"ok":true,}"#, #"{"ok":true,}"#),
            ("", "the text is empty"),
        ])
    func notJSON(body: String, part: String) async throws {
        let text = file(#"{ "url": "/a", "expect": { "status": 201, "json": { "$.ok": true } } }"#)
        let result = try await load(text).run(transport: Self.answers(["/a": body]))
        let messages = try #require(result.requests[0].error?.findings.map(\.message))
        #expect(messages.count == 2)
        #expect(messages[0] == "expected status 201, got 200 OK")
        #expect(messages[1].hasPrefix("the body is not JSON: "))
        #expect(messages[1].contains(part))
    }

    @Test(.timeLimit(.minutes(1)))
    func `O24: a capture that finds nothing fails its request, the next is not sent`() async throws
    {
        var bodies = Self.good
        bodies["/login"] = #"{"nothing":1}"#
        let transport = Self.answers(bodies)
        let result = try await load(Self.boot).run(transport: transport)
        let error = try #require(result["login"]?.error)
        #expect(error.code == .capture)
        #expect(error.message == "the capture \"token\": found nothing at $.token")
        #expect(transport.requests.count == 2)
        #expect(result.value("token") == nil)
    }

    @Test(.timeLimit(.minutes(1)))
    func `a capture may have a default, and of several nodes it takes the array`() async throws {
        let text = file(
            #"{ "url": "/a", "captures": { "x": { "json": "$.x", "default": "none" }, "#
                + #""ids": "$.l[*]", "n": "$.n" } }"#,
            #"{ "name": "b", "url": "/{{n}}", "body": { "json": ["{{ids}}", "{{x}}", "{{n}}"] } }"#)
        let transport = ScriptedTransport { _ in
            .respond(body: #"{"l":[1,2],"n":9223372036854775808.10}"#)
        }
        let result = try await load(text).run(transport: transport)
        #expect(result.isSuccess)
        // O21: the digits of the source, in the address and in the body.
        #expect(transport.requests[1].url.target == "/9223372036854775808.10")
        let sent = #"[[1,2],"none",9223372036854775808.10]"#
        #expect(transport.requests[1].body == .bytes(Array(sent.utf8)))
    }

    @Test(.timeLimit(.minutes(1)))
    func `a request that is not enabled is skipped where its turn would be`() async throws {
        let text = file(
            #"{ "name": "a", "url": "/a" }"#, #"{ "name": "b", "url": "/b", "enabled": false }"#,
            #"{ "name": "c", "url": "/c" }"#, #"{ "name": "d", "url": "/d", "enabled": false }"#)
        let run = try load(text).start(transport: ScriptedTransport { _ in .respond() })
        var lines: [String] = []
        for await event in run.events { lines.append(Self.line(event)) }
        #expect(
            lines == [
                "started a", "succeeded a", "skipped b", "started c", "succeeded c", "skipped d",
                "finished",
            ])
        #expect(await run.result.isSuccess)
    }

    @Test(.timeLimit(.minutes(1)))
    func `a request of finally that needs a missing capture is cancelled by its source`()
        async throws
    {
        let text = """
            { "baseURL": "http://test",
              "requests": [{ "name": "login", "url": "/login", "captures": { "t": "$.t" } }],
              "finally": [{ "name": "logout", "url": "/logout/{{t}}" }, { "name": "y", "url": "/y" }] }
            """
        let transport = Self.answers(["/y": ""])
        let result = try await load(text).run(transport: transport)
        #expect(transport.requests.map(\.url.target) == ["/login", "/y"])
        #expect(result["logout"]?.cancellation?.reason == .missingCapture)
        #expect(result["logout"]?.cancellation?.culprit?.name == "login")
    }

    @Test(.timeLimit(.minutes(1)))
    func `what would have been captured as secret is masked when the request fails`() async throws {
        let text = file(
            #"{ "url": "/a", "expect": { "status": 201 }, "captures": { "#
                + #""token": { "json": "$.token", "secret": true }, "#
                + #""all": { "json": "$.list[*]", "secret": true } } }"#)
        let inputs = try load(text).bind()
        let body = #"{"token":"supersecret","list":["alpha-one",{"k":"beta-two"}]}"#
        let transport = ScriptedTransport { _ in .respond(body: body) }
        let result = try await inputs.start(transport: transport).result
        #expect(result.requests[0].error?.code == .expectation)
        let shown = inputs.redactor.redact(body + " alpha-one beta-two")
        #expect(shown == #"{"token":"***","list":***} *** ***"#)
    }

    @Test(.timeLimit(.minutes(1)))
    func `a response with a secret that is too short to mask is not shown`() async throws {
        let text = file(
            #"{ "url": "/a", "captures": { "pin": { "json": "$.pin", "secret": true } } }"#)
        let transport = ScriptedTransport { _ in .respond(body: #"{"pin":"123"}"#) }
        let result = try await load(text).run(transport: transport)
        #expect(result.requests[0].error?.code == .capture)
        #expect(result.requests[0].error?.hidesResponse ?? false)
    }

    @Test(.timeLimit(.minutes(1)))
    func `a body beyond its limit fails the request`() async throws {
        let text = file(#"{ "url": "/a", "maxBody": "1KB" }"#)
        let transport = ScriptedTransport { _ in
            .respond(body: String(repeating: "x", count: 1_025))
        }
        let result = try await load(text).run(transport: transport)
        #expect(result.requests[0].error?.code == .bodyTooLarge)
        #expect(result.requests[0].error?.message == "the body is larger than the limit of 1 KB")
    }

    static func line(_ event: RunEvent) -> String {
        switch event {
        case .started(let request): "started \(request.name)"
        case .succeeded(let request): "succeeded \(request.name)"
        case .failed(let request): "failed \(request.name)"
        case .cancelled(let request): "cancelled \(request.name)"
        case .skipped(let request): "skipped \(request.name)"
        case .finished: "finished"
        }
    }
}
