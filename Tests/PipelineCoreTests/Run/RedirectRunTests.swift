import PipelineJSON
import TestSupport
import Testing

@testable import PipelineCore

@Suite("How a run follows redirects", .timeLimit(.minutes(1)))
struct RedirectRunTests {
    /// Answers `/a` with a redirect to the place, and all else with 200.
    private static func redirecting(
        _ status: Int = 302, to place: String, fields: HTTPFields = [:]
    ) -> ScriptedTransport {
        ScriptedTransport { request in
            guard request.url.target == "/a" else { return .respond(body: "{}") }
            var all = fields
            all.append(HTTPField(name: "location", value: place))
            return .respond(status: status, fields: all, body: "moved")
        }
    }

    @Test(
        "O07: the method and the body after a redirect",
        arguments: [
            (301, "POST", "GET"), (302, "POST", "GET"), (303, "POST", "GET"), (307, "POST", "POST"),
            (308, "POST", "POST"), (301, "PUT", "PUT"), (302, "PUT", "PUT"), (303, "PUT", "GET"),
            (303, "DELETE", "GET"), (308, "DELETE", "DELETE"),
        ])
    func methods(status: Int, method: String, expected: String) async throws {
        let transport = Self.redirecting(status, to: "/b")
        let result = try await load(
            file(#"{ "url": "/a", "method": "\#(method)", "body": { "text": "x=1" } }"#)
        ).run(transport: transport)
        let last = try #require(transport.requests.last)
        #expect(transport.requests.count == 2)
        #expect(last.method == expected)
        #expect((last.body == nil) == (expected == "GET"))
        #expect((last.fields["Content-Type"] == nil) == (expected == "GET"))
        #expect(result.requests[0].record?.request?.url.text == "http://test/b")
        #expect(result.requests[0].record?.request?.method == expected)
    }

    @Test("O07: HEAD stays HEAD")
    func head() async throws {
        let transport = Self.redirecting(303, to: "/b")
        _ = try await load(file(#"{ "url": "/a", "method": "HEAD" }"#)).run(transport: transport)
        #expect(transport.requests.map(\.method) == ["HEAD", "HEAD"])
    }

    @Test(
        "O08: credentials and secrets stay with their origin",
        arguments: [
            ("http://test:81/b", false), ("http://other/b", false), ("https://test/b", false),
            ("http://test/b", true), ("/b", true), ("http://TEST:80/b", true),
        ])
    func credentials(place: String, isKept: Bool) async throws {
        let transport = Self.redirecting(to: place)
        let text = file(
            #"{ "url": "/a", "auth": { "bearer": "t0ken" }, "cookies": { "c": "1" }, "#
                + #""headers": { "X-Api-Key": "key-{{key}}", "Accept": "a/b" } }"#,
            keys: #""secrets": ["key"],"#)
        var options = RunOptions()
        options.adjustConnection = { $0.tls.certificate = "client.pem" }
        let result = try await load(text)
            .run(variables: ["key": "abcdefgh"], transport: transport, options: options)
        #expect(result.isSuccess)
        let last = try #require(transport.requests.last)
        for name in ["Authorization", "Cookie", "X-Api-Key"] {
            #expect((last.fields[name] != nil) == isKept, "\(name)")
        }
        #expect((last.connection.tls.certificate != nil) == isKept)
        #expect(last.fields["Accept"] == "a/b")
    }

    @Test("O08 (iv): what was dropped stays dropped on the way back")
    func awayAndBack() async throws {
        let transport = ScriptedTransport { request in
            switch request.url.text {
            case "http://test/a":
                .respond(status: 302, fields: ["Location": "http://other/x"])
            case "http://other/x":
                .respond(status: 302, fields: ["Location": "http://test/b"])
            default: .respond()
            }
        }
        let result = try await load(file(#"{ "url": "/a", "auth": { "bearer": "t0ken" } }"#))
            .run(transport: transport)
        #expect(
            transport.requests.map { $0.fields["Authorization"] } == ["Bearer t0ken", nil, nil])
        #expect(
            result.requests[0].attempts.first?.redirects.map(\.text) == [
                "http://other/x", "http://test/b",
            ])
    }

    @Test func `ten redirects are followed, and as many as the file says`() async throws {
        for (keys, expected) in [("", 11), (#", "redirects": 2"#, 3)] {
            let transport = ScriptedTransport { request in
                .respond(status: 302, fields: ["Location": request.url.target + "a"])
            }
            let result = try await load(file(#"{ "url": "/a"\#(keys) }"#)).run(transport: transport)
            #expect(transport.requests.count == expected)
            #expect(result.requests[0].error?.code == .redirect)
            #expect(
                result.requests[0].error?.message.hasPrefix(
                    "more than \(expected - 1) redirects") ?? false)
        }
    }

    @Test func `with 0, a redirect is a response like any other`() async throws {
        let transport = Self.redirecting(to: "not a / place")
        let text = file(
            #"{ "url": "/a", "redirects": 0, "#
                + #""expect": { "status": 302, "headers": { "Location": "not a / place" } } }"#)
        #expect(try await load(text).run(transport: transport).isSuccess)
        #expect(transport.requests.count == 1)
    }

    @Test func `whoever expects a redirect is told why it is not there`() async throws {
        let result = try await load(file(#"{ "url": "/a", "expect": { "status": 302 } }"#))
            .run(transport: Self.redirecting(to: "/b"))
        #expect(
            result.requests[0].error?.message == """
                expected status 302, got 200 OK after a redirect was followed; "redirects": 0 \
                follows none
                """)
    }

    @Test func `expectations and captures see the last response, its address and the way`()
        async throws
    {
        let text = file(
            #"{ "url": "/a", "expect": { "url": { "endsWith": "/b" }, "redirects": 1 }, "#
                + #""captures": { "at": { "url": true } } }"#,
            #"{ "name": "b", "url": "/a", "expect": { "redirects": ["http://test/b"] } }"#,
            #"{ "name": "c", "url": "/a", "expect": { "redirects": "#
                + #"{ "length": 1, "contains": { "endsWith": "b" } } } }"#)
        let result = try await load(text).run(transport: Self.redirecting(to: "/b"))
        #expect(result.isSuccess, "\(result.requests.compactMap(\.error))")
        #expect(result.value("at") == "http://test/b")
    }

    @Test func `the redirects share the time of their attempt`() async throws {
        let clock = ManualClock()
        let transport = ScriptedTransport { request in
            clock.advance(by: .milliseconds(400))
            return request.url.target == "/c"
                ? .respond()
                : .respond(
                    status: 302, fields: ["Location": request.url.target == "/a" ? "/b" : "/c"])
        }
        let run = try load(file(#"{ "url": "/a", "timeout": "1s" }"#))
            .bind().start(transport: transport, clock: clock)
        _ = await run.result
        #expect(
            transport.requests.map(\.timeout) == [
                .seconds(1), .milliseconds(600), .milliseconds(200),
            ])
    }

    @Test("O38: a failure after a redirect is no failure before sending: a POST is not repeated")
    func failureAfterRedirect() async throws {
        let transport = ScriptedTransport { request in
            request.url.target == "/a"
                ? .respond(status: 303, fields: ["Location": "/b"])
                : .fail(TransportError(.cannotConnect, "refused", isBeforeSending: true))
        }
        let result = try await load(
            file(
                #"{ "url": "/a", "method": "POST", "retry": { "max": 2, "interval": "0s" } }"#)
        ).run(transport: transport)
        #expect(transport.requests.map(\.method) == ["POST", "GET"])
        #expect(result.requests[0].error?.transportError?.isBeforeSending == false)
    }

    @Test("O08: a queue in code keeps the fields that it calls confidential to their origin")
    func confidentialFields() async throws {
        let transport = Self.redirecting(to: "http://other/b")
        var policy = RequestPolicy()
        policy.confidentialFields = ["x-api-key"]
        let request = HTTPRequest(
            url: try HTTPURL("http://test/a"), fields: ["X-Api-Key": "k", "Accept": "a/b"])
        _ = try await RequestQueue(transport: transport)
            .perform(RequestRecord(request: request, policy: policy))
        #expect(transport.requests.last?.fields.map(\.name) == ["Accept"])
    }

    @Test func `very many redirects by a transport that answers at once do not grow the stack`()
        async throws
    {
        let transport = ScriptedTransport { request in
            .respond(status: 307, fields: ["Location": request.url.target == "/a" ? "/b" : "/a"])
        }
        var policy = RequestPolicy()
        policy.redirectLimit = 20_000
        let queue = RequestQueue(transport: transport)
        let record = RequestRecord(
            request: HTTPRequest(url: try HTTPURL("http://test/a")), policy: policy)
        await #expect(throws: RequestError.self) { try await queue.perform(record) }
        #expect(transport.requests.count == 20_001)
        #expect(record.error?.code == .redirect)
    }

    @Test func `the body of a redirect does not count as the body`() async throws {
        let transport = ScriptedTransport { request in
            request.url.target == "/a"
                ? .respond(
                    status: 302, fields: ["Location": "/b"],
                    body: String(repeating: "x", count: 300_000))
                : .respond(body: "small")
        }
        let text = file(#"{ "url": "/a", "maxBody": "10", "expect": { "text": "small" } }"#)
        #expect(try await load(text).run(transport: transport).isSuccess)
    }
}
