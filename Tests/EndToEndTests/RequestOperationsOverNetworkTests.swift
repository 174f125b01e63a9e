import Foundation
import PipelineCore
import PipelineCurl
import PipelineFoundation
import PipelineStub
import TestSupport
import Testing

@Suite("Requests as operations over a real network", .timeLimit(.minutes(1)))
struct RequestOperationsOverNetworkTests {
    @Test("fifty, two at a time as in the first seed: none times out while it waits")
    func twoAtATime() async throws {
        // All of them take 25 times as long as each, and twice as long as each may take.
        let route = try StubRoute(path: "/a", answer: StubAnswer(delay: .milliseconds(60)))
        let server = try StubServer(routes: [route])
        defer { server.stop() }
        let queue = OperationQueue()
        queue.maxConcurrentOperationCount = 2
        let transport = CurlTransport()
        let states = Locked<[RequestState]>([])
        let (ends, continuation) = AsyncStream.makeStream(of: Void.self)
        let start = ContinuousClock.now
        let operations = try (0..<50).map { index in
            var request = try HTTPRequest.get("\(server.baseURL)/a", query: ["n": "\(index)"])
            request.timeout = .milliseconds(750)
            return RequestOperation(RequestRecord(request: request), transport: transport) {
                state, _ in
                if states.change({
                    $0.append(state); return $0.count
                }) == 50 {
                    continuation.finish()
                }
            }
        }
        for operation in operations { queue.addOperation(operation) }
        for await _ in ends {}
        #expect(start.duration(to: .now) > .milliseconds(1_400))
        #expect(states.value == Array(repeating: .success, count: 50))
        #expect(Set(server.requests.map(\.target)).count == 50)
    }

    @Test("cancels the request in flight when the operation is cancelled")
    func cancelled() async throws {
        let server = try ByteServer { connection in
            while connection.readRequest() != nil { connection.waitForPeerClose() }
        }
        defer { server.stop() }
        let queue = FailFastOperationQueue()
        let ended = Gate()
        let record = RequestRecord(request: try .get(server.url("/a")))
        let operation = RequestOperation(record, transport: CurlTransport()) { _, _ in ended.open()
        }
        queue.addOperation(operation)
        _ = await server.waitForRequests(1)
        operation.cancel()
        await ended.wait()
        #expect(record.state == .failed)
        #expect(record.error?.code == .cancelled)
    }
}
