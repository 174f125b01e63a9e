import PipelineCore
import PipelineCurl
import TestSupport
import Testing

@Suite("What libcurl's failures are called", .timeLimit(.minutes(1)))
struct WordingTests {
    struct Answer: Sendable, CustomTestStringConvertible {
        var bytes: String
        var isReset = false
        var libraryCode: Int
        var message: String

        var testDescription: String { message }
    }

    static let answers = [
        Answer(
            bytes: "", libraryCode: 52, message: "the connection was closed before a response came"),
        Answer(
            bytes: "", isReset: true, libraryCode: 56, message: "was lost before a response came"),
        Answer(
            bytes: "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n1234567", libraryCode: 18,
            message: "the body ended after 7 of 100 bytes"),
        Answer(
            bytes: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nok\r\n",
            libraryCode: 56, message: "the body's chunks break the rules of HTTP"),
        Answer(
            bytes: "SSH-2.0-OpenSSH_9.2\r\n\r\n", libraryCode: 1,
            message: "the response breaks the rules of HTTP"),
        Answer(
            bytes: "HTTP/1.1 200 OK\r\ncontent-encoding: xyz\r\nContent-Length: 2\r\n\r\n{}",
            libraryCode: 61, message: "the content coding xyz cannot be undone"),
    ]

    @Test("A broken answer is told with libcurl's own code", arguments: answers)
    func brokenAnswer(_ answer: Answer) async throws {
        let server = try ByteServer { connection in
            guard connection.readRequest() != nil else { return }
            connection.send(answer.bytes)
            if answer.isReset { connection.reset() }
        }
        let error = try #require(await CurlTransport().record(try server.request()).error)
        #expect(error.message.contains(answer.message), "\(error.message)")
        #expect(error.libraryCode == answer.libraryCode)
    }

    @Test("A head that is larger than libcurl takes is called that")
    func largeHead() async throws {
        let field = "X-Large: \(String(repeating: "x", count: 400_000))\r\n"
        let server = try ByteServer { connection in
            guard connection.readRequest() != nil else { return }
            connection.send("HTTP/1.1 200 OK\r\n\(field)\r\n")
        }
        let error = try #require(await CurlTransport().record(try server.request()).error)
        #expect(error.message.hasPrefix("the head of the response is too large"))
    }

    @Test("A refused connection is told with libcurl's own code")
    func refusedConnection() async throws {
        let server = try ByteServer.answering { _ in ByteServer.http() }
        let request = try server.request()
        server.stop()
        let error = try #require(await CurlTransport().record(request).error)
        #expect(error.message == "connection refused at 127.0.0.1:\(server.port)")
        #expect(error.libraryCode == 7)
    }

    @Test(
        "A limit that ran out is told with what was waited for",
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
        #expect(error.message.hasPrefix(message), "\(error.message)")
    }

    @Test("A connection that is not made in time is told by its phase")
    func connecting() async throws {
        let listener = try SilentListener()
        let server = try ByteServer { $0.waitUntilStopped() }
        for (address, phase) in [
            (listener.url, "while connecting to 127.0.0.1:\(listener.port)"),
            ("https://\(server.authority)/", "within the TLS handshake with \(server.authority)"),
        ] {
            var request = HTTPRequest(url: try HTTPURL(address), timeout: .seconds(20))
            request.connectTimeout = .milliseconds(200)
            let error = try #require(await CurlTransport().record(request).error)
            #expect(error.message == "timed out after 200 ms, \(phase)")
        }
    }

    @Test("The proxy that fails is told apart from the server, also by its port alone")
    func failingProxy() async throws {
        let proxy = try ByteServer.answering { _ in ByteServer.http() }
        proxy.stop()
        for (proxy, place) in [
            (proxy.url(), "127.0.0.1:\(proxy.port)"), ("http://[::1]:1", "[::1]:1"),
        ] {
            for (address, server) in [
                ("http://api.test/p", "api.test:80"), ("http://127.0.0.1:2/", "127.0.0.1:2"),
            ] {
                var request = HTTPRequest(url: try HTTPURL(address), timeout: .seconds(20))
                request.connection.proxy = .address(proxy)
                request.connection.proxyExceptions = ""
                let error = try #require(await CurlTransport().record(request).error)
                #expect(
                    error.message
                        == "connection refused at the proxy \(place), which is used for \(server)")
            }
        }
    }
}
