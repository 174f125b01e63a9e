import Foundation
import PipelineCore
import Synchronization
import TestSupport
import Testing

@testable import PipelineFoundation

/// What the conformance suite does not ask of every transport.
@Suite("URLSessionTransport", .timeLimit(.minutes(1)))
struct URLSessionTransportTests {
    @Test("Two hundred exchanges that are cancelled at random moments have one end each")
    func randomCancels() async throws {
        let server = try ByteServer { connection in
            while connection.readRequest() != nil {
                connection.pause(milliseconds: 1)
                connection.send("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n")
                for _ in 1...3 {
                    connection.pause(milliseconds: 1)
                    guard connection.send("x") else { return }
                }
            }
        }
        let transport = URLSessionTransport()
        var generator = SeededGenerator(seed: printedSeed("two hundred cancels"))
        var recorders: [Recorder] = []
        for _ in 1...200 {
            let recorder = Recorder()
            let exchange = transport.start(try server.request(), receiver: recorder)
            recorders.append(recorder)
            // Not to wait for something: the moment itself is what varies.
            try await Task.sleep(for: .microseconds(Int.random(in: 0...6_000, using: &generator)))
            exchange.cancel()
        }
        var endings: Set<TransportError.Code?> = []
        for recorder in recorders {
            let record = await recorder.finished()
            endings.insert(record.error?.code)
            #expect(record.error != nil || record.bodyText == "xxx")
        }
        #expect(endings.contains(.cancelled) && endings.isSubset(of: [.cancelled, nil]))
        #expect(await transport.record(try server.request()).bodyText == "xxx")
        #expect(recorders.allSatisfy { $0.record.results.count == 1 })
    }

    @Test("A transport that is dropped lets its exchanges go on to their end")
    func droppedTransport() async throws {
        let dropped = DispatchSemaphore(value: 0)
        let server = try ByteServer { connection in
            guard connection.readRequest() != nil else { return }
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\no")
            _ = dropped.wait(timeout: .now() + 10)
            connection.send("k")
        }
        let recorder = Recorder()
        _ = URLSessionTransport().start(try server.request(), receiver: recorder)
        await recorder.headReceived()
        dropped.signal()
        #expect(await recorder.finished().bodyText == "ok")
    }

    @Test("A transport that is dropped before an exchange has begun still carries it out")
    func droppedAtOnce() async throws {
        let server = try ByteServer.answering { _ in ByteServer.http(body: "ok") }
        for _ in 1...20 {
            let recorder = Recorder()
            _ = URLSessionTransport().start(try server.request(), receiver: recorder)
            #expect(await recorder.finished().bodyText == "ok")
        }
    }

    @Test("Nothing is left of an exchange that is over, and of a transport that was dropped")
    func nothingIsLeft() async throws {
        let server = try ByteServer.answering { _ in ByteServer.http(body: "ok") }
        weak var exchange: URLSessionExchange?
        weak var receiver: Recorder?
        weak var transport: URLSessionTransport?
        do {
            let strong = URLSessionTransport()
            transport = strong
            for _ in 1...20 {
                let recorder = Recorder()
                receiver = recorder
                exchange =
                    strong.start(try server.request(), receiver: recorder)
                    as? URLSessionExchange
                #expect(await recorder.finished().error == nil)
            }
            // The transport's queue runs one operation at a time: what was before this is over.
            #expect(await strong.record(try server.request()).error == nil)
        }
        #expect(exchange == nil)
        #expect(receiver == nil)
        #expect(transport == nil)
    }

    @Test(
        "What must not be received twice goes out once, whatever becomes of the connection",
        arguments: ["POST", "PATCH", "X-OWN"])
    func sentOnce(_ method: String) async throws {
        let server = try ByteServer { connection in
            while let request = connection.readRequest() {
                if request.target == "/second" { return connection.reset() }
                connection.send(ByteServer.http())
            }
        }
        let transport = URLSessionTransport()
        #expect(await transport.record(try server.request("GET", "/first")).error == nil)
        let second = await transport.record(try server.request(method, "/second"))
        #expect(second.error?.code == .connectionLost)
        #expect(second.error?.isBeforeSending == false)
        #expect(server.requests.filter { $0.target == "/second" }.count == 1)
    }

    static let refusals: [(name: String, change: @Sendable (inout ConnectionOptions) -> Void)] = [
        ("unixSocket", { $0.unixSocket = "/no/such/socket" }),
        ("resolutions", { $0.resolutions = ["api.test:80:127.0.0.1"] }),
        ("reroutes", { $0.reroutes = ["api.test:80:127.0.0.1:80"] }),
        ("version", { $0.version = .http2 }), ("addressFamily", { $0.addressFamily = .ipv6 }),
        ("proxyExceptions", { $0.proxyExceptions = "*" }),
        ("/client.pem", { $0.tls.certificate = "/client.pem" }),
    ]

    @Test("An option that cannot be honoured is named, and nothing is sent", arguments: refusals)
    func refusal(
        _ refusal: (name: String, change: @Sendable (inout ConnectionOptions) -> Void)
    ) async throws {
        let server = try ByteServer.answering { _ in ByteServer.http() }
        var request = try server.request()
        refusal.change(&request.connection)
        let error = try #require(await URLSessionTransport().record(request).error)
        #expect(error.code == .invalidRequest)
        #expect(error.isBeforeSending)
        #expect(error.message.contains(refusal.name), "\(error.message)")
        #expect(server.connectionCount == 0)
    }

    @Test(
        "Set-Cookie lines that were joined are taken apart",
        arguments: [
            ("a=1", ["a=1"]), ("a=1, b=2", ["a=1", "b=2"]),
            ("a=1,b=2; Path=/", ["a=1", "b=2; Path=/"]),
            (
                "a=1; Expires=Wed, 09 Jun 2100 10:18:14 GMT; Path=/, b=2",
                ["a=1; Expires=Wed, 09 Jun 2100 10:18:14 GMT; Path=/", "b=2"]
            ),
        ])
    func cookieLines(_ joined: String, _ lines: [String]) {
        #expect(HTTPResponse.Head.cookieLines(joined) == lines)
    }

    @Test("Certificates are read from PEM, whatever stands between them")
    func pem() {
        let text = """
            subject=CN = one
            -----BEGIN CERTIFICATE-----
            AQID
            BA==
            -----END CERTIFICATE-----
            -----BEGIN CERTIFICATE-----\r\nBQ==\r\n-----END CERTIFICATE-----\r\n
            -----BEGIN CERTIFICATE-----
            """
        #expect(PEMFile.certificates(in: text) == [Data([1, 2, 3, 4]), Data([5])])
    }

    @Test(
        "The address of a proxy is read, and a password in it is not told",
        arguments: [
            ("http://proxy.test:3128", "proxy.test:3128"), ("proxy.test:8080", "proxy.test:8080"),
            ("socks5://proxy.test", "proxy.test:1080 SOCKS"), ("http://ada:secret@proxy.test", nil),
            ("ftp://proxy.test", nil), ("not a proxy", nil),
        ])
    func proxyAddress(_ address: String, _ read: String?) {
        do throws(TransportError) {
            let proxy = try ProxyAddress(address)
            #expect("\(proxy.host):\(proxy.port)\(proxy.isSOCKS ? " SOCKS" : "")" == read)
        } catch {
            #expect(read == nil)
            #expect(error.code == .invalidRequest && !error.message.contains("secret"))
        }
    }
}
