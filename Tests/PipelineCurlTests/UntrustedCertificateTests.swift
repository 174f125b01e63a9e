import PipelineCore
import PipelineCurl
import TestSupport
import Testing

@Suite(
    "A certificate that is not trusted is looked at", .timeLimit(.minutes(1)),
    .enabled(
        if: NginxServer.isAvailable && CertificateAuthority.isAvailable, "needs nginx and openssl"))
struct UntrustedCertificateTests {
    private let authority: CertificateAuthority
    private let transport = CurlTransport()

    init() throws {
        authority = try CertificateAuthority()
    }

    private func trusting(_ change: (inout TLSOptions) -> Void = { _ in }) -> ConnectionOptions {
        var options = ConnectionOptions()
        options.tls.authorities = authority.certificate
        change(&options.tls)
        return options
    }

    private func message(_ request: HTTPRequest) async throws -> String {
        let error = try #require(await transport.record(request).error)
        #expect(error.code == .tls)
        #expect(error.libraryCode == 60)
        #expect(error.isBeforeSending)
        return error.message
    }

    @Test("One that has expired is told with its day, of another name with its names")
    func faults() async throws {
        let expired = try NginxServer(
            tls: NginxServer.TLS(
                try authority.issue(
                    "localhost", alternatives: "DNS:localhost,IP:127.0.0.1", isExpired: true)))
        let expiry = try await message(try expired.request(connection: trusting()))
        let prefix =
            "no trusted TLS connection to 127.0.0.1:\(expired.port): "
            + "the certificate of 127.0.0.1 expired on "
        #expect(expiry.hasPrefix(prefix + "20"), "\(expiry)")
        #expect(expiry.hasSuffix(", issued by CN = Test Authority"), "\(expiry)")

        let other = try NginxServer(
            tls: NginxServer.TLS(
                try authority.issue("a", alternatives: "DNS:a.test,DNS:b.test,IP:192.0.2.1")))
        #expect(
            try await message(try other.request(host: "localhost", connection: trusting()))
                == "no trusted TLS connection to localhost:\(other.port): the certificate is for "
                + "a.test, b.test, 192.0.2.1, not for localhost, issued by CN = Test Authority")
        #expect(expired.stop().isEmpty)
        #expect(other.stop().isEmpty)
    }

    @Test("One that nobody vouches for is told with its issuer, each time, and nothing is sent")
    func unknownIssuer() async throws {
        var tls = NginxServer.TLS(try authority.issueForLoopback())
        tls.hasHTTP2 = true
        let server = try NginxServer("location / { return 200 ok; }", tls: tls)
        for _ in 1...3 {
            let message = try await message(try server.request("POST", body: .bytes([1])))
            #expect(
                message.hasPrefix(
                    "no trusted TLS connection to 127.0.0.1:\(server.port): the certificate of "
                        + "127.0.0.1 is not trusted: issued by CN = Test Authority ("),
                "\(message)")
        }
        // Neither the lax connection nor its options stay.
        let record = await transport.record(try server.request(connection: trusting()))
        #expect(record.status == 200, "\(String(describing: record.error))")
        #expect(record.metrics?.isConnectionReused == false)
        #expect(server.stop().count == 1)
    }

    @Test("Where nothing more is found out in time, the failure stays as it was")
    func silence() async throws {
        let server = try NginxServer(tls: NginxServer.TLS(try authority.issueForLoopback()))
        let isAsked = Gate()
        let relay = try Relay(to: server.port, onSecond: { isAsked.open() })
        let request = HTTPRequest(
            url: try HTTPURL("https://127.0.0.1:\(relay.port)/"), timeout: .milliseconds(500))
        let start = ContinuousClock.now
        let record = await transport.record(request)
        #expect(start.duration(to: try #require(record.finishedAt)) < .seconds(2))
        let message = record.error?.message ?? ""
        #expect(record.error?.code == .tls)
        #expect(
            message.hasPrefix(
                "no trusted TLS connection to 127.0.0.1:\(relay.port): SSL certificate problem: "),
            "\(message)")
        await isAsked.wait()
    }

    @Test("A cancel lands at once, also while it is looked at")
    func cancel() async throws {
        let server = try NginxServer(tls: NginxServer.TLS(try authority.issueForLoopback()))
        let exchange = Locked<(any Exchange)?>(nil)
        let start = Locked<ContinuousClock.Instant?>(nil)
        let relay = try Relay(to: server.port) {
            start.change { $0 = .now }
            exchange.value?.cancel()
        }
        let recorder = Recorder()
        let url = try HTTPURL("https://127.0.0.1:\(relay.port)/")
        let request = HTTPRequest(url: url, timeout: .seconds(20))
        // With the lock held, so that it is there when it is to be cancelled.
        exchange.change { $0 = transport.start(request, receiver: recorder) }
        let record = await recorder.finished()
        let end = try #require(record.finishedAt)
        #expect(try #require(start.value).duration(to: end) < .milliseconds(250))
        #expect(record.error?.code == .cancelled)
        #expect(record.error?.isBeforeSending == true)
        #expect(record.results.count == 1)
    }

    @Test("An authority that the request names does not vouch for what another has issued")
    func otherAuthority() async throws {
        let other = try CertificateAuthority("Other Authority")
        let server = try NginxServer(tls: NginxServer.TLS(try authority.issueForLoopback()))
        var options = ConnectionOptions()
        options.tls.authorities = other.certificate
        let message = try await message(try server.request(connection: options))
        #expect(message.contains("issued by CN = Test Authority"), "\(message)")
    }

    @Test("A certificate or key that is none is named")
    func damagedFiles() async throws {
        let server = try NginxServer(tls: NginxServer.TLS(try authority.issueForLoopback()))
        let client = try authority.issue("ada", alternatives: "DNS:ada.test")
        for (options, name) in [
            (trusting { $0.authorities = client.key }, client.key),
            (trusting { $0.certificate = client.key }, client.key),
            (
                trusting {
                    $0.certificate = client.certificate
                    $0.key = client.certificate
                }, client.certificate
            ),
        ] {
            let error = try #require(
                await transport.record(try server.request(connection: options)).error)
            #expect(error.code == .invalidRequest, "\(error)")
            #expect(error.message.contains(name), "\(error.message)")
            #expect(error.isBeforeSending)
        }
    }
}
