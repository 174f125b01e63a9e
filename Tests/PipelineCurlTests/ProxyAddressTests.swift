import PipelineCore
import PipelineCurl
import TestSupport
import Testing

@Suite("O16: proxies that a request names", .timeLimit(.minutes(1)))
struct ProxyAddressTests {
    private static func request(
        _ url: String, through proxy: String, exceptions: String? = ""
    ) throws -> HTTPRequest {
        var request = HTTPRequest(url: try HTTPURL(url), timeout: .seconds(20))
        request.connection.proxy = .address(proxy)
        request.connection.proxyExceptions = exceptions
        return request
    }

    @Test("O16: a proxy without an address is named")
    func unknownProxy() async throws {
        let request = try Self.request(
            "http://api.test/", through: "http://ada:secret@no-such-proxy.invalid:3128")
        let error = try #require(await CurlTransport().record(request).error)
        #expect(error.code == .cannotResolve)
        #expect(
            error.message
                == "could not resolve the proxy no-such-proxy.invalid, "
                + "which is used for api.test:80")
        #expect(error.isBeforeSending)
    }

    @Test("O16: a proxy that lets no connection through is named, and what it said")
    func refusedTunnel() async throws {
        let proxy = try ByteServer { connection in
            guard connection.readHead() != nil else { return }
            connection.send(ByteServer.http(status: 407))
        }
        let request = try Self.request(
            "https://api.test/", through: "http://ada:secret@127.0.0.1:\(proxy.port)")
        let record = await CurlTransport().record(request)
        let error = try #require(record.error)
        #expect(error.code == .cannotConnect)
        #expect(
            error.message
                == "the proxy 127.0.0.1:\(proxy.port) did not connect to api.test:443, "
                + "but answered 407: it wants other credentials")
        #expect(error.isBeforeSending)
        #expect(record.heads.isEmpty)
    }

    @Test("O16: a proxy that does not answer is named when the time is up")
    func silentProxy() async throws {
        let listener = try SilentListener()
        var request = try Self.request(
            "http://api.test/", through: "http://127.0.0.1:\(listener.port)")
        request.connectTimeout = .milliseconds(200)
        let error = try #require(await CurlTransport().record(request).error)
        #expect(
            error.message
                == "timed out after 200 ms, while connecting to api.test:80 "
                + "through the proxy 127.0.0.1:\(listener.port)")
        #expect(error.isBeforeSending)
    }

    @Test("O16: a SOCKS proxy that speaks something else fails as the proxy")
    func brokenSOCKS() async throws {
        let proxy = try ByteServer { connection in
            connection.send("HTTP/1.1 400 Bad Request\r\n\r\n")
            connection.waitForPeerClose()
        }
        let request = try Self.request(
            "http://api.test/", through: "socks5h://127.0.0.1:\(proxy.port)")
        let error = try #require(await CurlTransport().record(request).error)
        #expect(error.code == .cannotConnect)
        #expect(error.message.hasPrefix("the proxy 127.0.0.1:\(proxy.port)"), "\(error.message)")
        #expect(error.isBeforeSending)
    }
}
