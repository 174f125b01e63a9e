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

@Suite(
    "Unix sockets", .timeLimit(.minutes(1)),
    .enabled(if: NginxServer.isAvailable, "needs nginx"))
struct UnixSocketTests {
    private static func request(_ path: String) throws -> HTTPRequest {
        var request = HTTPRequest(url: try HTTPURL("http://api.test/p?q"), timeout: .seconds(20))
        request.connection.unixSocket = path
        return request
    }

    @Test("The request goes through the socket, whatever the address says")
    func socket() async throws {
        let server = try NginxServer("location / { return 200 $host$request_uri; }")
        let transport = CurlTransport()
        for _ in 1...2 {
            let record = await transport.record(try Self.request(server.socketPath))
            #expect(record.bodyText == "api.test/p?q", "\(String(describing: record.error))")
        }
        #expect(Set(server.stop().map(\.connection)).count == 1)
    }

    @Test("A connection through a socket serves no other request, nor the reverse")
    func connectionsAreApart() async throws {
        let first = try NginxServer("location / { return 200 first; }")
        let second = try NginxServer("location / { return 200 second; }")
        let transport = CurlTransport()
        for _ in 1...2 {
            for (server, answer) in [(first, "first"), (second, "second")] {
                let record = await transport.record(try Self.request(server.socketPath))
                #expect(record.bodyText == answer, "\(record)")
            }
            var direct = try Self.request(first.socketPath)
            direct.connection.unixSocket = nil
            #expect(await transport.record(direct).error?.code == .cannotResolve)
        }
    }

    @Test("O16: no proxy stands between, whatever the environment says")
    func noProxy() async {
        await #expect(processExitsWith: .success) {
            setenv("http_proxy", "http://127.0.0.1:1", 1)
            unsetenv("no_proxy")
            unsetenv("NO_PROXY")
            let server = try NginxServer("location / { return 200 $host$request_uri; }")
            let record = await CurlTransport().record(try Self.request(server.socketPath))
            #expect(record.bodyText == "api.test/p?q", "\(String(describing: record.error))")
        }
    }

    @Test("A socket where nobody listens is named")
    func refused() async throws {
        let server = try NginxServer()
        try #require(await CurlTransport().record(try Self.request(server.socketPath)).error == nil)
        // The file is left behind by a server that was killed.
        let path = server.socketPath
        server.stop()
        let error = try #require(await CurlTransport().record(try Self.request(path)).error)
        #expect(error.isBeforeSending)
        #expect(error.message.contains(path), "\(error.message)")
    }
}
