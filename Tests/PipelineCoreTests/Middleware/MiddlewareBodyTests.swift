import TestSupport
import Testing

@testable import PipelineCore

@Suite("Middleware and bodies", .timeLimit(.minutes(1)))
struct MiddlewareBodyTests {
    private let request: HTTPRequest

    init() throws {
        request = try .get("http://test/a")
    }

    /// Brings a body in pieces from a thread of its own, as long as it is wanted.
    private struct Pieces: Transport {
        let count: Int
        let cancelled = Gate()

        func start(_ request: HTTPRequest, receiver: any ResponseReceiver) -> any Exchange {
            Task.detached {
                receiver.receiveHead(HTTPResponse.Head(status: 200))
                for number in 0..<count {
                    guard receiver.receiveBody([UInt8(number % 256)].span.bytes) else {
                        return receiver.finish(.failure(TransportError(.refusedByReceiver, "no")))
                    }
                    if number % 50 == 0 { await Task.yield() }
                }
                receiver.finish(.success(ExchangeMetrics()))
            }
            return Cancelling(gate: cancelled)
        }
    }

    private struct Cancelling: Exchange {
        let gate: Gate

        func cancel() { gate.open() }
    }

    @Test(
        "passes a body on whole and in order, however late it decides", arguments: [0, 1, 20, 500])
    func pieces(_ yields: Int) async throws {
        let expected = (0..<2_000).map { UInt8($0 % 256) }
        for _ in 0..<20 {
            let transport = Pieces(count: 2_000).using([Hesitating(yields: yields)])
            let record = await transport.record(request)
            #expect(record.body == expected)
            #expect(record.heads.count == 1)
            #expect(record.results.count == 1)
            #expect(record.error == nil)
        }
    }

    @Test("hears of the end of a response also after it has read it")
    func endOfCollected() async throws {
        struct Late: Middleware {
            let sizes = Locked<[Int]>([])

            func intercept(_ request: HTTPRequest, next: Next) async throws -> IncomingResponse {
                let response = try await next(request)
                let whole = try await response.collect()
                response.onEnd { end in
                    if case .success = end { sizes.change { $0.append(whole.body.count) } }
                }
                return IncomingResponse(whole)
            }
        }
        let late = Late()
        let record = await Pieces(count: 3).using([late]).record(request)
        #expect(record.body == [0, 1, 2])
        #expect(late.sizes.value == [3])
    }

    @Test("ends the exchange when the receiver wants no more", arguments: [0, 500])
    func refused(_ yields: Int) async throws {
        let recorder = Recorder(onBody: { $0 < 10 })
        let transport = Pieces(count: 2_000).using([Hesitating(yields: yields)])
        let exchange = transport.start(request, receiver: recorder)
        let record = await recorder.finished()
        #expect(record.error?.code == .refusedByReceiver)
        #expect(record.body.count == 10)
        withExtendedLifetime(exchange) {}
    }

    /// Brings a part, and the others once a gate is open.
    private struct Parts: Transport, Exchange {
        let gate = Gate()
        let begun = Locked(0)

        func start(_ request: HTTPRequest, receiver: any ResponseReceiver) -> any Exchange {
            Task.detached {
                receiver.receiveHead(HTTPResponse.Head(status: 200))
                for number in 0..<10 {
                    if number == 1 { await gate.wait() }
                    begun.change { $0 += 1 }
                    let isWanted = receiver.receiveBody([UInt8(number)].span.bytes)
                    #expect(isWanted)
                }
                receiver.finish(.success(ExchangeMetrics()))
            }
            return self
        }

        func cancel() {}
    }

    @Test("has the transport wait while a slow receiver takes what was kept")
    func slowReceiver() async throws {
        let inner = Parts()
        let recorder = Recorder(onBody: { size in
            guard size == 1 else { return true }
            inner.gate.open()
            // Time enough for a transport that does not wait.
            for _ in 0..<1_000_000 where inner.begun.value < 3 {}
            #expect(inner.begun.value < 3)
            return true
        })
        _ = inner.using([Hesitating(yields: 0)]).start(request, receiver: recorder)
        #expect(await recorder.finished().body == Array(0..<10))
    }
}
