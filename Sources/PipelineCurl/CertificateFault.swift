import PipelineCore

/// Says why a certificate was not trusted, in the words of what it holds.
enum CertificateFault {
    /// Such as `the certificate of api.test expired on 2026-01-02, issued by CN = CA`.
    ///
    /// - Parameters:
    ///   - reason: What libcurl said when it refused the certificate.
    ///   - chain: libcurl's lines about each certificate that the server sent, its own first.
    ///   - host: Whom the certificate should be of.
    ///   - now: The present moment, as ``Certificate/expires`` is written.
    /// - Returns: `nil` when the lines tell nothing.
    static func explanation(
        reason: String, chain: [[String]], host: String, now: String
    ) -> String? {
        guard let lines = chain.first, let own = Certificate(libcurlLines: lines) else {
            return nil
        }
        let issued = "issued by \(shown(own.issuer))"
        let words = reason.lowercased()
        let certificates = chain.compactMap(Certificate.init(libcurlLines:))
        if words.contains("expired"), let expired = certificates.first(where: { $0.expires <= now })
        {
            let name =
                expired == own
                ? "of \(host)" : "\(shown(expired.subject)), which vouches for \(host),"
            return "the certificate \(name) expired on \(expired.expires.prefix(10)), "
                + "issued by \(shown(expired.issuer))"
        }
        if words.contains("not yet valid"), let start = start(lines) {
            return "the certificate of \(host) is not valid before \(start), \(issued)"
        }
        if words.contains("target host name") {
            return "the certificate is for \(names(lines, own)), not for \(host), \(issued)"
        }
        let detail = reason.split(separator: ": ").last.map { " (\($0))" } ?? ""
        return "the certificate of \(host) is not trusted: \(issued)\(detail)"
    }

    private static func start(_ lines: [String]) -> Substring? {
        let text = lines.first { $0.hasPrefix("Start date:") }
        return text.flatMap { Certificate.dateTime(String($0.dropFirst(11))) }?.prefix(10)
    }

    /// The names a client compares (RFC 6125, section 6.4): the subject counts where none is given.
    private static func names(_ lines: [String], _ certificate: Certificate) -> String {
        let title = "X509v3 Subject Alternative Name:"
        guard let line = lines.first(where: { $0.hasPrefix(title) }) else {
            return shown(certificate.subject)
        }
        let names = line.dropFirst(title.count).split(separator: ",").map { name in
            name.split(separator: ":", maxSplits: 1).last.map(String.init) ?? ""
        }
        let more = names.count > nameLimit ? " and \(names.count - nameLimit) more" : ""
        return shown(names.prefix(nameLimit).joined(separator: ", ")) + more
    }

    private static let nameLimit = 5

    /// Not more of a name than a person reads: the server can write what it likes.
    private static func shown(_ text: String) -> String {
        text.count > 200 ? text.prefix(200) + "…" : text
    }
}
