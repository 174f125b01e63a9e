import PipelineCore
import TestSupport
import Testing

@Suite("O13: kept-alive connections that have died", .timeLimit(.minutes(1)))
struct ConnectionTests {
    static let methods = ["GET", "HEAD", "PUT", "DELETE", "OPTIONS", "POST", "PATCH", "X-OWN"]

    /// Whether a second delivery does no harm.
    private static func isIdempotent(_ method: String) -> Bool {
        !["POST", "PATCH", "X-OWN"].contains(method)
    }

    @Test(
        "O13 (i): closed while idle, the next request goes out once, on a new one",
        arguments: TransportUnderTest.all, methods)
    func closedWhileIdle(_ subject: TransportUnderTest, _ method: String) async throws {
        let closed = Gate()
        let server = try ByteServer { connection in
            guard connection.readRequest() != nil else { return }
            connection.send(ByteServer.http(body: connection.number == 1 ? "first" : ""))
            connection.close()
            closed.open()
        }
        let transport = try subject.make()
        #expect(await transport.record(try server.request()).error == nil)
        await closed.wait()
        let body = method == "PUT" || method == "POST" ? "content" : nil
        let second = await transport.record(try server.request(method, body: body))
        #expect(second.status == 200, "\(String(describing: second.error))")
        #expect(server.requests.map(\.connection) == [1, 2])
        #expect(server.requests.last?.bodyText == body ?? "")
    }

    @Test(
        "O13 (ii): reset by the next request, only an idempotent one is sent again",
        arguments: TransportUnderTest.all, methods)
    func resetByTheNextRequest(
        _ subject: TransportUnderTest, _ method: String
    ) async throws {
        let server = try ByteServer { connection in
            while let request = connection.readRequest() {
                if connection.number == 1, request.target == "/second" { return connection.reset() }
                connection.send(ByteServer.http())
            }
        }
        let transport = try subject.make()
        #expect(await transport.record(try server.request("GET", "/first")).error == nil)
        let body = method == "PUT" || method == "POST" ? "content" : nil
        let second = await transport.record(try server.request(method, "/second", body: body))
        let deliveries = server.requests.filter { $0.target == "/second" }
        if Self.isIdempotent(method) {
            #expect(second.status == 200, "\(String(describing: second.error))")
            #expect(second.heads.count == 1)
            #expect(deliveries.map(\.connection) == [1, 2])
            #expect(deliveries.map(\.bodyText) == [body ?? "", body ?? ""])
        } else {
            let error = try #require(second.error)
            #expect(error.code == .connectionLost)
            #expect(error.message.hasSuffix("a \(method) request is not sent twice"))
            #expect(!error.isBeforeSending)
            #expect(deliveries.count == 1)
        }
    }

    @Test(
        "O13: an idempotent request is sent again once, not for as long as there are connections",
        arguments: TransportUnderTest.all)
    func sentAgainOnce(_ subject: TransportUnderTest) async throws {
        let server = try ByteServer { connection in
            while let request = connection.readRequest() {
                if request.target == "/again" { return connection.reset() }
                // Answered together, so that there are several connections to keep.
                if request.target == "/wait" { connection.pause(milliseconds: 50) }
                connection.send(ByteServer.http())
            }
        }
        let transport = try subject.make()
        let recorders = (1...4).map { _ in Recorder() }
        for recorder in recorders {
            _ = transport.start(try server.request("GET", "/wait"), receiver: recorder)
        }
        for recorder in recorders { #expect(await recorder.finished().error == nil) }
        let error = try #require(
            await transport.record(try server.request("GET", "/again")).error)
        #expect(error.code == .connectionLost)
        #expect(server.requests.filter { $0.target == "/again" }.count == 2)
    }

    @Test(
        "O13 (iii): a new connection that is reset is a failure", arguments: TransportUnderTest.all,
        ["GET", "POST"])
    func newConnectionIsReset(_ subject: TransportUnderTest, _ method: String) async throws {
        let server = try ByteServer { connection in
            guard connection.readRequest() != nil else { return }
            connection.reset()
        }
        let record = try await subject.make().record(try server.request(method, body: "x"))
        #expect(record.error?.code == .connectionLost)
        #expect(server.requests.count == 1)
    }

    @Test("A POST uses a connection that was in use just now", arguments: TransportUnderTest.all)
    func postReusesConnection(_ subject: TransportUnderTest) async throws {
        let server = try ByteServer.answering { _ in ByteServer.http() }
        let transport = try subject.make()
        _ = await transport.record(try server.request())
        let record = await transport.record(try server.request("POST", body: "x"))
        #expect(record.metrics?.isConnectionReused == true)
        #expect(server.connectionCount == 1)
    }

    @Test("A connection that was cut short is not used again", arguments: TransportUnderTest.all)
    func brokenConnectionIsNotReused(_ subject: TransportUnderTest) async throws {
        let server = try ByteServer { connection in
            while let request = connection.readRequest() {
                connection.send(
                    request.target == "/broken"
                        ? Array("HTTP/1.1 200 OK\r\nContent-Length: oops\r\n\r\n".utf8)
                        : ByteServer.http())
            }
        }
        let transport = try subject.make()
        _ = await transport.record(try server.request("GET", "/broken"))
        _ = await transport.record(try server.request("GET", "/whole"))
        #expect(server.requests.map(\.connection) == [1, 2])
    }
}
