import PipelineCore
import PipelineCurl
import TestSupport
import Testing

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Each in a process of its own, for the sake of its environment.
@Suite("O16: proxies from the environment", .timeLimit(.minutes(1)))
struct ProxyTests {
    @Test("O16: http_proxy is used for what no_proxy does not name")
    func proxyIsUsed() async {
        await #expect(processExitsWith: .success) {
            let proxy = try ByteServer.answering { _ in ByteServer.http(body: "proxy") }
            setenv("http_proxy", proxy.url(), 1)
            unsetenv("no_proxy")
            unsetenv("NO_PROXY")
            let url = try HTTPURL("http://api.test/p")
            let record = await CurlTransport().record(HTTPRequest(url: url))
            #expect(record.bodyText == "proxy")
            #expect(proxy.requests.map(\.target) == ["http://api.test/p"])

            let server = try ByteServer.answering { _ in ByteServer.http(body: "direct") }
            for list in ["127.0.0.0/8", "example.com, 127.0.0.1 ,x", "*"] {
                setenv("no_proxy", list, 1)
                #expect(await CurlTransport().record(try server.request()).bodyText == "direct")
            }
        }
    }

    @Test("O16: HTTP_PROXY in capitals is not used")
    func capitalsAreIgnored() async {
        await #expect(processExitsWith: .success) {
            let server = try ByteServer.answering { _ in ByteServer.http(body: "direct") }
            unsetenv("http_proxy")
            setenv("HTTP_PROXY", "http://127.0.0.1:9", 1)
            #expect(await CurlTransport().record(try server.request()).bodyText == "direct")
        }
    }

    @Test("O16: a proxy that fails is told apart from the server")
    func failingProxy() async {
        await #expect(processExitsWith: .success) {
            let proxy = try ByteServer.answering { _ in ByteServer.http() }
            proxy.stop()
            setenv("http_proxy", proxy.url(), 1)
            unsetenv("no_proxy")
            unsetenv("NO_PROXY")
            let url = try HTTPURL("http://api.test/p")
            let error = try #require(await CurlTransport().record(HTTPRequest(url: url)).error)
            #expect(error.code == .cannotConnect)
            #expect(
                error.message
                    == "connection refused at the proxy 127.0.0.1:\(proxy.port), "
                    + "which is used for api.test:80")
            #expect(error.isBeforeSending)

            // The same host: the port alone tells them apart.
            let server = try ByteServer.answering { _ in ByteServer.http() }
            let other = try #require(await CurlTransport().record(try server.request()).error)
            #expect(
                other.message
                    == "connection refused at the proxy 127.0.0.1:\(proxy.port), "
                    + "which is used for 127.0.0.1:\(server.port)")
            #expect(server.connectionCount == 0)

            setenv("http_proxy", "http://[::1]:1", 1)
            let third = try #require(await CurlTransport().record(try server.request()).error)
            #expect(third.message.contains("at the proxy [::1]:1, "), "\(third.message)")
        }
    }

    @Test("O16: a request that wants no proxy connects directly, whatever the environment says")
    func noProxy() async {
        await #expect(processExitsWith: .success) {
            let server = try ByteServer.answering { _ in ByteServer.http(body: "direct") }
            for name in ["http_proxy", "all_proxy", "ALL_PROXY"] {
                setenv(name, "http://127.0.0.1:1", 1)
            }
            unsetenv("no_proxy")
            unsetenv("NO_PROXY")
            var request = try server.request()
            request.connection.proxy = .none
            let record = await CurlTransport().record(request)
            #expect(record.bodyText == "direct")
        }
    }
}
