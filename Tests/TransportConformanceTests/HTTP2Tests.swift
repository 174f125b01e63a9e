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
        arguments: TransportUnderTest.all)
    func versionDoesNotStay(_ subject: TransportUnderTest) async throws {
        let server = try server("location / { return 200 ok; }")
        let transport = try subject.make()
        let versions: [ConnectionOptions.HTTPVersion?] = [nil, .http1, .http2, .http1, nil]
        for version in versions {
            let record = await transport.record(
                try server.request(connection: options(version)))
            #expect(record.heads.map(\.version) == [version == .http1 ? "1.1" : "2"])
        }
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
        let body = [UInt8](repeating: UInt8(ascii: "x"), count: 3 << 20)
        let put = await transport.record(
            try server.request("PUT", "/file", body: .bytes(body), connection: options()))
        #expect(put.status == 201, "\(String(describing: put.error))")
        let get = await transport.record(
            try server.request("GET", "/file", connection: options()))
        #expect(get.body.count == body.count)
        let head = await transport.record(
            try server.request("HEAD", "/file", connection: options()))
        #expect(head.heads.first?.fields["Content-Length"] == "\(body.count)")
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
        for (number, recorder) in recorders.enumerated() {
            let record = await recorder.finished()
            #expect(record.bodyText == "/\(number)", "\(String(describing: record.error))")
        }
        let deliveries = server.stop()
        #expect(deliveries.count == 50)
        #expect(Set(deliveries.map(\.connection)).count == 1)
        #expect(deliveries.allSatisfy { $0.version == "HTTP/2.0" })
    }

    @Test(
        "A cancel ends one exchange of a connection and leaves the others alone",
        arguments: TransportUnderTest.all)
    func cancelOne(_ subject: TransportUnderTest) async throws {
        let server = try server("location /slow { limit_rate 1k; }")
        _ = try server.write([UInt8](repeating: 0x78, count: 100_000), as: "slow")
        _ = try server.write(Array("ok".utf8), as: "ok")
        let transport = try subject.make()
        let slow = Recorder()
        let exchange = transport.start(
            try server.request("GET", "/slow", connection: options()), receiver: slow)
        await slow.headReceived()
        exchange.cancel()
        #expect(await slow.finished().error?.code == .cancelled)
        let next = await transport.record(
            try server.request("GET", "/ok", connection: options()))
        #expect(next.bodyText == "ok")
        #expect(next.metrics?.isConnectionReused == true)
    }
}
