import PipelineCore
import PipelineCurl
import TestSupport
import Testing

@Suite("A cancelled task over a real network", .timeLimit(.minutes(1)))
struct TaskCancellationTests {
    /// A server that answers nothing, or begins an answer and never ends it.
    private func server(sendsHead: Bool) throws -> ByteServer {
        try ByteServer { connection in
            while connection.readRequest() != nil {
                if sendsHead { connection.send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nab") }
                connection.waitForPeerClose()
            }
        }
    }

    /// The shortest of five times: on a machine that does other things as well, any single one may
    /// be long.
    private func shortest(_ measure: () async throws -> Duration) async throws -> Duration {
        var shortest = try await measure()
        for _ in 0..<4 { shortest = min(shortest, try await measure()) }
        return shortest
    }

    @Test("ends its pipeline and the transfer in flight within 50 ms", arguments: [false, true])
    func run(_ sendsHead: Bool) async throws {
        let time = try await shortest {
            let server = try server(sendsHead: sendsHead)
            defer { server.stop() }
            let pipeline = try pipeline(server, #"{"url": "/a"}, {"url": "/b"}"#)
            let task = Task { try await pipeline.run(transport: CurlTransport()) }
            _ = await server.waitForRequests(1)
            let start = ContinuousClock.now
            task.cancel()
            let result = try await task.value
            let time = start.duration(to: .now)
            #expect(result.requests.map(\.outcome) == [.cancelled, .cancelled])
            #expect(result.interruption == .requested)
            #expect(server.requests.count == 1)
            return time
        }
        #expect(time < .milliseconds(50))
    }

    @Test("ends its request and no other within 50 ms", arguments: [false, true])
    func perform(_ throughMiddleware: Bool) async throws {
        let transport = CurlTransport().using(throughMiddleware ? [ExchangeLog { _ in }] : [])
        let time = try await shortest {
            let server = try server(sendsHead: false)
            defer { server.stop() }
            let queue = RequestQueue(transport: transport, concurrency: 2)
            let request = try HTTPRequest.get(server.url("/a"))
            let task = Task { () -> RequestError.Code? in
                do throws(RequestError) {
                    _ = try await queue.perform(request)
                    return nil
                } catch {
                    return error.code
                }
            }
            let other = RequestRecord(request: request)
            queue.enqueue([other])
            _ = await server.waitForRequests(2)
            let start = ContinuousClock.now
            task.cancel()
            #expect(await task.value == .cancelled)
            let time = start.duration(to: .now)
            #expect(other.state == .start)
            queue.cancelAll()
            try await queue.waitUntilIdle()
            return time
        }
        #expect(time < .milliseconds(50))
    }

    @Test("never hangs, at whatever moment the cancel comes")
    func anyMoment() async throws {
        let server = try ByteServer { connection in
            while connection.readRequest() != nil {
                connection.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
            }
        }
        defer { server.stop() }
        let pipeline = try pipeline(server, #"{"url": "/a"}, {"url": "/b"}, {"url": "/c"}"#)
        var random = SeededGenerator(seed: printedSeed("task cancellation"))
        for _ in 0..<200 {
            let task = Task { try await pipeline.run(transport: CurlTransport()) }
            for _ in 0..<Int.random(in: 0...300, using: &random) { await Task.yield() }
            task.cancel()
            let result = try await task.value
            #expect(result.requests.allSatisfy { $0.record?.hasEnded == true })
        }
    }
}
