import PipelineCore
import PipelineCurl
import TestSupport
import Testing

@Suite(
    "Whom TLS connections trust", .timeLimit(.minutes(1)),
    .enabled(if: TLSServer.isAvailable, "needs the program openssl"))
struct TrustTests {
    private static func request(
        _ server: TLSServer, host: String = "127.0.0.1"
    ) throws
        -> HTTPRequest
    {
        HTTPRequest(url: try HTTPURL("https://\(host):\(server.port)/"), timeout: .seconds(20))
    }

    @Test("A certificate that nobody vouches for is refused before anything is sent")
    func unknownCertificate() async throws {
        let server = try TLSServer()
        let error = try #require(await CurlTransport().record(try Self.request(server)).error)
        #expect(error.code == .tls)
        #expect(error.isBeforeSending)
        #expect(error.message.hasPrefix("no trusted TLS connection to 127.0.0.1:\(server.port): "))
        #expect(error.message.contains("certificate"))
    }

    @Test("A certificate that the request names is trusted, for its own host only")
    func certificateFile() async throws {
        let server = try TLSServer()
        let transport = CurlTransport()
        var request = try Self.request(server)
        request.connection.tls.authorities = server.certificateFile
        let record = await transport.record(request)
        #expect(record.status == 200)
        let timings = try #require(record.metrics?.timings)
        #expect(timings.connect < timings.secureConnect)

        var other = try Self.request(server, host: "localhost")
        other.connection.tls.authorities = server.certificateFile
        #expect(await transport.record(other).error?.code == .tls)
    }

    @Test("A certificate file that is not there is named")
    func missingCertificateFile() async throws {
        let server = try TLSServer()
        var request = try Self.request(server)
        request.connection.tls.authorities = "/no/such/file.pem"
        let error = try #require(await CurlTransport().record(request).error)
        #expect(error.code == .invalidRequest)
        #expect(
            error.message
                == "the file of certificates to trust, /no/such/file.pem, cannot be used: "
                + "no such file or directory")
        #expect(error.isBeforeSending)
    }

    @Test("Trust that one request gives up is not given up by the next, in any order")
    func trustDoesNotStay() async throws {
        let server = try TLSServer()
        let transport = CurlTransport()
        let strict = try Self.request(server)
        var lax = strict
        lax.connection.tls.isVerified = false
        var named = strict
        named.connection.tls.authorities = server.certificateFile
        for (request, isTrusted) in [
            (lax, true), (strict, false), (named, true), (strict, false), (lax, true),
            (strict, false),
        ] {
            let record = await transport.record(request)
            #expect(record.error?.code == (isTrusted ? nil : .tls))
        }
    }

    @Test("A server without TLS is no server for https")
    func plainServer() async throws {
        let server = try ByteServer { connection in
            connection.send("HTTP/1.1 200 OK\r\n\r\n")
        }
        let url = try HTTPURL("https://\(server.authority)/")
        let error = try #require(
            await CurlTransport().record(HTTPRequest(url: url, timeout: .seconds(20))).error)
        #expect(error.code == .tls, "\(error)")
        #expect(error.isBeforeSending)
    }
}
