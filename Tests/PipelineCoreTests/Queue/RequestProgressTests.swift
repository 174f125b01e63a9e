import TestSupport
import Testing

@testable import PipelineCore

@Suite("What a request in flight is at", .timeLimit(.minutes(1)))
struct RequestProgressTests {
    /// A transport that hands over who takes the answers.
    private final class Handed: Transport, Exchange {
        let receivers: AsyncStream<any ResponseReceiver>
        private let continuation: AsyncStream<any ResponseReceiver>.Continuation

        init() {
            (receivers, continuation) = AsyncStream.makeStream()
        }

        func start(_ request: HTTPRequest, receiver: any ResponseReceiver) -> any Exchange {
            continuation.yield(receiver)
            return self
        }

        func cancel() {}
    }

    @Test("It tells the attempt, the wait before it and how much of the body has come")
    func course() async throws {
        let clock = ManualClock()
        let transport = Handed()
        let queue = RequestQueue(transport: transport, time: Timekeeper(clock))
        var policy = RequestPolicy()
        policy.retry = RetryPolicy(limit: 2, interval: .seconds(1))
        let record = RequestRecord(
            name: "a", request: HTTPRequest(url: try HTTPURL("http://test/")),
            policy: policy)
        func expect(_ attempt: Int, _ phase: RequestProgress.Phase) {
            #expect(
                record.progress
                    == RequestProgress(attempt: attempt, attemptLimit: 3, phase: phase))
        }
        #expect(record.progress == nil)
        queue.enqueue(record)
        var receivers = transport.receivers.makeAsyncIterator()

        let first = try #require(await receivers.next())
        expect(1, .receiving(0, of: nil))
        first.receiveHead(HTTPResponse.Head(status: 200, fields: ["Content-Length": "10"]))
        _ = first.receiveBody([UInt8](repeating: 1, count: 4).span.bytes)
        expect(1, .receiving(4, of: 10))
        first.finish(.failure(TransportError(.connectionLost, "cut")))

        await clock.waitForSleepers()
        expect(2, .waiting(.seconds(1)))
        clock.advance(by: .milliseconds(400))
        expect(2, .waiting(.milliseconds(600)))
        clock.advance(by: .milliseconds(600))

        let second = try #require(await receivers.next())
        expect(2, .receiving(0, of: nil))
        second.receiveHead(HTTPResponse.Head(status: 200))
        second.finish(.success(ExchangeMetrics()))
        try await queue.waitUntilIdle()
        #expect(record.progress == nil)
        #expect(record.state == .success)
    }
}
