import Testing

@testable import PipelineStub

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

@Suite("The stub server's life", .timeLimit(.minutes(1)))
struct StubLifetimeTests {
    private static let get = "GET / HTTP/1.1\r\nHost: stub\r\n\r\n"

    @Test("an answer comes after its delay and not before")
    func delay() throws {
        let server = try StubServer(routes: [.get("/", "late", delay: .microseconds(60_500))])
        let client = try StubClient(port: server.port)
        let start = ContinuousClock.now
        #expect(try client.request("GET", "/").body == "late")
        let time = ContinuousClock.now - start
        #expect(time >= .microseconds(60_500))
        #expect(time < .seconds(5))
    }

    @Test("a delay ends when the client goes away", arguments: [true, false])
    func delayInterrupted(resets: Bool) throws {
        // One connection at most: a second client is served only once the first is let go, and
        // a connection that is owed an answer is not closed to make room.
        let server = try StubServer(
            routes: [.get("/", delay: .seconds(3_600)), .get("/a", "served")], connectionLimit: 1)
        var first: StubClient? = try StubClient(port: server.port)
        first?.write(Self.get)
        let second = try StubClient(port: server.port)
        second.write("GET /a HTTP/1.1\r\nHost: stub\r\n\r\n")
        try eventually { server.requests.count == 1 }
        #expect(!second.hasInput())
        if resets { first?.resetsWhenClosed() }
        first = nil
        #expect(try second.response().body == "served")
    }

    @Test("stopping ends open, silent, delayed and unread connections at once")
    func stop() throws {
        let large = String(repeating: "x", count: 16 << 20)
        let server = try StubServer(routes: [
            .get("/", delay: .seconds(3_600)), .get("/large", large), .get("/a"),
        ])
        let clients = try (0..<4).map { _ in try StubClient(port: server.port) }
        clients[0].write(Self.get)
        clients[1].write("GET /large HTTP/1.1\r\nHost: stub\r\n\r\n")
        clients[2].write("GET /a HT")
        try eventually { server.requests.count == 2 }
        let time = ContinuousClock().measure { server.stop() }
        #expect(time < .seconds(1))
        for client in clients { #expect(client.isAtEnd()) }
        #expect(throws: StubClient.Failure.self) { try StubClient(port: server.port) }
        server.stop()
        #expect(server.requests.count == 2)
    }

    @Test("a server that nobody holds any more stops")
    func deinitialization() throws {
        var server: StubServer? = try StubServer(routes: [])
        let port = try #require(server?.port)
        let client = try StubClient(port: port)
        server = nil
        #expect(client.isAtEnd())
    }

    @Test("stopping from several threads at once is safe")
    func concurrentStop() async throws {
        let server = try StubServer(routes: [])
        await withTaskGroup { group in
            for _ in 0..<8 { group.addTask { server.stop() } }
        }
        #expect(throws: StubClient.Failure.self) { try StubClient(port: server.port) }
    }

    @Test("a port that is taken or out of range is refused by its number, a freed one is free")
    func ports() throws {
        let first = try StubServer(routes: [])
        #expect {
            try StubServer(routes: [], port: first.port)
        } throws: { error in
            guard let error = error as? StubError else { return false }
            return error.code == .cannotListen && error.message.contains("port \(first.port)")
        }
        for port in [-1, 65_536] {
            #expect(throws: StubError.self) { try StubServer(routes: [], port: port) }
        }
        let port = first.port
        let client = try StubClient(port: port)
        #expect(try client.request("GET", "/").status == 404)
        first.stop()
        let second = try StubServer(routes: [], port: port)
        #expect(second.port == port)
    }

    @Test("clients that reset or close early neither end the process nor stop the server")
    func earlyClose() throws {
        let large = String(repeating: "x", count: 4 << 20)
        let server = try StubServer(routes: [.get("/large", large), .get("/", "alive")])
        for round in 0..<20 {
            let client = try StubClient(port: server.port)
            client.write("GET /large HTTP/1.1\r\nHost: stub\r\n\r\n")
            if round % 2 == 0 { client.resetsWhenClosed() }
        }
        #expect(try StubClient(port: server.port).request("GET", "/").body == "alive")
    }

    @Test("the oldest connection that waits for nothing makes room for a new one")
    func connectionLimit() throws {
        let server = try StubServer(routes: [.get("/", "served")], connectionLimit: 3)
        let clients = try (0..<4).map { _ in
            let client = try StubClient(port: server.port)
            #expect(try client.request("GET", "/").body == "served")
            return client
        }
        #expect(clients[0].isAtEnd())
        #expect(try clients[1].request("GET", "/").body == "served")
    }

    @Test("100 servers with clients, started and stopped, leave no socket open")
    func sockets() async {
        // In a process of its own, so that no other test opens and closes sockets meanwhile.
        await #expect(processExitsWith: .success) {
            let before = openSockets()
            var during = 0
            for round in 0..<100 {
                let server = try StubServer(routes: [.get("/", "text")])
                let client = try StubClient(port: server.port)
                #expect(try client.request("GET", "/").status == 200)
                let idle = try StubClient(port: server.port)
                during = openSockets()
                if round % 2 == 0 { server.stop() }
                withExtendedLifetime(idle) {}
            }
            #expect(during > before)
            #expect(openSockets() == before)
        }
    }

    @Test("many clients at once are all answered, each from its own turn")
    func concurrency() async throws {
        let server = try StubServer(
            routes: try (0..<10).map { try .get("/turn", "\($0)") })
        let bodies = try await withThrowingTaskGroup(of: [String].self) { group in
            for _ in 0..<20 {
                group.addTask {
                    let client = try StubClient(port: server.port)
                    return try (0..<50).map { _ in
                        _ = server.requests.count
                        return try client.request("GET", "/turn").body
                    }
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        let counts = Dictionary(grouping: bodies) { $0 }.mapValues(\.count)
        #expect(counts.count == 10)
        #expect(counts.values.allSatisfy { $0 == 100 })
        #expect(server.requests.count == 1_000)
    }
}

/// How many of the first 4,096 descriptors are sockets, which is all that a server opens.
private func openSockets() -> Int {
    (0..<4_096).count { descriptor in
        var type: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        return getsockopt(Int32(descriptor), SOL_SOCKET, SO_TYPE, &type, &size) == 0
    }
}

/// Yields the processor until the condition holds, for ten seconds at most.
private func eventually(_ condition: () -> Bool) throws {
    let deadline = ContinuousClock.now + .seconds(10)
    while !condition() {
        guard ContinuousClock.now < deadline else {
            throw StubClient.Failure(message: "what was waited for did not come")
        }
        sched_yield()
    }
}
