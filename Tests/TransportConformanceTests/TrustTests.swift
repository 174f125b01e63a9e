import PipelineCore
import TestSupport
import Testing

@Suite(
    "Whom TLS connections trust", .timeLimit(.minutes(1)), .needsNginx, .needsOpenSSL)
struct TrustTests {
    private let authority: CertificateAuthority

    init() throws {
        authority = try CertificateAuthority()
    }

    private func server(_ change: (inout NginxServer.TLS) -> Void = { _ in }) throws -> NginxServer
    {
        var tls = NginxServer.TLS(try authority.issueForLoopback())
        change(&tls)
        return try NginxServer("location / { return 200 $ssl_client_s_dn; }", tls: tls)
    }

    /// Options that trust the authority of the test.
    private func trusting(_ change: (inout TLSOptions) -> Void = { _ in }) -> ConnectionOptions {
        var options = ConnectionOptions()
        options.tls.authorities = authority.certificate
        change(&options.tls)
        return options
    }

    @Test(
        "A certificate that nobody vouches for is refused before anything is sent",
        arguments: TransportUnderTest.all)
    func unknownCertificate(_ subject: TransportUnderTest) async throws {
        let server = try server()
        let error = try #require(try await subject.make().record(try server.request()).error)
        #expect(error.code == .tls)
        #expect(error.isBeforeSending)
        #expect(error.message.contains("127.0.0.1:\(server.port)"), "\(error.message)")
        #expect(error.message.contains("certificate"), "\(error.message)")
        #expect(server.stop().isEmpty)
    }

    @Test(
        "An authority that the request names is trusted, for each name of its certificate",
        arguments: TransportUnderTest.all, ["127.0.0.1", "localhost", "[::1]"])
    func authorityFile(_ subject: TransportUnderTest, _ host: String) async throws {
        let server = try server()
        let record = try await subject.make(row: host).record(
            try server.request(host: host, connection: trusting()))
        #expect(record.status == 200, "\(String(describing: record.error))")
        let timings = try #require(record.metrics?.timings)
        #expect(timings.connect < timings.secureConnect)
    }

    @Test(
        "A certificate for another name is refused before anything is sent",
        arguments: TransportUnderTest.all)
    func otherName(_ subject: TransportUnderTest) async throws {
        let files = try authority.issue("other.test", alternatives: "DNS:other.test")
        let server = try NginxServer(tls: NginxServer.TLS(files))
        let transport = try subject.make()
        let error = try #require(
            await transport.record(
                try server.request(host: "localhost", connection: trusting())
            ).error)
        #expect(error.code == .tls)
        #expect(error.isBeforeSending)
        #expect(error.message.contains("localhost"), "\(error.message)")
        #expect(server.stop().isEmpty)
    }

    @Test(
        "A certificate that has expired is called that, before anything is sent",
        arguments: TransportUnderTest.all)
    func expiredCertificate(_ subject: TransportUnderTest) async throws {
        let files = try authority.issue(
            "localhost", alternatives: "DNS:localhost,IP:127.0.0.1", isExpired: true)
        let server = try NginxServer(tls: NginxServer.TLS(files))
        let error = try #require(
            try await subject.make().record(try server.request(connection: trusting())).error)
        #expect(error.code == .tls)
        #expect(error.isBeforeSending)
        #expect(error.message.contains("expired"), "\(error.message)")
        #expect(server.stop().isEmpty)
    }

    @Test("An authority file that is not there is named", arguments: TransportUnderTest.all)
    func missingAuthorityFile(_ subject: TransportUnderTest) async throws {
        let server = try server()
        let options = trusting { $0.authorities = "/no/such/file.pem" }
        let error = try #require(
            try await subject.make().record(try server.request(connection: options)).error)
        #expect(error.code == .tls || error.code == .invalidRequest)
        #expect(error.message.contains("/no/such/file.pem"), "\(error.message)")
        #expect(error.isBeforeSending)
    }

    @Test(
        "Trust that one request gives up is not given up by the next, in any order",
        arguments: TransportUnderTest.all)
    func trustDoesNotStay(_ subject: TransportUnderTest) async throws {
        let server = try server()
        let transport = try subject.make()
        let strict = ConnectionOptions()
        var lax = strict
        lax.tls.isVerified = false
        for (options, isTrusted) in [
            (lax, true), (strict, false), (trusting(), true), (strict, false), (lax, true),
            (strict, false),
        ] {
            let record = await transport.record(try server.request(connection: options))
            #expect(record.error?.code == (isTrusted ? nil : .tls))
        }
    }

    @Test(
        "A connection made without verifying is of no use to who verifies, and the reverse",
        arguments: TransportUnderTest.all)
    func laxConnection(_ subject: TransportUnderTest) async throws {
        let server = try server()
        let transport = try subject.make()
        var reused: [Bool?] = []
        for options in [
            trusting { $0.isVerified = false }, trusting { $0.isVerified = false }, trusting(),
            trusting(), trusting { $0.minimumVersion = .tls12 }, trusting(),
        ] {
            let record = await transport.record(try server.request(connection: options))
            #expect(record.status == 200, "\(String(describing: record.error))")
            reused.append(record.metrics?.isConnectionReused)
        }
        #expect(reused == [false, true, false, true, false, true])
    }

    @Test(
        "A client's certificate is shown to a server that asks",
        arguments: TransportUnderTest.all)
    func clientCertificate(_ subject: TransportUnderTest) async throws {
        let server = try server { $0.clientAuthority = authority.certificate }
        let client = try authority.issue("ada", alternatives: "DNS:ada.test")
        let transport = try subject.make()
        let shown = await transport.record(
            try server.request(
                connection: trusting {
                    $0.certificate = client.certificate
                    $0.key = client.key
                }))
        #expect(shown.status == 200, "\(String(describing: shown.error))")
        #expect(shown.bodyText == "CN=ada")

        // Neither the certificate nor the connection that it opened is the next request's.
        let anonymous = await transport.record(try server.request(connection: trusting()))
        #expect(anonymous.status != 200)
    }

    @Test(
        "A client's certificate that is not there is named, before anything is sent",
        arguments: TransportUnderTest.all)
    func missingClientCertificate(_ subject: TransportUnderTest) async throws {
        let server = try server()
        let options = trusting { $0.certificate = "/no/such/client.pem" }
        let error = try #require(
            try await subject.make().record(try server.request(connection: options)).error)
        #expect(error.code == .tls || error.code == .invalidRequest)
        #expect(error.message.contains("/no/such/client.pem"), "\(error.message)")
        #expect(error.isBeforeSending)
        #expect(server.stop().isEmpty)
    }

    @Test(
        "A version of TLS below the lowest that is wanted is refused",
        arguments: TransportUnderTest.all)
    func minimumVersion(_ subject: TransportUnderTest) async throws {
        let server = try server { $0.versions = "TLSv1.2" }
        let transport = try subject.make()
        for (version, isEnough) in [(TLSOptions.Version.tls12, true), (.tls13, false)] {
            let record = await transport.record(
                try server.request(connection: trusting { $0.minimumVersion = version }))
            #expect(record.error?.code == (isEnough ? nil : .tls))
            #expect(record.error?.isBeforeSending != false)
        }
        #expect(server.stop().map(\.tlsVersion) == ["TLSv1.2"])
    }

    @Test("The best version of TLS is spoken", arguments: TransportUnderTest.all)
    func bestVersion(_ subject: TransportUnderTest) async throws {
        let server = try server()
        _ = try await subject.make().record(try server.request(connection: trusting()))
        #expect(server.stop().map(\.tlsVersion) == ["TLSv1.3"])
    }

    @Test(
        "The server's certificate is told to every exchange that wants it, and to no other",
        arguments: TransportUnderTest.all)
    func certificate(_ subject: TransportUnderTest) async throws {
        let server = try server()
        let transport = try subject.make()
        var request = try server.request(connection: trusting())
        for wantsCertificate in [false, true, true, false, true] {
            request.wantsCertificate = wantsCertificate
            let record = await transport.record(request)
            #expect(record.status == 200, "\(String(describing: record.error))")
            let certificate = record.metrics?.certificate
            #expect((certificate != nil) == wantsCertificate)
            if let certificate {
                #expect(certificate.subject.contains("localhost"))
                #expect(certificate.issuer.contains("Test Authority"))
                #expect(certificate.expires.hasSuffix("Z"))
            }
        }
    }

    @Test("A server without TLS is no server for https", arguments: TransportUnderTest.all)
    func plainServer(_ subject: TransportUnderTest) async throws {
        let server = try ByteServer { connection in
            connection.send("HTTP/1.1 200 OK\r\n\r\n")
        }
        let url = try HTTPURL("https://\(server.authority)/")
        let error = try #require(
            try await subject.make().record(HTTPRequest(url: url, timeout: .seconds(20))).error)
        #expect(error.code == .tls, "\(error)")
        #expect(error.isBeforeSending)
    }
}
