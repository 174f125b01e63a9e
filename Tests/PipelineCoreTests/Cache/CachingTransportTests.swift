import TestSupport
import Testing

@testable import PipelineCore

/// A caching transport in front of a script, at a time that the test moves.
struct CachedScript: Sendable {
    let script: ScriptedTransport
    let transport: CachingTransport
    let cache: ResponseCache
    private let clock = Locked(cacheEpoch)

    init(
        _ cache: ResponseCache = .memory(), user: String = "",
        script: @escaping @Sendable (HTTPRequest) -> ScriptedTransport.Step
    ) {
        self.cache = cache
        self.script = ScriptedTransport(script)
        transport = CachingTransport(self.script, cache: cache, user: user) { [clock] in
            clock.value
        }
    }

    /// Lets that many seconds pass.
    func pass(_ seconds: Int) { clock.change { $0 += seconds } }

    func get(
        _ target: String = "/", method: String = "GET", _ fields: HTTPFields = [:]
    ) async throws -> Recorder.Record {
        await transport.record(
            try PipelineCoreTests.get(target, method: method, fields: fields))
    }

    /// How often the server was asked.
    var count: Int { script.requests.count }
}

@Suite("A transport with a cache", .timeLimit(.minutes(1)))
struct CachingTransportTests {
    @Test("What is fresh comes without the server, with its age and its mark")
    func fresh() async throws {
        let cached = CachedScript { _ in
            .respond(fields: ["Cache-Control": "max-age=60"], body: "a")
        }
        let first = try await cached.get()
        #expect(first.metrics?.cacheUse == nil)
        cached.pass(59)
        let second = try await cached.get()
        #expect(cached.count == 1)
        #expect(second.bodyText == "a")
        #expect(second.metrics?.cacheUse == .stored)
        #expect(second.metrics?.decodedBodySize == 1)
        #expect(second.heads.first?.fields["Age"] == "59")
        cached.pass(1)
        #expect(try await cached.get().metrics?.cacheUse == nil)
        #expect(cached.count == 2)
    }

    @Test("Behind what adds credentials, it gives nobody the response of another's token")
    func behindAuthorization() async throws {
        let cached = CachedScript { request in
            .respond(
                fields: ["Cache-Control": "max-age=60"],
                body: request.fields["Authorization"] ?? "")
        }
        let url = try HTTPURL("http://example.org/")
        for token in ["ada", "bob", "ada"] {
            let transport = cached.transport.using([
                TokenAuthorization(for: url, token: token) { _ in token }
            ])
            let record = await transport.record(HTTPRequest(url: url))
            #expect(record.bodyText == "Bearer \(token)")
        }
        #expect(cached.count == 2)
    }

    /// Answers an entity tag by a 304, as a server should.
    private static func answer(_ request: HTTPRequest, tag: String) -> ScriptedTransport.Step {
        request.fields["If-None-Match"] == tag
            ? .respond(status: 304, fields: ["ETag": tag, "X": "2", "Cache-Control": "max-age=9"])
            : .respond(
                fields: ["ETag": tag, "X": "1", "Cache-Control": "max-age=60"], body: "body \(tag)")
    }

    @Test("What is stale is validated, and fresh again by the words of the 304")
    func validated() async throws {
        let folder = try TemporaryFolder()
        for cache in [ResponseCache.memory(), try .disk(folder: folder.path)] {
            let cached = CachedScript(cache) { Self.answer($0, tag: "\"a\"") }
            _ = try await cached.get()
            cached.pass(60)
            let second = try await cached.get()
            #expect(second.status == 200)
            #expect(second.bodyText == "body \"a\"")
            #expect(second.heads.first?.fields["X"] == "2")
            #expect(second.metrics?.cacheUse == .validated)
            cached.pass(8)
            #expect(try await cached.get().metrics?.cacheUse == .stored)
            #expect(cached.count == 2)
            cached.pass(1)
            #expect(try await cached.get().metrics?.cacheUse == .validated)
            #expect(cached.count == 3)
        }
    }

    @Test("A new answer to a validation takes the old one's place")
    func replaced() async throws {
        let tag = Locked("\"a\"")
        let cached = CachedScript { Self.answer($0, tag: tag.value) }
        _ = try await cached.get()
        tag.change { $0 = "\"b\"" }
        cached.pass(60)
        #expect(try await cached.get().bodyText == "body \"b\"")
        #expect(try await cached.get().metrics?.cacheUse == .stored)
        #expect(cached.count == 2)
    }

    @Test("4.3.4: a 304 about another response leads to a request without validators")
    func misunderstood() async throws {
        let cached = CachedScript { request in
            request.fields["If-None-Match"] == nil
                ? .respond(fields: ["ETag": "\"a\""], body: "a")
                : .respond(status: 304, fields: ["ETag": "\"b\""])
        }
        _ = try await cached.get()
        let second = try await cached.get()
        #expect(second.status == 200)
        #expect(second.bodyText == "a")
        #expect(cached.script.requests.map { $0.fields["If-None-Match"] } == [nil, "\"a\"", nil])
    }

    @Test("5.2.1.7: only-if-cached is answered by a 504 without the server")
    func onlyIfCached() async throws {
        let cached = CachedScript { _ in .respond() }
        let record = try await cached.get("/", ["Cache-Control": "only-if-cached"])
        #expect(record.status == 504)
        #expect(record.error == nil)
        #expect(cached.count == 0)
    }

    @Test(
        "RFC 5861: a stale response stands in for a server that cannot answer",
        arguments: [
            .fail(TransportError(.cannotConnect, "refused")), .respond(status: 503, body: "no"),
        ] as [ScriptedTransport.Step])
    func staleIfError(trouble: ScriptedTransport.Step) async throws {
        let isDown = Locked(false)
        let cached = CachedScript { _ in
            isDown.value
                ? trouble
                : .respond(
                    fields: ["ETag": "a", "Cache-Control": "max-age=5, stale-if-error=10"],
                    body: "old")
        }
        _ = try await cached.get()
        isDown.change { $0 = true }
        cached.pass(15)
        let stale = try await cached.get()
        #expect(stale.bodyText == "old")
        #expect(stale.metrics?.cacheUse == .stale)
        cached.pass(1)
        let late = try await cached.get()
        #expect(late.bodyText != "old")
        #expect(late.metrics?.cacheUse == nil)
    }

    @Test("4.4: an unsafe request that did not fail makes what is stored void")
    func invalidated() async throws {
        let cached = CachedScript { request in
            switch request.method {
            case "GET": .respond(fields: ["Cache-Control": "max-age=60"], body: request.url.target)
            case "PUT": .respond(status: 404)
            default: .respond(status: 201, fields: ["Location": "/b"])
            }
        }
        func stored() async throws -> [Bool] {
            var stored: [Bool] = []
            for target in ["/a", "/b", "/c"] {
                stored.append(try await cached.get(target).metrics?.cacheUse == .stored)
            }
            return stored
        }
        #expect(try await stored() == [false, false, false])
        _ = try await cached.get("/a", method: "PUT")
        _ = try await cached.get("/a", method: "HEAD")
        #expect(try await stored() == [true, true, true])
        _ = try await cached.get("/a", method: "POST")
        #expect(try await stored() == [false, false, true])
    }

    @Test("4.4: what was on its way when its address changed is not stored")
    func invalidatedOnTheWay() async throws {
        let cached = CachedScript { $0.method == "GET" ? .hold : .respond() }
        let recorder = Recorder()
        _ = cached.transport.start(try get(), receiver: recorder)
        try await cached.script.waitForRequests(count: 1)
        _ = try await cached.get("/", method: "POST")
        let answer = ScriptedTransport.Step.respond(
            fields: ["Cache-Control": "max-age=60"], body: "old")
        cached.script.held.first?.resume(with: answer)
        #expect(await recorder.finished().bodyText == "old")
        #expect(cached.cache.size == 0)
    }

    @Test("What was on its way by another transport of the cache is not stored or shared either")
    func invalidatedElsewhere() async throws {
        let script: @Sendable (HTTPRequest) -> ScriptedTransport.Step = {
            $0.method == "GET" ? .hold : .respond()
        }
        let answer = ScriptedTransport.Step.respond(
            fields: ["Cache-Control": "max-age=60"], body: "old")
        let cache = ResponseCache.memory()
        let one = CachedScript(cache, script: script)
        let other = CachedScript(cache, script: script)
        let forgetting: [@Sendable () async throws -> Void] = [
            { cache.removeAll() }, { cache.remove(try get().url) },
            { _ = try await other.get("/", method: "POST") },
        ]
        for (index, forget) in forgetting.enumerated() {
            let (early, late) = (Recorder(), Recorder())
            _ = one.transport.start(try get(), receiver: early)
            try await one.script.waitForRequests(count: 2 * index + 1)
            try await forget()
            _ = one.transport.start(try get(), receiver: late)
            try await one.script.waitForRequests(count: 2 * index + 2)
            one.script.held[2 * index].resume(with: answer)
            #expect(await early.finished().bodyText == "old")
            #expect(cache.size == 0)
            one.script.held[2 * index + 1].resume(with: answer)
            #expect(await late.finished().error == nil)
            #expect(cache.size > 0)
            cache.removeAll()
        }
    }

    @Test("A failed or partial body is not stored, nor is one that is refused")
    func partial() async throws {
        let cached = CachedScript(script: { _ in .hold })
        let part = Partial(fields: ["Cache-Control": "max-age=60"])
        let transport = CachingTransport(part, cache: cached.cache, user: nil) { cacheEpoch }
        let record = await transport.record(try get())
        #expect(record.error?.code == .bodyCutShort)
        #expect(record.bodyText == "half")
        #expect(cached.cache.size == 0)
        let other = CachedScript(cached.cache) { _ in
            .respond(fields: ["Cache-Control": "max-age=60"], body: "whole")
        }
        let refusing = Recorder(onBody: { _ in false })
        _ = other.transport.start(try get(), receiver: refusing)
        #expect(await refusing.finished().error?.code == .refusedByReceiver)
        #expect(cached.cache.body(for: try get()) != Array("half".utf8))
    }

    @Test("What no cache may answer goes by as it is")
    func unconcerned() async throws {
        let cached = CachedScript { _ in .respond(fields: ["Cache-Control": "max-age=60"]) }
        for fields in [["Range": "bytes=0-"], ["Cache-Control": "no-store"]] as [HTTPFields] {
            for _ in 0..<2 { _ = try await cached.get("/", fields) }
        }
        for _ in 0..<2 { _ = try await cached.get("/", method: "HEAD") }
        #expect(cached.count == 6)
        #expect(cached.cache.size == 0)
    }

    @Test("What one user was told is not told another, whose cookies cannot be seen")
    func users() async throws {
        let cache = ResponseCache.memory()
        let answer = ScriptedTransport.Step.respond(fields: ["Cache-Control": "max-age=60"])
        let ada = CachedScript(cache, user: "ada") { _ in answer }
        let bob = CachedScript(cache, user: "bob") { _ in answer }
        _ = try await ada.get()
        #expect(try await bob.get().metrics?.cacheUse == nil)
        #expect(try await ada.get().metrics?.cacheUse == .stored)
        #expect(try await ada.get("/", ["Authorization": "a"]).metrics?.cacheUse == nil)
    }
}

/// A transport whose bodies break off.
private struct Partial: Transport, Exchange {
    var fields: HTTPFields

    func start(_ request: HTTPRequest, receiver: any ResponseReceiver) -> any Exchange {
        receiver.receiveHead(HTTPResponse.Head(status: 200, fields: fields))
        _ = receiver.receiveBody(Array("half".utf8).span.bytes)
        receiver.finish(.failure(TransportError(.bodyCutShort, "the body ended early")))
        return self
    }

    func cancel() {}
}
