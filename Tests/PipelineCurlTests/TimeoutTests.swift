import PipelineCore
import PipelineCurl
import TestSupport
import Testing

@Suite("Time limits", .timeLimit(.minutes(1)))
struct TimeoutTests {
    struct Drip: Sendable, CustomTestStringConvertible {
        var testDescription: String
        /// What comes at once.
        var start: String
        /// What comes byte by byte.
        var rest: String
        var message: String
    }

    static let drips = [
        Drip(
            testDescription: "the body", start: "HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\n",
            rest: String(repeating: "x", count: 500), message: " of 500 bytes of the body"),
        Drip(
            testDescription: "the head", start: "HTTP/1.1 200 OK\r\nX-A: ",
            rest: String(repeating: "x", count: 500), message: ", within the head of the response"),
        Drip(
            testDescription: "a chunked body",
            start: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1f4\r\n",
            rest: String(repeating: "x", count: 500), message: " bytes of the body"),
    ]

    @Test("O17: what drips is cut off in time", arguments: drips)
    func drip(_ drip: Drip) async throws {
        let server = try ByteServer { connection in
            guard connection.readRequest() != nil else { return }
            connection.send(drip.start)
            for byte in drip.rest.utf8 {
                connection.pause(milliseconds: 20)
                guard connection.send([byte]) else { return }
            }
        }
        let start = ContinuousClock.now
        let record = await CurlTransport().record(try server.request(timeout: .seconds(1)))
        let duration = start.duration(to: try #require(record.finishedAt))
        let error = try #require(record.error)
        #expect(error.code == .timedOut)
        #expect(error.message.hasPrefix("timed out after 1.0 s"))
        #expect(error.message.hasSuffix(drip.message), "\(error.message)")
        #expect(!error.isBeforeSending)
        #expect(duration > .milliseconds(950) && duration < .seconds(5))
    }

    @Test(
        "A server that never answers is given up in time",
        arguments: [
            (Duration.microseconds(1), "timed out after 1 ms"),
            (.milliseconds(120), "timed out after 120 ms, waiting for the first byte"),
            (.microseconds(1_250_001), "timed out after 1.3 s, waiting for the first byte"),
        ])
    func silence(_ timeout: Duration, _ message: String) async throws {
        let server = try ByteServer { connection in
            _ = connection.readRequest()
            connection.waitForPeerClose()
        }
        let error = try #require(
            await CurlTransport().record(try server.request(timeout: timeout)).error)
        #expect(error.code == .timedOut)
        #expect(error.message.hasPrefix(message), "\(error.message)")
    }

    @Test("Connecting has a limit of its own")
    func connecting() async throws {
        let listener = try SilentListener()
        var request = HTTPRequest(url: try HTTPURL(listener.url), timeout: .seconds(20))
        request.connectTimeout = .milliseconds(200)
        let error = try #require(await CurlTransport().record(request).error)
        #expect(error.code == .timedOut)
        #expect(
            error.message
                == "timed out after 200 ms, while connecting to 127.0.0.1:\(listener.port)")
        #expect(error.isBeforeSending)
    }

    @Test("A TLS handshake that is never answered is named")
    func handshake() async throws {
        let server = try ByteServer { $0.waitUntilStopped() }
        var request = HTTPRequest(url: try HTTPURL("https://\(server.authority)/"))
        request.connectTimeout = .milliseconds(200)
        let error = try #require(await CurlTransport().record(request).error)
        #expect(error.code == .timedOut)
        #expect(
            error.message
                == "timed out after 200 ms, within the TLS handshake with \(server.authority)")
        #expect(error.isBeforeSending)
    }

    @Test("A server that reads nothing is told apart from one that answers nothing")
    func sendingStalls() async throws {
        let server = try ByteServer { connection in
            _ = connection.readHead()
            connection.waitUntilStopped()
        }
        let body = String(repeating: "x", count: 20_000_000)
        let error = try #require(
            await CurlTransport().record(
                try server.request("POST", body: body, timeout: .milliseconds(500))
            ).error)
        #expect(error.code == .timedOut)
        #expect(error.message.contains("having sent"), "\(error.message)")
        #expect(error.message.contains("of 20000000 bytes"), "\(error.message)")
    }

    @Test("A limit does not stay for the next request")
    func limitDoesNotStay() async throws {
        let server = try ByteServer.answering { _ in ByteServer.http() }
        let transport = CurlTransport()
        _ = await transport.record(try server.request(timeout: .microseconds(1)))
        var request = try server.request()
        request.timeout = nil
        #expect(await transport.record(request).error == nil)
    }
}
