import PipelineCore
import PipelineCurl
import PipelineJSON
import Synchronization
import TestSupport
import Testing

@Suite("Several requests in flight over a real network", .timeLimit(.minutes(1)))
struct ConcurrencyOverNetworkTests {
    @Test("Fifty requests, two at a time: none times out while it waits (the first seed's case)")
    func fifty() async throws {
        let load = Mutex((now: 0, most: 0))
        let server = try ByteServer { connection in
            while connection.readRequest() != nil {
                load.withLock {
                    $0.now += 1
                    $0.most = max($0.most, $0.now)
                }
                // Long enough that twenty-five of them, one after the other, exceed the timeout.
                connection.pause(milliseconds: 60)
                load.withLock { $0.now -= 1 }
                connection.send(ByteServer.http())
            }
        }
        defer { server.stop() }
        let requests = (1...50).map { #"{ "url": "/\#($0)", "timeout": "1200ms" }"# }
        let result = try await run(
            server, requests.joined(separator: ","), keys: #""concurrency": 2,"#)
        #expect(result.isSuccess, "\(result.requests.compactMap(\.error))")
        #expect(load.withLock { $0.most } == 2)
        #expect(server.requests.count == 50)
    }

    @Test("A failure ends those in flight at the server, too")
    func failure() async throws {
        let closed = Gate()
        let server = try ByteServer { connection in
            while let request = connection.readRequest() {
                if request.target == "/slow" {
                    connection.waitForPeerClose()
                    return closed.open()
                }
                connection.send(ByteServer.http(status: 500))
            }
        }
        defer { server.stop() }
        let result = try await run(
            server, #"{ "url": "/slow" }"#, #"{ "url": "/bad" }"#, #"{ "url": "/never" }"#,
            keys: #""concurrency": 2,"#)
        await closed.wait()
        #expect(result.requests.map(\.outcome) == [.cancelled, .failed, .cancelled])
        #expect(Set(server.requests.map(\.target)) == ["/slow", "/bad"])
    }

    @Test(
        "A thousand runs in one process leave nothing behind",
        .enabled(if: NginxServer.isAvailable, "needs nginx: scripts/setup nginx-light"))
    func thousandRuns() async throws {
        let server = try NginxServer(
            "location = /a { return 302 /b; } location / { return 200 '{\"t\":\"abc\"}'; }")
        let text = """
            { "baseURL": "http://127.0.0.1:\(server.port)",
              "requests": [
                { "url": "/a", "captures": { "t": "$.t" } },
                { "url": "/{{t}}", "retry": { "max": 1 } }] }
            """
        let pipeline = try Pipeline(parsing: Array(text.utf8), name: "test.json")
        var before = (descriptors: 0, memory: 0)
        for number in 1...1_000 {
            let transport = CurlTransport()
            #expect(try await pipeline.run(transport: transport).isSuccess)
            transport.shutDown()
            if number == 200 { before = (Usage.descriptors, Usage.memory) }
        }
        #expect(Usage.descriptors <= before.descriptors + 2)
        #expect(Usage.memory <= before.memory + 2_000_000)
        #expect(server.stop().count == 3_000)
    }
}
