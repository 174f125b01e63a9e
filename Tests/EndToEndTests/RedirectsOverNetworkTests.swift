import PipelineCore
import PipelineCurl
import PipelineJSON
import TestSupport
import Testing

@Suite("Redirects over a real network", .timeLimit(.minutes(1)))
struct RedirectsOverNetworkTests {
    @Test(
        "O07: what is sent after each redirect",
        arguments: [
            (301, "POST", "GET"), (302, "POST", "GET"), (303, "POST", "GET"), (307, "POST", "POST"),
            (308, "POST", "POST"), (301, "PUT", "PUT"), (302, "PUT", "PUT"), (303, "PUT", "GET"),
        ])
    func methods(status: Int, method: String, expected: String) async throws {
        let server = try ByteServer.answering { request in
            request.target == "/a"
                ? ByteServer.http(status: status, fields: ["location": "/b"]) : ByteServer.http()
        }
        defer { server.stop() }
        let result = try await run(
            server, #"{ "url": "/a", "method": "\#(method)", "body": { "text": "x=1" } }"#)
        #expect(result.isSuccess)
        let last = try #require(server.requests.last)
        #expect(server.requests.map(\.target) == ["/a", "/b"])
        #expect(last.method == expected)
        #expect(last.bodyText == (expected == "GET" ? "" : "x=1"))
        for name in ["Content-Length", "Content-Type"] {
            #expect((last.fields[name] == nil) == (expected == "GET"), "\(name)")
        }
        #expect(result.requests[0].record?.request?.method == expected)
        #expect(result.requests[0].record?.request?.url.target == "/b")
    }

    @Test("O08: credentials do not follow to another port, and do not come back")
    func credentials() async throws {
        let other = Locked("")
        let server = try ByteServer.answering { request in
            request.target == "/a"
                ? ByteServer.http(status: 302, fields: ["Location": other.value])
                : ByteServer.http()
        }
        defer { server.stop() }
        let back = server.url("/b")
        let foreign = try ByteServer.answering { _ in
            ByteServer.http(status: 302, fields: ["Location": back])
        }
        defer { foreign.stop() }
        other.change { $0 = foreign.url("/x") }
        let result = try await run(
            server,
            #"{ "url": "/a", "auth": { "bearer": "t0ken" }, "cookies": { "c": "1" }, "#
                + #""headers": { "X-Api-Key": "{{key}}", "Accept": "a/b" } }"#,
            keys: #""secrets": ["key"],"#, variables: ["key": "abcdefgh"])
        #expect(result.isSuccess)
        let names = ["Authorization", "Cookie", "X-Api-Key", "Accept"]
        let seen = (server.requests + foreign.requests).map { request in
            names.filter { request.fields[$0] != nil }
        }
        #expect(seen == [names, ["Accept"], ["Accept"]])
    }

    @Test("O08 (ii): credentials do not follow to another host on the same port")
    func otherHost() async throws {
        let place = Locked("")
        let server = try ByteServer.answering { request in
            request.target == "/a"
                ? ByteServer.http(status: 302, fields: ["Location": place.value])
                : ByteServer.http()
        }
        defer { server.stop() }
        place.change { $0 = "http://other.test:\(server.port)/b" }
        var options = RunOptions()
        options.adjustConnection = { [port = server.port] in
            $0.resolutions = ["other.test:\(port):127.0.0.1"]
        }
        let result = try await pipeline(server, #"{ "url": "/a", "auth": { "bearer": "t0ken" } }"#)
            .run(transport: CurlTransport(), options: options)
        #expect(result.isSuccess, "\(result.requests.compactMap(\.error))")
        #expect(server.requests.map { $0.fields["Authorization"] } == ["Bearer t0ken", nil])
    }

    @Test("O09: a Secure cookie goes over plain http to the own machine only")
    func secureCookies() async throws {
        let server = try ByteServer.answering { request in
            request.target == "/a"
                ? ByteServer.http(fields: ["Set-Cookie": "sid=9; Path=/; Secure"])
                : ByteServer.http()
        }
        defer { server.stop() }
        let requests = { (host: String) in
            #"{ "url": "http://\#(host):\#(server.port)/a" }, "#
                + #"{ "url": "http://\#(host):\#(server.port)/b" }"#
        }
        var options = RunOptions()
        options.adjustConnection = { [port = server.port] in
            $0.resolutions = ["other.test:\(port):127.0.0.1"]
        }
        for host in ["127.0.0.1", "other.test"] {
            let result = try await pipeline(server, requests(host))
                .run(transport: CurlTransport(), options: options)
            #expect(result.isSuccess, "\(result.requests.compactMap(\.error))")
        }
        #expect(server.requests.map { $0.fields["Cookie"] } == [nil, "sid=9", nil, nil])
    }

    @Test("O38: a POST whose redirect leads nowhere was delivered once")
    func redirectToNowhere() async throws {
        let closed = try ByteServer { _ in }
        closed.stop()
        let place = closed.url("/b")
        let server = try ByteServer.answering { _ in
            ByteServer.http(status: 303, fields: ["Location": place])
        }
        defer { server.stop() }
        let result = try await run(
            server, #"{ "url": "/a", "method": "POST", "retry": { "max": 2, "interval": "1ms" } }"#)
        #expect(result.requests[0].error?.transportError?.code == .cannotConnect)
        #expect(server.requests.count == 1)
    }

    @Test("O09: a cookie that came with a redirect goes to its host, and to no other run")
    func cookies() async throws {
        let server = try ByteServer.answering { request in
            request.target == "/login"
                ? ByteServer.http(
                    status: 302,
                    fields: ["Set-Cookie": "sid=9; Path=/", "location": "/home"])
                : ByteServer.http()
        }
        defer { server.stop() }
        let requests = #"{ "url": "/login", "method": "POST" }, { "url": "/me" }"#
        for _ in 1...2 { #expect(try await run(server, requests).isSuccess) }
        #expect(
            server.requests.map { $0.fields["Cookie"] } == [
                nil, "sid=9", "sid=9", nil, "sid=9", "sid=9",
            ])
    }

    @Test("O09: a cookie that came with a 401 counts, and its attributes can be looked at")
    func refusal() async throws {
        let server = try ByteServer.answering { request in
            request.target == "/a"
                ? ByteServer.http(
                    status: 401,
                    fields: [
                        "Set-Cookie":
                            "sid=9; Path=/; Expires=Wed, 21 Oct 2099 07:28:00 GMT; HttpOnly"
                    ])
                : ByteServer.http()
        }
        defer { server.stop() }
        let result = try await run(
            server,
            #"{ "url": "/a", "expect": { "status": 401, "cookies": { "sid": { "eq": "9", "#
                + #""path": "/", "httpOnly": true } } }, "captures": { "end": "#
                + #"{ "cookie": "sid", "attribute": "expires" } } }"#,
            #"{ "url": "/b", "cookies": { "own": "1" } }"#, #"{ "url": "/c" }"#)
        #expect(result.isSuccess, "\(result.requests.compactMap(\.error))")
        #expect(result.value("end") == "Wed, 21 Oct 2099 07:28:00 GMT")
        let sent = server.requests.map { Set(($0.fields["Cookie"] ?? "").split(separator: "; ")) }
        #expect(sent == [[], ["sid=9", "own=1"], ["sid=9"]], "the request's own is not stored")
    }

    @Test("O14: a redirect to an IPv6 literal is followed, brackets and all")
    func literals() async throws {
        let target = try ByteServer.answering(.ipv6) { _ in ByteServer.http() }
        defer { target.stop() }
        let place = target.url("/b")
        let server = try ByteServer.answering { _ in
            ByteServer.http(status: 307, fields: ["Location": place])
        }
        defer { server.stop() }
        let result = try await run(server, #"{ "url": "/a" }"#)
        #expect(result.isSuccess, "\(result.requests.compactMap(\.error))")
        #expect(target.requests.first?.fields["Host"] == target.authority)
    }
}
