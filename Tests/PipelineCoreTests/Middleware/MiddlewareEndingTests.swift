import TestSupport
import Testing

@testable import PipelineCore

@Suite("Middleware that is ended", .timeLimit(.minutes(1)))
struct MiddlewareEndingTests {
    private let request: HTTPRequest

    init() throws {
        request = try .get("http://test/a")
    }

    @Test("is cancelled at once before a response, whatever it waits for")
    func cancelled() async throws {
        struct Stuck: Middleware {
            let begun: Gate
            let gate: Gate

            func intercept(_ request: HTTPRequest, next: Next) async throws -> IncomingResponse {
                begun.open()
                // Deaf to cancellation.
                await Task { await gate.wait() }.value
                return try await next(request)
            }
        }
        let (begun, gate) = (Gate(), Gate())
        let inner = ScriptedTransport { _ in .respond() }
        let recorder = Recorder()
        let exchange = inner.using([Stuck(begun: begun, gate: gate)])
            .start(request, receiver: recorder)
        await begun.wait()
        exchange.cancel()
        exchange.cancel()
        #expect(recorder.record.results.count == 1)
        #expect(recorder.record.error?.code == .cancelled)
        gate.open()
        for _ in 0..<100 { await Task.yield() }
        #expect(recorder.record.results.count == 1)
        #expect(inner.requests.isEmpty)
    }

    @Test("cancels the exchange that its request has led to")
    func cancelledInFlight() async throws {
        let inner = Endless(hasHead: false)
        let recorder = Recorder()
        let exchange = inner.using([Hesitating(yields: 0), Hesitating(yields: 0)])
            .start(request, receiver: recorder)
        await inner.begun.wait()
        exchange.cancel()
        #expect(recorder.record.error?.code == .cancelled)
        await inner.cancelled.wait()
    }

    @Test("cancels with the exchange also what it has begun and dropped")
    func cancelledDropped() async throws {
        /// Drops a response whose body never ends, and waits.
        struct Dropping: Middleware {
            let hasDropped = Gate()
            let gate = Gate()

            func intercept(_ request: HTTPRequest, next: Next) async throws -> IncomingResponse {
                _ = try await next(request)
                hasDropped.open()
                await Task { await gate.wait() }.value
                throw CancellationError()
            }
        }
        let endless = Endless()
        let middleware = Dropping()
        let recorder = Recorder()
        let exchange = endless.using([middleware]).start(request, receiver: recorder)
        await middleware.hasDropped.wait()
        exchange.cancel()
        await endless.cancelled.wait()
        #expect(recorder.record.error?.code == .cancelled)
        middleware.gate.open()
    }

    /// Brings a head, if any, and then nothing more.
    private struct Endless: Transport, Exchange {
        var hasHead = true
        let begun = Gate()
        let cancelled = Gate()

        func start(_ request: HTTPRequest, receiver: any ResponseReceiver) -> any Exchange {
            if hasHead { receiver.receiveHead(HTTPResponse.Head(status: 200)) }
            begun.open()
            return self
        }

        func cancel() { cancelled.open() }
    }

    @Test("has the request's timeout for all that it sends, and passes on what is left")
    func timeLeft() async throws {
        let clock = ManualClock()
        let inner = ScriptedTransport { _ in .hold }
        let transport = InterceptedTransport(inner: inner, middleware: Twice(), clock: clock)
        var request = request
        request.timeout = .seconds(5)
        let recorder = Recorder()
        _ = transport.start(request, receiver: recorder)
        try await inner.waitForRequests(count: 1)
        clock.advance(by: .seconds(3))
        inner.held[0].resume(with: .respond())
        try await inner.waitForRequests(count: 2)
        #expect(inner.requests.map(\.timeout) == [.seconds(5), .seconds(2)])
        #expect(inner.requests.map(\.timeSpent) == [.zero, .seconds(3)])
        // The transport tells first.
        clock.advance(by: .seconds(2))
        let error = TransportError(.timedOut, "timed out after 5.0 s, connecting")
        inner.held[1].resume(with: .fail(error))
        #expect(await recorder.finished().error == error)
    }

    @Test("is ended when its time is over, whatever it waits for", arguments: [false, true])
    func timedOut(hasSent: Bool) async throws {
        struct Waiting: Middleware {
            let hasSent: Bool
            let begun = Gate()
            let gate = Gate()

            func intercept(_ request: HTTPRequest, next: Next) async throws -> IncomingResponse {
                if hasSent { _ = try await next(request) }
                begun.open()
                await Task { await gate.wait() }.value
                return try await next(request)
            }
        }
        let clock = ManualClock()
        let inner = ScriptedTransport { _ in .respond() }
        let middleware = Waiting(hasSent: hasSent)
        let transport = InterceptedTransport(inner: inner, middleware: middleware, clock: clock)
        var request = request
        request.timeout = .seconds(5)
        let recorder = Recorder()
        _ = transport.start(request, receiver: recorder)
        await middleware.begun.wait()
        await clock.waitForSleepers()
        clock.advance(by: .seconds(5))
        let record = await recorder.finished()
        #expect(record.error?.code == .timedOut)
        #expect(record.error?.message == "timed out after 5.0 s, waiting for a middleware")
        #expect(record.error?.isBeforeSending == !hasSent)
        middleware.gate.open()
        for _ in 0..<100 { await Task.yield() }
        #expect(recorder.record.results.count == 1)
        #expect(inner.requests.count == (hasSent ? 1 : 0))
    }
}
