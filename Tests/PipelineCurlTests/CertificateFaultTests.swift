import PipelineCore
import Testing

@testable import PipelineCurl

@Suite("What is said of a certificate that was refused")
struct CertificateFaultTests {
    private static let own = [
        "Subject:O = a, CN = api.test", "Issuer:CN = Middle",
        "Start date:Jan  2 03:04:05 2026 GMT", "Expire date:Mar  4 03:04:05 2027 GMT",
        "X509v3 Subject Alternative Name:DNS:api.test, DNS:*.api.test, IP Address:192.0.2.1",
    ]
    private static let middle = [
        "Subject:CN = Middle", "Issuer:CN = Root", "Start date:Jan  2 03:04:05 2026 GMT",
        "Expire date:Dec  4 03:04:05 2026 GMT",
    ]

    @Test(
        "The reason decides what is told",
        arguments: [
            (
                "SSL certificate problem: certificate has expired", "2027-06-01T00:00:00Z",
                "the certificate of host expired on 2027-03-04, issued by CN = Middle"
            ),
            (
                "SSL certificate problem: certificate has expired", "2027-01-01T00:00:00Z",
                "the certificate CN = Middle, which vouches for host, expired on 2026-12-04, "
                    + "issued by CN = Root"
            ),
            (
                // Not one of those that the server sent.
                "SSL certificate problem: certificate has expired", "2026-06-01T00:00:00Z",
                "the certificate of host is not trusted: issued by CN = Middle "
                    + "(certificate has expired)"
            ),
            (
                "SSL certificate problem: certificate is not yet valid", "2025-06-01T00:00:00Z",
                "the certificate of host is not valid before 2026-01-02, issued by CN = Middle"
            ),
            (
                "SSL: no alternative certificate subject name matches target host name 'host'",
                "2026-06-01T00:00:00Z",
                "the certificate is for api.test, *.api.test, 192.0.2.1, not for host, "
                    + "issued by CN = Middle"
            ),
            (
                "SSL certificate problem: unable to get local issuer certificate",
                "2026-06-01T00:00:00Z",
                "the certificate of host is not trusted: issued by CN = Middle "
                    + "(unable to get local issuer certificate)"
            ),
            (
                "", "2026-06-01T00:00:00Z",
                "the certificate of host is not trusted: issued by CN = Middle"
            ),
        ])
    func reasons(reason: String, now: String, expected: String) {
        let explanation = CertificateFault.explanation(
            reason: reason, chain: [Self.own, Self.middle], host: "host", now: now)
        #expect(explanation == expected)
    }

    @Test("Without names of its own the subject counts, and of many names a few are shown")
    func names() {
        let reason = "SSL: certificate subject name 'a' does not match target host name 'host'"
        func explanation(_ lines: [String]) -> String? {
            CertificateFault.explanation(
                reason: reason, chain: [lines], host: "host", now: "2026-06-01T00:00:00Z")
        }
        #expect(
            explanation(Self.middle)
                == "the certificate is for CN = Middle, not for host, issued by CN = Root")
        let names = (1...9).map { "DNS:\($0).test" }.joined(separator: ", ")
        #expect(
            explanation(Self.middle + ["X509v3 Subject Alternative Name:\(names)"])
                == "the certificate is for 1.test, 2.test, 3.test, 4.test, 5.test and 4 more, "
                + "not for host, issued by CN = Root")
    }

    @Test func `a subject of any length does not make the message long`() {
        var lines = Self.middle
        lines[1] = "Issuer:CN = \(String(repeating: "x", count: 50_000))"
        let explanation = CertificateFault.explanation(
            reason: "", chain: [lines], host: "host", now: "2026-06-01T00:00:00Z")
        #expect((explanation?.count).map { $0 < 300 } == true)
    }

    @Test func `nothing is told where the library tells nothing`() {
        for chain in [[], [[]], [["Subject:CN = a"]]] as [[[String]]] {
            #expect(
                CertificateFault.explanation(
                    reason: "", chain: chain, host: "host", now: "2026-06-01T00:00:00Z") == nil)
        }
    }

    @Test func `the present moment is written like those of certificates`() {
        #expect(Moment(rfc3339: systemDateTime()) != nil)
        #expect(systemDateTime() > "2026-01-01T00:00:00Z")
    }
}
