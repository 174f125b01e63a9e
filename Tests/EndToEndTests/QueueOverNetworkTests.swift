import PipelineCore
import PipelineCurl
import TestSupport
import Testing

@Suite("The queue over a real network")
struct QueueOverNetworkTests {
    private func record(
        _ server: ByteServer, _ name: String, timeout: Duration? = nil
    ) throws -> RequestRecord {
        let url = try HTTPURL(server.url("/\(name)"))
        return RequestRecord(name: name, request: HTTPRequest(url: url, timeout: timeout))
    }

    @Test(.timeLimit(.minutes(1)))
    func `O01: the server sees nothing of what was cancelled, also after a resume`() async throws {
        let server = try ByteServer { connection in
            while connection.readRequest() != nil { connection.waitForPeerClose() }
        }
        defer { server.stop() }
        let queue = RequestQueue(transport: CurlTransport())
        let records = try ["a", "b", "c"].map { try record(server, $0) }
        queue.enqueue(records)
        _ = await server.waitForRequests(1)
        queue.cancelAll()
        queue.resume()
        try await queue.waitUntilIdle()
        #expect(server.requests.map(\.target) == ["/a"])
        #expect(records.map(\.state) == [.failed, .new, .new])
        #expect(records.map { $0.cancellation?.reason } == [.requested, .requested, .requested])
        #expect(records[0].error?.code == .cancelled)
    }

    @Test(.timeLimit(.minutes(1)))
    func `O02: when the timer and the last byte race, one completion comes`() async throws {
        // The server sends its last byte about when the time is up, 500 times.
        let server = try ByteServer { connection in
            while connection.readRequest() != nil {
                connection.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\na")
                connection.pause(milliseconds: Int.random(in: 17...23))
                connection.send("b")
            }
        }
        defer { server.stop() }
        let queue = RequestQueue(transport: CurlTransport(), stopsOnFailure: false)
        let calls = Locked<[String: Int]>([:])
        var records: [RequestRecord] = []
        for number in 0..<500 {
            let record = try record(server, "\(number)", timeout: .milliseconds(20))
            records.append(record)
            queue.enqueue(record) { record in
                calls.change { $0[record.name, default: 0] += 1 }
                #expect((record.state == .success) == (record.error == nil))
                #expect((record.state == .success) == (record.response != nil))
            }
        }
        try await queue.waitUntilIdle()
        #expect(calls.value.count == 500)
        #expect(calls.value.values.allSatisfy { $0 == 1 })
        let late = records.filter { $0.state == .failed }
        #expect(late.allSatisfy { $0.error?.transportError?.code == .timedOut })
        print("O02: \(late.count) of 500 timed out")
    }

    @Test(.timeLimit(.minutes(1)))
    func `O06: a request's time begins when it is sent, not when it is enqueued`() async throws {
        // Five requests of 80 ms with a limit of 300 ms: waiting for their turn takes longer.
        let server = try ByteServer { connection in
            while connection.readRequest() != nil {
                connection.pause(milliseconds: 80)
                connection.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
            }
        }
        defer { server.stop() }
        let queue = RequestQueue(transport: CurlTransport())
        let records = try (0..<5).map {
            try record(server, "\($0)", timeout: .milliseconds(300))
        }
        queue.enqueue(records)
        try await queue.waitUntilIdle()
        #expect(records.allSatisfy { $0.state == .success })
    }

    @Test(.timeLimit(.minutes(1)))
    func `fifty requests at width two: bounded, in order, none times out waiting`() async throws {
        let server = try ByteServer { connection in
            while connection.readRequest() != nil {
                connection.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
            }
        }
        defer { server.stop() }
        let started = Locked<[String]>([])
        let queue = RequestQueue(transport: CurlTransport(), concurrency: 2) { event in
            if case .started(let record) = event { started.change { $0.append(record.name) } }
        }
        let records = try (0..<50).map { try record(server, "\($0)", timeout: .seconds(20)) }
        queue.enqueue(records)
        try await queue.waitUntilIdle()
        #expect(records.allSatisfy { $0.state == .success })
        #expect(started.value == (0..<50).map(String.init))
        #expect(server.connectionCount <= 2)
    }

    @Test(.timeLimit(.minutes(1)))
    func `a chain of requests, each built from the response before, over one connection`()
        async throws
    {
        let server = try ByteServer { connection in
            while let request = connection.readRequest() {
                let number = Int(request.target.dropFirst()) ?? 0
                let body = "\(number + 1)"
                connection.send(
                    "HTTP/1.1 200 OK\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)")
            }
        }
        defer { server.stop() }
        let queue = RequestQueue(transport: CurlTransport())
        @Sendable func follow(_ record: RequestRecord) {
            guard let body = record.response?.body else { return }
            let number = String(decoding: body, as: UTF8.self)
            guard number != "200", let next = try? self.record(server, number) else { return }
            queue.enqueue(next, completion: follow)
        }
        queue.enqueue(try record(server, "0"), completion: follow)
        try await queue.waitUntilIdle()
        #expect(server.requests.count == 200)
        #expect(server.connectionCount == 1)
    }
}
