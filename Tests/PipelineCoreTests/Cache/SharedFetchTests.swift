import Synchronization
import TestSupport
import Testing

@testable import PipelineCore

@Suite("Requests for the same at the same time", .timeLimit(.minutes(1)))
struct SharedFetchTests {
    private func start(
        _ cached: CachedScript, _ count: Int, fields: HTTPFields = [:]
    ) throws -> [(recorder: Recorder, exchange: any Exchange)] {
        let request = try get(fields: fields)
        return (0..<count).map { _ in
            let recorder = Recorder()
            return (recorder, cached.transport.start(request, receiver: recorder))
        }
    }

    @Test("They share one exchange, and each gets all of it")
    func shared() async throws {
        let cached = CachedScript { _ in .hold }
        let all = try start(cached, 10)
        let other = try start(cached, 1, fields: ["Accept": "text/plain"])
        try await cached.script.waitForRequests(count: 2)
        for held in cached.script.held { held.resume(with: .respond(body: "a")) }
        var uses: [ExchangeMetrics.CacheUse?] = []
        for (recorder, _) in all + other {
            let record = await recorder.finished()
            #expect(record.bodyText == "a")
            #expect(record.heads.count == 1)
            uses.append(record.metrics?.cacheUse)
        }
        #expect(uses == [nil] + Array(repeating: .shared, count: 9) + [nil])
        #expect(cached.count == 2)
    }

    @Test("One that cancels has its end at once and leaves the others alone; the last ends it")
    func cancelled() async throws {
        let cached = CachedScript { _ in .hold }
        let all = try start(cached, 3)
        try await cached.script.waitForRequests(count: 1)
        let held = try #require(cached.script.held.first)
        for (index, one) in all.enumerated() {
            #expect(!held.isOver)
            one.exchange.cancel()
            one.exchange.cancel()
            #expect(one.recorder.record.error?.code == .cancelled)
            #expect(one.recorder.record.results.count == 1)
            #expect(all.dropFirst(index + 1).allSatisfy { $0.recorder.record.results.isEmpty })
        }
        #expect(held.isOver)
        let next = try start(cached, 1)
        try await cached.script.waitForRequests(count: 2)
        cached.script.held.last?.resume(with: .respond(body: "b"))
        #expect(await next[0].recorder.finished().bodyText == "b")
    }

    @Test("A cancel before the cache was looked at keeps the server from being asked")
    func cancelledAtOnce() async throws {
        let cached = CachedScript { _ in .respond() }
        for _ in 0..<50 {
            let one = try start(cached, 1)
            one[0].exchange.cancel()
            let record = await one[0].recorder.finished()
            #expect(record.results.count == 1)
        }
        #expect(try await cached.get().status == 200)
    }

    @Test("A failure is everybody's")
    func failed() async throws {
        let cached = CachedScript { _ in .hold }
        let all = try start(cached, 3)
        try await cached.script.waitForRequests(count: 1)
        cached.script.held.first?.resume(with: .fail(TransportError(.connectionLost, "lost")))
        for (recorder, _) in all {
            #expect(await recorder.finished().error?.code == .connectionLost)
        }
    }

    @Test(
        "A response that is for one request only is shared with nobody",
        arguments: ["no-store", "no-cache"])
    func unshared(directive: String) async throws {
        let cached = CachedScript { _ in .hold }
        let all = try start(cached, 3)
        try await cached.script.waitForRequests(count: 1)
        let answer = ScriptedTransport.Step.respond(
            fields: ["Cache-Control": directive, "ETag": "a"], body: "x")
        cached.script.held.first?.resume(with: answer)
        try await cached.script.waitForRequests(count: 3)
        for held in cached.script.held { held.resume(with: answer) }
        for (recorder, _) in all {
            let record = await recorder.finished()
            #expect(record.bodyText == "x")
            #expect(record.metrics?.cacheUse == nil)
        }
    }

    @Test("One that comes amid the body gets it from the beginning, however it is stored")
    func late() async throws {
        let folder = try TemporaryFolder()
        for cache in [ResponseCache.memory(limit: 1 << 20), try .disk(folder: folder.path)] {
            let pieces = Pieces(fields: ["Cache-Control": "max-age=60"])
            let transport = CachingTransport(pieces, cache: cache, user: nil) { cacheEpoch }
            let first = Recorder()
            _ = transport.start(try get(), receiver: first)
            await pieces.started.wait()
            var late: [Recorder] = []
            for number in 0..<40 {
                pieces.send([UInt8](repeating: UInt8(number), count: 5_000))
                let recorder = Recorder()
                _ = transport.start(try get(), receiver: recorder)
                late.append(recorder)
            }
            pieces.finish()
            let body = await first.finished().body
            #expect(body.count == 200_000)
            for recorder in late {
                let record = await recorder.finished()
                #expect(record.body == body)
                #expect(record.heads.count == 1)
                #expect(record.results.count == 1)
                #expect(record.metrics?.cacheUse == .shared)
            }
            #expect(pieces.count == 1)
            #expect(cache.body(for: try get()) == body)
        }
    }

    @Test("Joining and leaving at random, from many threads: each has one end and a whole body")
    func random() async throws {
        let folder = try TemporaryFolder()
        let seed = printedSeed("joining and leaving shared fetches")
        for cache in [ResponseCache.memory(limit: 4_000), try .disk(folder: folder.path)] {
            let cached = CachedScript(cache) { request in
                // Fresh, stale at once, and for nobody else.
                let directive = request.url.target.hasSuffix("1") ? "max-age=9" : "max-age=0"
                return .respond(
                    fields: [
                        "Cache-Control": request.url.target.hasSuffix("2") ? "no-store" : directive,
                        "ETag": "\"a\"",
                    ], body: request.url.target)
            }
            await withTaskGroup(of: Void.self) { group in
                for number in 0..<400 {
                    group.addTask {
                        var generator = SeededGenerator(seed: seed &+ UInt64(number))
                        let target = "/\(Int.random(in: 0..<6, using: &generator))"
                        guard let request = try? get(target) else { return }
                        let recorder = Recorder()
                        let exchange = cached.transport.start(request, receiver: recorder)
                        for _ in 0..<Int.random(in: 0..<4, using: &generator) { await Task.yield() }
                        if Bool.random(using: &generator) { exchange.cancel() }
                        let record = await recorder.finished()
                        #expect(record.results.count == 1, "seed \(seed)")
                        #expect(record.heads.count <= 1, "seed \(seed)")
                        if let error = record.error {
                            #expect(error.code == .cancelled, "seed \(seed)")
                        } else {
                            #expect(record.bodyText == target, "seed \(seed)")
                        }
                    }
                }
            }
        }
    }

    @Test("One that comes amid a body too large to be kept still gets all")
    func lateForTooMuch() async throws {
        let pieces = Pieces(fields: ["Cache-Control": "max-age=60"])
        let cache = ResponseCache.memory(limit: 10_000)
        let transport = CachingTransport(pieces, cache: cache, user: nil) { cacheEpoch }
        let (first, second) = (Recorder(), Recorder())
        _ = transport.start(try get(), receiver: first)
        await pieces.started.wait()
        pieces.send([UInt8](repeating: 1, count: 9_000))
        _ = transport.start(try get(), receiver: second)
        pieces.send([UInt8](repeating: 2, count: 9_000))
        pieces.finish()
        #expect(await first.finished().body.count == 18_000)
        #expect(await second.finished().body == first.record.body)
        #expect(cache.size == 0)
    }
}

/// A transport whose one body comes as a test says.
private final class Pieces: Transport, Exchange {
    let started = Gate()
    private let fields: HTTPFields
    private let receivers = Mutex<[any ResponseReceiver]>([])

    init(fields: HTTPFields) {
        self.fields = fields
    }

    var count: Int { receivers.withLock(\.count) }

    func start(_ request: HTTPRequest, receiver: any ResponseReceiver) -> any Exchange {
        receivers.withLock { $0.append(receiver) }
        receiver.receiveHead(HTTPResponse.Head(status: 200, fields: fields))
        started.open()
        return self
    }

    func send(_ bytes: [UInt8]) {
        _ = receivers.withLock(\.first)?.receiveBody(bytes.span.bytes)
    }

    func finish() {
        receivers.withLock(\.first)?.finish(.success(ExchangeMetrics()))
    }

    func cancel() {}
}
