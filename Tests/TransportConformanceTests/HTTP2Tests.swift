import PipelineCore
import TestSupport
import Testing

@Suite("HTTP/2", .timeLimit(.minutes(1)), .needsNginx, .needsOpenSSL)
struct HTTP2Tests {
    private let authority: CertificateAuthority

    init() throws {
        authority = try CertificateAuthority()
    }

    private func server(_ directives: String, hasHTTP2: Bool = true) throws -> NginxServer {
        var tls = NginxServer.TLS(try authority.issueForLoopback())
        tls.hasHTTP2 = hasHTTP2
        return try NginxServer(directives, tls: tls)
    }

    private func options(_ version: ConnectionOptions.HTTPVersion? = nil) -> ConnectionOptions {
        var options = ConnectionOptions()
        options.tls.authorities = authority.certificate
        options.version = version
        return options
    }

    struct Offer: Sendable, CustomTestStringConvertible {
        var asked: ConnectionOptions.HTTPVersion?
        var hasHTTP2: Bool
        var spoken: String

        var testDescription: String {
            "\(asked?.rawValue ?? "the best") of a server \(hasHTTP2 ? "with" : "without") HTTP/2"
        }
    }

    @Test(
        "The version is the best that both have, or the one that is asked for",
        arguments: TransportUnderTest.all,
        [
            Offer(hasHTTP2: true, spoken: "2"), Offer(hasHTTP2: false, spoken: "1.1"),
            Offer(asked: .http1, hasHTTP2: true, spoken: "1.1"),
            Offer(asked: .http2, hasHTTP2: true, spoken: "2"),
            Offer(asked: .http2, hasHTTP2: false, spoken: "1.1"),
        ])
    func version(_ subject: TransportUnderTest, _ offer: Offer) async throws {
        let server = try server("location / { return 200 ok; }", hasHTTP2: offer.hasHTTP2)
        let record = try await subject.make(row: offer.testDescription).record(
            try server.request(connection: options(offer.asked)))
        #expect(record.bodyText == "ok", "\(String(describing: record.error))")
        #expect(record.heads.map(\.version) == [offer.spoken])
        #expect(server.stop().map(\.version) == [offer.spoken == "2" ? "HTTP/2.0" : "HTTP/1.1"])
    }

    @Test(
        "A version that one request asks for is not the next one's, in any order",
        arguments: TransportUnderTest.all, [nil, .http1] as [ConnectionOptions.HTTPVersion?])
    func versionDoesNotStay(
        _ subject: TransportUnderTest, _ first: ConnectionOptions.HTTPVersion?
    ) async throws {
        let server = try server("location / { return 200 ok; }")
        let transport = try subject.make()
        let versions: [ConnectionOptions.HTTPVersion?] = [
            first, nil, .http1, .http2, .http1, nil, .http1,
        ]
        for version in versions {
            let record = await transport.record(
                try server.request(connection: options(version)))
            #expect(record.heads.map(\.version) == [version == .http1 ? "1.1" : "2"])
        }
        // Nor is a connection opened for each.
        #expect(Set(server.stop().map(\.connection)).count == 2)
    }

    @Test("HTTP/3 is spoken or refused, never replaced", arguments: TransportUnderTest.all)
    func http3(_ subject: TransportUnderTest) async throws {
        let server = try server("location / { return 200 ok; }")
        let record = try await subject.make().record(
            try server.request(connection: options(.http3)))
        let error = try #require(record.error)
        #expect(error.isBeforeSending)
        #expect(server.stop().isEmpty)
    }

    @Test(
        "Methods, fields and bodies are the same as ever", arguments: TransportUnderTest.all)
    func message(_ subject: TransportUnderTest) async throws {
        let server = try server(
            """
            dav_methods PUT;
            location = /echo {
                add_header Set-Cookie "a=1; Path=/none";
                add_header Set-Cookie "b=2; Path=/none";
                return 200 "$request_method $http_x_token $http_host";
            }
            """)
        let transport = try subject.make()
        let echo = await transport.record(
            try server.request("GET", "/echo", fields: ["X-Token": "t"], connection: options()))
        #expect(echo.bodyText == "GET t 127.0.0.1:\(server.port)")
        #expect(
            echo.heads.first?.fields.values(of: "Set-Cookie")
                == ["a=1; Path=/none", "b=2; Path=/none"])
        let content = (0..<1_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        let file = try server.write(content, as: "sent")
        let body = HTTPRequest.Body.pieces([.bytes([1]), .file(path: file, size: content.count)])
        let put = await transport.record(
            try server.request("PUT", "/file", body: body, connection: options()))
        #expect(put.status == 201, "\(String(describing: put.error))")
        let get = await transport.record(
            try server.request("GET", "/file", connection: options()))
        let isSame = get.body == [1] + content
        #expect(isSame)
        let head = await transport.record(
            try server.request("HEAD", "/file", connection: options()))
        #expect(head.heads.first?.fields["Content-Length"] == "\(body.size)")
        #expect(head.body.isEmpty && head.error == nil)
        let deliveries = server.stop()
        #expect(deliveries.map(\.method) == ["GET", "PUT", "GET", "HEAD"])
        #expect(Set(deliveries.map(\.connection)).count == 1)
    }

    @Test("Fifty exchanges at once share one connection", arguments: TransportUnderTest.all)
    func fiftyAtOnce(_ subject: TransportUnderTest) async throws {
        let server = try server("location / { return 200 $request_uri; }")
        let transport = try subject.make()
        let recorders = (1...50).map { _ in Recorder() }
        for (number, recorder) in recorders.enumerated() {
            _ = transport.start(
                try server.request("GET", "/\(number)", connection: options()),
                receiver: recorder)
        }
        var newConnections = 0
        for (number, recorder) in recorders.enumerated() {
            let record = await recorder.finished()
            #expect(record.bodyText == "/\(number)", "\(String(describing: record.error))")
            if record.metrics?.isConnectionReused == false { newConnections += 1 }
        }
        #expect(newConnections == 1)
        let deliveries = server.stop()
        #expect(deliveries.count == 50)
        #expect(Set(deliveries.map(\.connection)).count == 1)
        #expect(deliveries.allSatisfy { $0.version == "HTTP/2.0" })
    }

    @Test(
        "Fifty exchanges at once are served by a server without it, too",
        arguments: TransportUnderTest.all)
    func fiftyWithoutIt(_ subject: TransportUnderTest) async throws {
        let server = try server("location / { return 200 $request_uri; }", hasHTTP2: false)
        let transport = try subject.make()
        let recorders = (1...50).map { _ in Recorder() }
        for (number, recorder) in recorders.enumerated() {
            _ = transport.start(
                try server.request("GET", "/\(number)", connection: options(.http2)),
                receiver: recorder)
        }
        for (number, recorder) in recorders.enumerated() {
            let record = await recorder.finished()
            #expect(record.bodyText == "/\(number)", "\(String(describing: record.error))")
            #expect(record.heads.map(\.version) == ["1.1"])
        }
        #expect(server.stop().count == 50)
    }

    @Test(
        "A cancel ends one exchange of a connection and leaves the others alone",
        arguments: TransportUnderTest.all)
    func cancelOne(_ subject: TransportUnderTest) async throws {
        let server = try server("location /slow { limit_rate 100k; }")
        let body = [UInt8](repeating: UInt8(ascii: "x"), count: 100_000)
        _ = try server.write(body, as: "slow")
        let transport = try subject.make()
        let request = try server.request("GET", "/slow", connection: options())
        let recorders = [Recorder(), Recorder()]
        let exchanges = recorders.map { transport.start(request, receiver: $0) }
        for recorder in recorders { await recorder.headReceived() }
        let start = ContinuousClock.now
        exchanges[1].cancel()
        let cancelled = await recorders[1].finished()
        #expect(cancelled.error?.code == .cancelled)
        let end = try #require(cancelled.finishedAt)
        #expect(start.duration(to: end) < .milliseconds(250))
        let next = await transport.record(
            try server.request("GET", "/none", connection: options()))
        #expect(next.metrics?.isConnectionReused == true)
        #expect(await recorders[0].finished().body == body)
    }
}
