import PipelineCore
import PipelineJSON
import TestSupport
import Testing

@Suite("TokenAuthorization", .timeLimit(.minutes(1)))
struct TokenAuthorizationTests {
    private let origin: HTTPURL

    init() throws {
        origin = try HTTPURL("http://test/")
    }

    /// Knows one token at a time; `/token` gives the next one.
    private func server(
        accepting valid: Locked<Int>, holdsRefresh: Bool = false
    )
        -> ScriptedTransport
    {
        ScriptedTransport { request in
            if request.url.target == "/token" {
                if holdsRefresh { return .hold }
                return .respond(body: "t\(valid.change { $0 += 1; return $0 })")
            }
            let isRight = request.fields["Authorization"] == "Bearer t\(valid.value)"
            return .respond(status: isRight ? 200 : 401, body: request.url.target)
        }
    }

    private func authorization(
        token: String? = nil, calls: Locked<Int>? = nil
    )
        -> TokenAuthorization
    {
        TokenAuthorization(for: origin, token: token) { next in
            calls?.change { $0 += 1 }
            let response = try await next(.post("http://test/token")).collect()
            guard response.status == 200 else {
                throw TransportError(.other, "the token was not renewed")
            }
            return String(decoding: response.body, as: UTF8.self)
        }
    }

    private func targets(_ transport: ScriptedTransport) -> [String] {
        transport.requests.map {
            "\($0.url.target) \($0.fields["Authorization"]?.dropFirst(7) ?? "-")"
        }
    }

    @Test("asks for a token first when it has none, and then uses it")
    func first() async throws {
        let inner = server(accepting: Locked(0))
        let transport = inner.using([authorization()])
        for _ in 0..<2 { #expect(await transport.record(try .get("http://test/a")).status == 200) }
        #expect(targets(inner) == ["/token -", "/a t1", "/a t1"])
    }

    @Test("sends a refused request again, once, with a new token and its body")
    func renewed() async throws {
        let inner = server(accepting: Locked(1))
        let transport = inner.using([authorization(token: "old")])
        let record = await transport.record(try .post("http://test/a", text: "body"))
        #expect(record.status == 200)
        #expect(record.heads.count == 1)
        #expect(targets(inner) == ["/a old", "/token -", "/a t2"])
        #expect(inner.requests.last?.body == .bytes(Array("body".utf8)))
    }

    @Test("hands a second refusal on")
    func refusedTwice() async throws {
        let inner = ScriptedTransport { _ in .respond(status: 401, body: "no") }
        let transport = inner.using([
            TokenAuthorization(for: origin, token: "old") { _ in "new" }
        ])
        let record = await transport.record(try .get("http://test/a"))
        #expect(record.status == 401)
        #expect(record.bodyText == "no")
        #expect(targets(inner) == ["/a old", "/a new"])
    }

    @Test("renews once for all that are refused or begun meanwhile")
    func once() async throws {
        let valid = Locked(1)
        let calls = Locked(0)
        let inner = server(accepting: valid, holdsRefresh: true)
        let transport = inner.using([authorization(token: "old", calls: calls)])
        let queue = RequestQueue(transport: transport, concurrency: 50)
        let records = try (0..<50).map { _ in RequestRecord(request: try .get("http://test/a")) }
        queue.enqueue(records)
        try await inner.waitForHeld(count: 1)
        // One asks for a token; not to wait for something, but that others are refused meanwhile.
        for _ in 0..<1_000 { await Task.yield() }
        valid.change { $0 = 7 }
        inner.held.first?.resume(with: .respond(body: "t7"))
        try await queue.waitUntilIdle()
        #expect(records.allSatisfy { $0.state == .success })
        #expect(calls.value == 1)
        #expect(inner.requests.count { $0.url.target == "/token" } == 1)
    }

    @Test("goes on with the refresh when one that waits for it is cancelled")
    func cancelled() async throws {
        let valid = Locked(7)
        let inner = server(accepting: valid, holdsRefresh: true)
        let transport = inner.using([authorization(token: "old")])
        let queue = RequestQueue(transport: transport, concurrency: 2)
        let (one, other) = (
            RequestRecord(request: try .get("http://test/a")),
            RequestRecord(request: try .get("http://test/b"))
        )
        queue.enqueue([one, other])
        try await inner.waitForHeld(count: 1)
        queue.cancel(one)
        #expect(one.state == .failed)
        #expect(inner.held.first?.isOver == false)
        inner.held.first?.resume(with: .respond(body: "t7"))
        try await queue.waitUntilIdle()
        #expect(other.state == .success)
        #expect(one.error?.code == .cancelled)
        #expect(
            !inner.requests.contains {
                $0.url.target == "/a" && $0.fields["Authorization"] == "Bearer t7"
            })
    }

    @Test("fails those that wait when the refresh fails, and tries again for the next")
    func failed() async throws {
        let tries = Locked(0)
        let inner = ScriptedTransport { request in
            if request.url.target == "/token" {
                return tries.change {
                    $0 += 1; return $0
                } == 1
                    ? .respond(status: 500) : .respond(body: "t1")
            }
            return .respond()
        }
        let transport = inner.using([authorization()])
        let first = await transport.record(try .get("http://test/a"))
        #expect(first.error?.message == "the token was not renewed")
        #expect(await transport.record(try .get("http://test/a")).status == 200)
    }

    @Test("gives the token to no other origin, also when a redirect leads there")
    func otherOrigin() async throws {
        let inner = ScriptedTransport { request in
            request.url.host == "test"
                ? .respond(status: 302, fields: ["Location": "http://other/b"]) : .respond()
        }
        let queue = RequestQueue(
            transport: inner.using([authorization(token: "t1")]))
        _ = try await queue.perform(try .get("http://test/a"))
        _ = try await queue.perform(try .get("http://test:8080/c"))
        #expect(targets(inner) == ["/a t1", "/b -", "/c -", "/b -"])
    }

    @Test("gives no token to a request that comes back from another origin")
    func backFromOtherOrigin() async throws {
        let inner = ScriptedTransport { request in
            switch request.url.target {
            case "/a": .respond(status: 302, fields: ["Location": "http://other/b"])
            case "/b": .respond(status: 302, fields: ["Location": "http://test/delete"])
            default: .respond()
            }
        }
        let transport = inner.using([authorization(token: "t1")])
        _ = try await RequestQueue(transport: transport).perform(try .get("http://test/a"))
        _ = try await Downloader(transport: transport).download(try .get("http://test/a"))
        #expect(
            targets(inner) == ["/a t1", "/b -", "/delete -", "/a t1", "/b -", "/delete -"])
    }

    @Test("sends nothing with an empty token, which is a refresh that failed")
    func emptyToken() async throws {
        let tokens = Locked(["", "t1"])
        let inner = ScriptedTransport { _ in .respond() }
        let transport = inner.using([
            TokenAuthorization(for: origin) { _ in tokens.change { $0.removeFirst() } }
        ])
        let first = await transport.record(try .get("http://test/a"))
        #expect(first.error?.message == "the refresh brought an empty token")
        #expect(await transport.record(try .get("http://test/a")).status == 200)
        #expect(targets(inner) == ["/a t1"])
    }

    @Test("leaves an Authorization that a request has already")
    func ownAuthorization() async throws {
        let inner = ScriptedTransport { _ in .respond(status: 401) }
        let transport = inner.using([authorization(token: "t1")])
        let request = try HTTPRequest.get(
            "http://test/a", fields: ["authorization": "Basic YTpi"])
        #expect(await transport.record(request).status == 401)
        #expect(inner.requests.map(\.fields) == [request.fields])
    }
}
