import PipelineJSON
import Testing

@testable import PipelineCore

@Suite("The server's certificate, in expectations and captures", .timeLimit(.minutes(1)))
struct CertificateTests {
    /// 2027-11-30T07:58:22Z as seconds since 1970.
    private static let expiry = 1_827_561_502

    private static let certificate = Certificate(
        subject: "CN = example.com", issuer: "C = DE, O = Test CA",
        expires: "2027-11-30T07:58:22Z")

    private static func response(_ certificate: Certificate?) -> HTTPResponse {
        var response = HTTPResponse(head: HTTPResponse.Head(status: 200))
        response.metrics.certificate = certificate
        return response
    }

    /// A certificate that expires so many seconds from now.
    private static func certificate(expiringIn seconds: Int) -> Certificate {
        var certificate = certificate
        certificate.expires =
            UTCTime(secondsSince1970: GeneratedValue.timestamp() + seconds, milliseconds: 0)
            .description
        return certificate
    }

    private static func run(
        _ keys: String, _ certificate: Certificate?
    ) async throws -> (RunResult, ScriptedTransport) {
        let transport = ScriptedTransport { _ in .answer(response(certificate)) }
        let text = file("{ \"url\": \"/\", \(keys) }")
        return (try await load(text).run(transport: transport), transport)
    }

    @Test(
        "Each part is compared",
        arguments: [
            (#"{ "subject": "CN = example.com" }"#, true),
            (#"{ "subject": { "contains": "example.org" } }"#, false),
            (#"{ "issuer": { "endsWith": "Test CA" }, "subject": { "contains": ".com" } }"#, true),
            (#"{ "issuer": { "startsWith": "CN" } }"#, false),
            (#"{ "expiresIn": { "gt": "29d", "lt": "31d" } }"#, true),
            (#"{ "expiresIn": { "gte": "31d" } }"#, false),
            (#"{ "expiresIn": { "lte": "29d" } }"#, false),
        ])
    func parts(expected: String, isHeld: Bool) async throws {
        let (result, transport) = try await Self.run(
            #""expect": { "certificate": \#(expected) }"#,
            Self.certificate(expiringIn: 30 * 86_400))
        #expect(result.isSuccess == isHeld, "\(result.requests[0].error?.message ?? "")")
        #expect(transport.requests[0].wantsCertificate)
    }

    @Test(
        "The time that is left is counted in milliseconds, and negative when it has passed",
        arguments: [(90, "90000"), (0, "0"), (-2, "-2000")])
    func timeLeft(seconds: Int, expected: String) throws {
        let view = ResponseView(
            AttemptResponse(
                request: HTTPRequest(url: try HTTPURL("https://a")),
                response: Self.response(Self.certificate), duration: .zero),
            at: Self.expiry - seconds)
        let nodes = try ResponseSource.certificate(.expiresIn).nodes(view)
        #expect(nodes.values.map(\.description) == [expected])
        #expect(nodes.label == "the time until the certificate expires, in ms")
    }

    @Test func `a certificate that has expired fails, and the message says what was asked`()
        async throws
    {
        let (result, _) = try await Self.run(
            #""expect": { "certificate": { "expiresIn": { "gt": "0s" } } }"#,
            Self.certificate(expiringIn: -3_600))
        let message = try #require(result.requests[0].error?.message)
        let start = "expected the time until the certificate expires, in ms to be > 0"
        #expect(message.hasPrefix(start), "\(message)")
        #expect(message.contains("got -36"), "\(message)")
    }

    @Test(
        "There is nothing to look at without TLS",
        arguments: [
            (#"{ "subject": { "exists": false }, "issuer": { "exists": false } }"#, true),
            (#"{ "subject": { "contains": "a" } }"#, false),
            (#"{ "expiresIn": { "lt": "3650d" } }"#, false),
        ])
    func withoutTLS(expected: String, isHeld: Bool) async throws {
        let (result, _) = try await Self.run(
            #""expect": { "certificate": \#(expected) }"#, nil)
        #expect(result.isSuccess == isHeld)
    }

    @Test(
        "Each part can be captured",
        arguments: [
            ("subject", "CN = example.com"), ("issuer", "C = DE, O = Test CA"),
            ("expires", "2027-11-30T07:58:22Z"),
        ])
    func captures(part: String, expected: String) async throws {
        let keys = #""captures": { "c": { "certificate": "\#(part)" } }"#
        let (result, transport) = try await Self.run(keys, Self.certificate)
        #expect(result.value("c")?.string == expected)
        #expect(transport.requests[0].wantsCertificate)

        let (failed, _) = try await Self.run(keys, nil)
        #expect(failed.requests[0].error?.code == .capture)
    }

    @Test func `a certificate that nobody looks at is not asked for`() async throws {
        let (_, transport) = try await Self.run(
            #""expect": { "url": { "exists": true } }, "captures": { "c": { "status": true } }"#,
            nil)
        #expect(!transport.requests[0].wantsCertificate)
    }

    @Test(
        "What is written wrongly is told",
        arguments: [
            (#""expect": { "certificate": { "expires": "a" } }"#, "unknown key \"expires\""),
            (#""expect": { "certificate": {} }"#, "an expectation about a certificate"),
            (#""expect": { "certificate": { "expiresIn": { "gt": 5 } } }"#, "needs a unit"),
            (
                #""captures": { "c": { "certificate": "expiresIn" } }"#,
                #"expected one of "subject", "issuer", "expires""#
            ),
            (#""captures": { "c": { "certificate": "subject", "url": true } }"#, "exactly one"),
        ])
    func invalid(keys: String, message: String) {
        let found = problems(file("{ \"url\": \"/\", \(keys) }"))
        #expect(found.count == 1)
        #expect(found.first?.contains(message) == true, "\(found)")
    }
}
