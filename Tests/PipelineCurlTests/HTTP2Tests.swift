import PipelineCore
import PipelineCurl
import TestSupport
import Testing

@Suite(
    "HTTP/2", .timeLimit(.minutes(1)),
    .enabled(
        if: NginxServer.isAvailable && CertificateAuthority.isAvailable, "needs nginx and openssl"))
struct HTTP2Tests {
    private let authority: CertificateAuthority
    private let transport = CurlTransport()

    init() throws {
        authority = try CertificateAuthority()
    }

    private func server(
        hasHTTP2: Bool = true, _ directives: String = ""
    ) throws -> NginxServer {
        var tls = NginxServer.TLS(try authority.issueForLoopback())
        tls.hasHTTP2 = hasHTTP2
        return try NginxServer("location / { return 200 ok; } \(directives)", tls: tls)
    }

    private func options(_ version: ConnectionOptions.HTTPVersion? = nil) -> ConnectionOptions {
        var options = ConnectionOptions()
        options.tls.authorities = authority.certificate
        options.version = version
        return options
    }

    @Test("Fifty exchanges that start together share one connection")
    func multiplexing() async throws {
        let server = try server()
        let recorders = (0..<50).map { _ in Recorder() }
        for (number, recorder) in recorders.enumerated() {
            let request = try server.request("GET", "/\(number)", connection: options())
            _ = transport.start(request, receiver: recorder)
        }
        var newConnections = 0
        for recorder in recorders {
            let record = await recorder.finished()
            #expect(record.heads.first?.version == "2", "\(String(describing: record.error))")
            #expect(record.bodyText == "ok")
            if record.metrics?.isConnectionReused == false { newConnections += 1 }
        }
        #expect(newConnections == 1)
        #expect(Set(server.stop().map(\.connection)).count == 1)
    }

    @Test("A server that has HTTP/1.1 only is asked fifty times all the same")
    func noMultiplexing() async throws {
        let server = try server(hasHTTP2: false)
        let recorders = (0..<50).map { _ in Recorder() }
        for (number, recorder) in recorders.enumerated() {
            let request = try server.request("GET", "/\(number)", connection: options(.http2))
            _ = transport.start(request, receiver: recorder)
        }
        for recorder in recorders {
            let record = await recorder.finished()
            #expect(record.heads.first?.version == "1.1", "\(String(describing: record.error))")
        }
        #expect(server.stop().count == 50)
    }

    @Test("Hurl #3719: a version that is asked for is never served over a connection of another")
    func versionsAreApart() async throws {
        let server = try server()
        for (version, expected) in [
            (ConnectionOptions.HTTPVersion?.none, "2"), (.http1, "1.1"), (.http2, "2"),
            (.http1, "1.1"), (nil, "2"), (.http1, "1.1"),
        ] {
            let record = await transport.record(
                try server.request(connection: options(version)))
            #expect(record.heads.first?.version == expected, "\(String(describing: version))")
        }
        // Nor is one opened for each.
        #expect(Set(server.stop().map(\.connection)).count == 2)
    }

    @Test("Hurl #3719: begun with HTTP/1.1, a better version is still spoken afterwards")
    func betterVersionAfterwards() async throws {
        let server = try server()
        var versions: [String?] = []
        for version in [ConnectionOptions.HTTPVersion?.some(.http1), nil, .http2, .http1] {
            let record = await transport.record(
                try server.request(connection: options(version)))
            versions.append(record.heads.first?.version)
        }
        #expect(versions == ["1.1", "2", "2", "1.1"])
    }

    @Test("A large body goes up and down, and repeated fields stay repeated")
    func bodies() async throws {
        let server = try server(
            "location /fields { add_header X-A 1; add_header X-A 2; return 200 $http_x_b; }")
        let path = try server.write([UInt8](repeating: 7, count: 3_000_000), as: "large")
        let upload = try server.request(
            "POST", "/up", fields: ["X-B": "1", "x-b": "2"],
            body: .pieces([.bytes([1]), .file(path: path, size: 3_000_000)]),
            connection: options())
        let record = await transport.record(upload)
        #expect(record.status == 200, "\(String(describing: record.error))")
        let fields = await transport.record(
            try server.request(
                "GET", "/fields", fields: ["X-B": "1", "x-b": "2"], connection: options()))
        #expect(fields.heads.first?.fields.values(of: "X-A") == ["1", "2"])
        #expect(fields.bodyText.hasPrefix("1"))
    }

    @Test("A cancel ends one stream and leaves the others of its connection alone")
    func cancel() async throws {
        var tls = NginxServer.TLS(try authority.issueForLoopback())
        tls.hasHTTP2 = true
        let server = try NginxServer("location /slow { limit_rate 100k; }", tls: tls)
        let bytes = [UInt8](repeating: 7, count: 100_000)
        _ = try server.write(bytes, as: "slow")
        let (first, second) = (Recorder(), Recorder())
        let slow = try server.request("GET", "/slow", connection: options())
        _ = transport.start(slow, receiver: first)
        let exchange = transport.start(slow, receiver: second)
        await first.headReceived()
        await second.headReceived()
        let start = ContinuousClock.now
        exchange.cancel()
        let record = await second.finished()
        #expect(start.duration(to: try #require(record.finishedAt)) < .milliseconds(250))
        #expect(record.error?.code == .cancelled)
        let next = await transport.record(
            try server.request("GET", "/none", connection: options()))
        #expect(next.metrics?.isConnectionReused == true)
        #expect(await first.finished().body == bytes)
    }
}
