import PipelineJSON

/// What of a response an expectation or a capture looks at.
enum ResponseSource: Sendable {
    case status
    /// The lines of that name.
    case header(String)
    /// The cookie that the response sets, or one attribute of it.
    case cookie(String, CookieAttribute?)
    case json(JSONPath)
    case text
    /// The size of the decoded body.
    case size
    case sha256
    case md5
    /// From the dispatch to the last byte, in milliseconds.
    case duration
    /// The address of the last request.
    case url
    /// The addresses that redirects led to.
    case redirects
    case redirectCount
    case httpVersion
    /// Of the server's certificate; nothing when the connection was not TLS.
    case certificate(CertificatePart)

    /// What of a certificate can be looked at.
    enum CertificatePart: String, Sendable, CaseIterable {
        case subject
        case issuer
        /// The moment, as text.
        case expires
        /// The time until then, in milliseconds; negative when it has passed.
        case expiresIn
    }

    /// The attributes of a cookie that can be looked at.
    enum CookieAttribute: String, Sendable, CaseIterable {
        case path
        case domain
        case expires
        case maxAge
        case sameSite
        case secure
        case httpOnly
    }

    /// Whether it needs the transport to ask for the server's certificate.
    var isCertificate: Bool {
        if case .certificate = self { true } else { false }
    }

    /// What messages call it.
    var label: String {
        switch self {
        case .status: "the status"
        case .header(let name): "the header \(name)"
        case .cookie(let name, nil): "the cookie \(name)"
        case .cookie(let name, let attribute?): "\(attribute.rawValue) of the cookie \(name)"
        case .json(let path): path.text
        case .text: "the text"
        case .size: "the length of the body"
        case .sha256: "the SHA-256 of the body"
        case .md5: "the MD5 of the body"
        case .duration: "the duration"
        case .url: "the address"
        case .redirects: "the addresses of the redirects"
        case .redirectCount: "the number of redirects"
        case .httpVersion: "the HTTP version"
        case .certificate(.subject): "the subject of the certificate"
        case .certificate(.issuer): "the issuer of the certificate"
        case .certificate(.expires): "the expiry of the certificate"
        case .certificate(.expiresIn): "the time until the certificate expires, in ms"
        }
    }

    /// What is there.
    func nodes(_ view: ResponseView) throws(SourceFailure) -> Nodes {
        switch self {
        case .status: return single(JSONValue(view.response.status))
        case .header(let name):
            return single(view.response.fields.values(of: name).map { JSONValue($0) })
        case .cookie(let name, let attribute):
            let cookie = view.response.fields.values(of: "Set-Cookie")
                .compactMap(SetCookie.init).last { $0.name == name }
            guard let cookie else { return single([]) }
            return single(attribute.map { $0.value(of: cookie) } ?? [JSONValue(cookie.value)])
        case .json(let path):
            return Nodes(
                label: path.text, values: path.nodes(in: try view.jsonBody()),
                isSingular: path.isSingular)
        case .text: return single(JSONValue(try view.textBody()))
        case .size: return single(JSONValue(view.bodySize))
        case .sha256: return single(JSONValue(try SHA256.hexadecimal(reading: view.readBody)))
        case .md5: return single(JSONValue(try MD5.hexadecimal(reading: view.readBody)))
        case .duration: return single(JSONValue.milliseconds(view.duration))
        case .url: return single(JSONValue(view.request.url.text))
        case .redirects:
            return single(JSONValue(array: view.redirects.map { JSONValue($0.text) }))
        case .redirectCount: return single(JSONValue(view.redirects.count))
        case .httpVersion: return single(JSONValue(view.response.head.version))
        case .certificate(let part):
            guard let certificate = view.response.metrics.certificate else { return single([]) }
            return single(part.value(of: certificate, at: view.now))
        }
    }

    private func single(_ value: JSONValue) -> Nodes { single([value]) }

    private func single(_ values: [JSONValue]) -> Nodes {
        Nodes(label: label, values: values, isSingular: true)
    }
}

extension ResponseSource.CookieAttribute {
    /// A flag is a Boolean, `maxAge` a number where it is one, anything else text if it is there.
    fileprivate func value(of cookie: SetCookie) -> [JSONValue] {
        switch self {
        case .secure, .httpOnly:
            return [JSONValue(cookie.attribute(rawValue.lowercased()) != nil)]
        case .maxAge:
            let text = cookie.attribute("max-age")
            return text.map { [Int($0).map { JSONValue($0) } ?? JSONValue($0)] } ?? []
        case .path, .domain, .expires, .sameSite:
            return cookie.attribute(rawValue.lowercased()).map { [JSONValue($0)] } ?? []
        }
    }
}

extension ResponseSource.CertificatePart {
    fileprivate func value(of certificate: Certificate, at now: Int) -> [JSONValue] {
        switch self {
        case .subject: [JSONValue(certificate.subject)]
        case .issuer: [JSONValue(certificate.issuer)]
        case .expires: [JSONValue(certificate.expires)]
        case .expiresIn:
            Moment(rfc3339: certificate.expires).map { [JSONValue(($0.seconds - now) * 1_000)] }
                ?? []
        }
    }
}

extension JSONValue {
    /// A duration as a number of milliseconds, to the microsecond.
    static func milliseconds(_ duration: Duration) -> JSONValue {
        let microseconds = Int((duration / .microseconds(1)).rounded())
        let decimals = String(microseconds % 1_000 + 1_000).dropFirst()
        let text = "\(microseconds / 1_000).\(decimals)"
        return JSONNumber(text).map { JSONValue($0) } ?? JSONValue(microseconds / 1_000)
    }
}
