import PipelineCore
import TestSupport
import Testing

@Suite("Time limits", .timeLimit(.minutes(1)))
struct TimeoutTests {
    struct Drip: Sendable, CustomTestStringConvertible {
        var testDescription: String
        /// What comes at once.
        var start: String
        /// What comes byte by byte.
        var rest = [UInt8](repeating: UInt8(ascii: "x"), count: 500)
        /// How the message ends.
        var message: String
    }

    static let drips = [
        Drip(
            testDescription: "the body", start: "HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\n",
            message: " of 500 bytes of the body"),
        Drip(
            testDescription: "the head", start: "HTTP/1.1 200 OK\r\nX-A: ",
            message: ", within the head of the response"),
        Drip(
            testDescription: "a chunked body",
            start: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1f4\r\n",
            message: " bytes of the body"),
        Drip(
            testDescription: "a gzip body",
            start: "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 500\r\n\r\n",
            rest: gzip, message: " of 500 bytes of the body"),
    ]

    /// The header of gzip and blocks of no data, of which there may be any number.
    private static let gzip =
        Array(Samples.gzippedJSON.prefix(10))
        + (0..<98).flatMap { _ in [0x00, 0x00, 0x00, 0xFF, 0xFF] as [UInt8] }

    @Test("O17: what drips is cut off in time", arguments: TransportUnderTest.all, drips)
    func drip(_ subject: TransportUnderTest, _ drip: Drip) async throws {
        let server = try ByteServer { connection in
            guard connection.readRequest() != nil else { return }
            connection.send(drip.start)
            for byte in drip.rest {
                connection.pause(milliseconds: 20)
                guard connection.send([byte]) else { return }
            }
        }
        let start = ContinuousClock.now
        let record = try await subject.make(row: drip.testDescription).record(
            try server.request(timeout: .milliseconds(500)))
        let duration = start.duration(to: try #require(record.finishedAt))
        let error = try #require(record.error)
        #expect(error.code == .timedOut)
        #expect(error.message.hasPrefix("timed out after 500 ms"))
        #expect(error.message.hasSuffix(drip.message), "\(error.message)")
        #expect(!error.isBeforeSending)
        #expect(duration > .milliseconds(450) && duration < .seconds(3))
    }

    @Test(
        "A server that never answers is given up in time",
        arguments: TransportUnderTest.all,
        [
            Duration.microseconds(1), .milliseconds(120),
        ])
    func silence(
        _ subject: TransportUnderTest, _ timeout: Duration
    ) async throws {
        let server = try ByteServer { connection in
            _ = connection.readRequest()
            connection.waitForPeerClose()
        }
        let error = try #require(
            try await subject.make().record(try server.request(timeout: timeout)).error)
        #expect(error.code == .timedOut)
    }

    @Test("Connecting has a limit of its own", arguments: TransportUnderTest.all)
    func connecting(_ subject: TransportUnderTest) async throws {
        let listener = try SilentListener()
        var request = HTTPRequest(url: try HTTPURL(listener.url), timeout: .seconds(20))
        request.connectTimeout = .milliseconds(200)
        let error = try #require(try await subject.make().record(request).error)
        #expect(error.code == .timedOut)
        #expect(error.message.contains("200 ms"), "\(error.message)")
        #expect(error.message.contains("127.0.0.1:\(listener.port)"), "\(error.message)")
        #expect(error.isBeforeSending)
    }

    @Test(
        "A TLS handshake that is never answered ends with the limit for connecting",
        arguments: TransportUnderTest.all)
    func handshake(_ subject: TransportUnderTest) async throws {
        let server = try ByteServer { $0.waitUntilStopped() }
        var request = HTTPRequest(url: try HTTPURL("https://\(server.authority)/"))
        request.connectTimeout = .milliseconds(200)
        let error = try #require(try await subject.make().record(request).error)
        #expect(error.code == .timedOut)
        #expect(error.message.contains("200 ms"), "\(error.message)")
        #expect(error.message.contains(server.authority), "\(error.message)")
        #expect(error.isBeforeSending)
    }

    @Test(
        "A server that reads nothing is told apart from one that answers nothing",
        arguments: TransportUnderTest.all)
    func sendingStalls(_ subject: TransportUnderTest) async throws {
        let server = try ByteServer { connection in
            _ = connection.readHead()
            connection.waitUntilStopped()
        }
        let body = String(repeating: "x", count: 20_000_000)
        let error = try #require(
            try await subject.make().record(
                try server.request("POST", body: body, timeout: .milliseconds(500))
            ).error)
        #expect(error.code == .timedOut)
        #expect(error.message.contains("of 20000000 bytes"), "\(error.message)")
    }

    @Test("A limit does not stay for the next request", arguments: TransportUnderTest.all)
    func limitDoesNotStay(_ subject: TransportUnderTest) async throws {
        let server = try ByteServer.answering { _ in ByteServer.http() }
        let transport = try subject.make()
        _ = await transport.record(try server.request(timeout: .microseconds(1)))
        var request = try server.request()
        request.timeout = nil
        #expect(await transport.record(request).error == nil)
    }
}
