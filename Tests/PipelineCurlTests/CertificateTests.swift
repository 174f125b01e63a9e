import PipelineCore
import TestSupport
import Testing

@testable import PipelineCurl

@Suite("The server's certificate, as libcurl tells it")
struct CertificateTests {
    @Test(
        "Dates of every TLS library become those of RFC 3339",
        arguments: [
            ("Nov 30 07:58:22 2027 GMT", "2027-11-30T07:58:22Z"),
            ("Dec  1 00:00:00 2027 GMT", "2027-12-01T00:00:00Z"),
            ("Feb 29 23:59:59 2028 GMT", "2028-02-29T23:59:59Z"),
            ("2027-11-30 07:58:22 GMT", "2027-11-30T07:58:22Z"),
            ("Feb 29 23:59:59 2027 GMT", nil), ("Nov 30 07:58:22 2027", nil),
            ("Nov 30 07:58:22 2027 CET", nil), ("Nor 30 07:58:22 2027 GMT", nil),
            ("Nov 30 7:58 2027 GMT", nil), ("30.11.2027 07:58:22 GMT", nil),
            ("Bad time value", nil), ("GMT", nil), ("", nil),
        ])
    func dates(text: String, expected: String?) {
        #expect(Certificate.dateTime(text) == expected)
    }

    @Test func `a certificate is read from its lines, colons in its names included`() {
        let lines = [
            "Subject:O = a: b, CN = test", "Issuer:CN = Test CA", "Version:2",
            "Start date:Nov 30 07:58:22 2026 GMT", "Expire date:Nov 30 07:58:22 2027 GMT",
        ]
        let expected = Certificate(
            subject: "O = a: b, CN = test", issuer: "CN = Test CA",
            expires: "2027-11-30T07:58:22Z")
        #expect(Certificate(libcurlLines: lines) == expected)
        #expect(Certificate(libcurlLines: lines.dropLast()) == nil)
        #expect(Certificate(libcurlLines: lines.dropLast() + ["Expire date:soon"]) == nil)
    }

    @Test(
        "A pipeline looks at it in each of its requests", .timeLimit(.minutes(1)),
        .enabled(if: NginxServer.isAvailable, "needs nginx: scripts/setup nginx-light"),
        .enabled(if: CertificateAuthority.isAvailable, "needs openssl: scripts/setup openssl"),
        // The certificate of the server is valid for two days.
        arguments: [
            (#"{ "subject": { "matches": "^CN ?= ?localhost$" } }"#, true),
            (#"{ "issuer": { "endsWith": "Test Authority" } }"#, true),
            (#"{ "subject": { "contains": "other" } }"#, false),
            (#"{ "expiresIn": { "gt": "1d", "lt": "3d" } }"#, true),
            (#"{ "expiresIn": { "gt": "14d" } }"#, false),
        ])
    func pipeline(expected: String, isHeld: Bool) async throws {
        let authority = try CertificateAuthority()
        let server = try NginxServer(
            "location / { return 200; }", tls: NginxServer.TLS(try authority.issueForLoopback()))
        let text = """
            { "baseURL": "https://127.0.0.1:\(server.port)",
              "requests": [
                { "name": "first", "url": "/", "captures": { "end": { "certificate": "expires" } } },
                { "name": "second", "url": "/?{{end}}", "expect": { "certificate": \(expected) } } ] }
            """
        var options = RunOptions()
        options.adjustConnection = { [file = authority.certificate] in $0.tls.authorities = file }
        let result = try await Pipeline(parsing: Array(text.utf8), name: "test.json")
            .run(transport: CurlTransport(), options: options)
        #expect(result["first"]?.response?.status == 200)
        #expect(result.isSuccess == isHeld, "\(result["second"]?.error?.message ?? "")")
        #expect(result["second"]?.error?.code == (isHeld ? nil : .expectation))
    }

    @Test(
        "It is asked for on a new connection, because a kept one does not tell it",
        .timeLimit(.minutes(1)))
    func freshConnection() async throws {
        let server = try ByteServer { connection in
            while connection.readRequest() != nil { connection.send(ByteServer.http()) }
        }
        let transport = CurlTransport()
        var connections: [Bool] = []
        for wantsCertificate in [false, false, true, true, false] {
            var request = try server.request()
            request.wantsCertificate = wantsCertificate
            let metrics = try #require(await transport.record(request).metrics)
            connections.append(metrics.isConnectionReused)
            // Not TLS: there is none.
            #expect(metrics.certificate == nil)
        }
        #expect(connections == [false, true, false, false, true])
    }
}
