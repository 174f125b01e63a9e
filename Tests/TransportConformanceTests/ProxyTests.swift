import PipelineCore
import TestSupport
import Testing

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

@Suite("O16: proxies", .timeLimit(.minutes(1)))
struct ProxyTests {
    private static func request(
        _ address: String, through proxy: ConnectionOptions.Proxy, except: String? = nil
    ) throws -> HTTPRequest {
        var request = HTTPRequest(url: try HTTPURL(address), timeout: .seconds(20))
        request.connection.proxy = proxy
        request.connection.proxyExceptions = except
        return request
    }

    @Test(
        "O16: the proxy of a request is used, with its credentials, and only for that request",
        arguments: TransportUnderTest.all)
    func proxyOfTheRequest(_ subject: TransportUnderTest) async throws {
        let proxy = try ByteServer.answering { _ in ByteServer.http(body: "proxy") }
        let server = try ByteServer.answering { _ in ByteServer.http(body: "direct") }
        let transport = try subject.make()
        let through = try Self.request(
            "http://api.test/p", through: .address("http://ada:p%40ss@\(proxy.authority)"))
        #expect(await transport.record(through).bodyText == "proxy")
        let direct = try Self.request(server.url(), through: .none)
        #expect(await transport.record(direct).bodyText == "direct")
        let request = try #require(proxy.requests.first)
        #expect(request.target == "http://api.test/p")
        #expect(request.fields["Host"] == "api.test")
        // `ada:p@ss`
        #expect(request.fields["Proxy-Authorization"] == "Basic YWRhOnBAc3M=")
        #expect(server.requests.map { $0.fields["Proxy-Authorization"] } == [nil])
        #expect(proxy.requests.count == 1)
    }

    @Test(
        "O16: a request's own exceptions are reached directly",
        arguments: TransportUnderTest.all,
        [
            ("127.0.0.0/8", true), ("example.com, 127.0.0.1 ,x", true), ("*", true),
            ("127.0.0.1", true), ("10.0.0.0/8", false), ("27.0.0.1", false), ("", false),
        ])
    func exceptions(
        _ subject: TransportUnderTest, _ row: (list: String, isDirect: Bool)
    ) async throws {
        let proxy = try ByteServer.answering { _ in ByteServer.http(body: "proxy") }
        let server = try ByteServer.answering { _ in ByteServer.http(body: "direct") }
        let record = try await subject.make(row: row.list).record(
            try Self.request(server.url(), through: .address(proxy.url()), except: row.list))
        #expect(record.bodyText == (row.isDirect ? "direct" : "proxy"))
    }

    @Test(
        "O16: a name with a dot before it stands for all below it",
        arguments: TransportUnderTest.all)
    func dottedSuffix(_ subject: TransportUnderTest) async throws {
        let proxy = try ByteServer.answering { _ in ByteServer.http(body: "proxy") }
        let server = try ByteServer.answering { _ in ByteServer.http(body: "direct") }
        let transport = try subject.make()
        for (host, answer) in [("api.example.test", "direct"), ("example.org", "proxy")] {
            var request = try Self.request(
                "http://\(host):\(server.port)/", through: .address(proxy.url()),
                except: ".example.test")
            if answer == "direct" {
                request.connection.resolutions = ["\(host):\(server.port):127.0.0.1"]
            }
            let record = await transport.record(request)
            #expect(record.bodyText == answer, "\(String(describing: record.error))")
        }
    }

    @Test(
        "O16: a proxy that fails is told apart from the server", arguments: TransportUnderTest.all)
    func failingProxy(_ subject: TransportUnderTest) async throws {
        let proxy = try ByteServer.answering { _ in ByteServer.http() }
        proxy.stop()
        let transport = try subject.make()
        let server = try ByteServer.answering { _ in ByteServer.http() }
        for address in ["http://api.test/p", server.url()] {
            let error = try #require(
                await transport.record(
                    try Self.request(address, through: .address(proxy.url()), except: "")
                ).error)
            #expect(error.code == .cannotConnect)
            #expect(
                error.message.contains("at the proxy 127.0.0.1:\(proxy.port)"), "\(error.message)")
            #expect(error.isBeforeSending)
        }
        #expect(server.connectionCount == 0)
    }

    @Test(
        "A proxy that is refused a tunnel is told apart from the server",
        arguments: TransportUnderTest.all)
    func refusedTunnel(_ subject: TransportUnderTest) async throws {
        let proxy = try ByteServer.answering { _ in ByteServer.http(status: 403, body: "no") }
        let record = try await subject.make().record(
            try Self.request("https://api.test/", through: .address(proxy.url())))
        let error = try #require(record.error)
        #expect(error.message.contains("proxy"), "\(error.message)")
        #expect(error.isBeforeSending)
        #expect(record.heads.isEmpty)
        #expect(proxy.requests.map(\.method) == ["CONNECT"])
        #expect(proxy.requests.map(\.target) == ["api.test:443"])
    }
}

// A process of its own can be told for which transport it is only since Swift 6.3.
#if compiler(>=6.3)
    /// Each in a process of its own, for the sake of its environment.
    @Suite("O16: proxies from the environment", .timeLimit(.minutes(1)))
    struct EnvironmentProxyTests {
        @Test(
            "O16: http_proxy is used for what no_proxy does not name",
            arguments: TransportUnderTest.all)
        func proxyIsUsed(_ subject: TransportUnderTest) async throws {
            _ = try subject.make()
            await #expect(processExitsWith: .success) { [name = subject.name as String] in
                let subject = try TransportUnderTest.named(name)
                let proxy = try ByteServer.answering { _ in ByteServer.http(body: "proxy") }
                setenv("http_proxy", proxy.url(), 1)
                unsetenv("no_proxy")
                unsetenv("NO_PROXY")
                let url = try HTTPURL("http://api.test/p")
                let record = try await subject.make().record(HTTPRequest(url: url))
                #expect(record.bodyText == "proxy")
                #expect(proxy.requests.map(\.target) == ["http://api.test/p"])

                let server = try ByteServer.answering { _ in ByteServer.http(body: "direct") }
                for variable in ["no_proxy", "NO_PROXY"] {
                    for list in ["127.0.0.0/8", "example.com, 127.0.0.1 ,x", "*"] {
                        setenv(variable, list, 1)
                        let record = try await subject.make().record(try server.request())
                        #expect(record.bodyText == "direct")
                    }
                    unsetenv(variable)
                }
            }
        }

        @Test("O16: HTTP_PROXY in capitals is not used", arguments: TransportUnderTest.all)
        func capitalsAreIgnored(_ subject: TransportUnderTest) async throws {
            _ = try subject.make()
            await #expect(processExitsWith: .success) { [name = subject.name as String] in
                let subject = try TransportUnderTest.named(name)
                let server = try ByteServer.answering { _ in ByteServer.http(body: "direct") }
                unsetenv("http_proxy")
                setenv("HTTP_PROXY", "http://127.0.0.1:9", 1)
                #expect(
                    try await subject.make().record(try server.request()).bodyText == "direct")
            }
        }

        @Test(
            "O16: a request without a proxy connects directly, whatever the environment says",
            arguments: TransportUnderTest.all)
        func noProxy(_ subject: TransportUnderTest) async throws {
            _ = try subject.make()
            await #expect(processExitsWith: .success) { [name = subject.name as String] in
                let subject = try TransportUnderTest.named(name)
                let server = try ByteServer.answering { _ in ByteServer.http(body: "direct") }
                for name in ["http_proxy", "all_proxy", "ALL_PROXY"] {
                    setenv(name, "http://127.0.0.1:1", 1)
                }
                unsetenv("no_proxy")
                unsetenv("NO_PROXY")
                var request = try server.request()
                request.connection.proxy = .none
                #expect(try await subject.make().record(request).bodyText == "direct")
            }
        }
    }

    extension TransportUnderTest {
        /// The one of that name.
        fileprivate static func named(_ name: String) throws -> TransportUnderTest {
            try #require(all.first { $0.name == name })
        }
    }
#endif
