import PipelineCore

/// A request as a curl command that sends the same when it is pasted into a shell.
struct CurlCommand {
    private let request: HTTPRequest
    private let redact: (String) -> String

    /// Secrets are masked before anything is quoted, which would change their form.
    init(_ request: HTTPRequest, redact: @escaping (String) -> String) {
        self.request = request
        self.redact = redact
    }

    /// The command, on one line.
    var text: String {
        let body = CurlBody(request, redact: redact)
        let credentials = CurlCredentials(request.fields)
        var words = ["curl"] + method
        let target = Array(request.url.target.utf8)
        if target.contains(where: \.isCurlGlob) { words.append("--globoff") }
        let hasDots = target.indices.dropFirst().contains {
            target[$0] == UInt8(ascii: ".") && target[$0 - 1] == UInt8(ascii: "/")
        }
        if hasDots { words.append("--path-as-is") }
        words += request.connection.curlOptions(isSecure: request.url.isSecure).map(quoted)
        words += (credentials?.options ?? []).map(quoted)
        let replaced = body.replacedFields + (credentials?.replacedFields ?? [])
        for field in request.fields
        where !replaced.contains(where: { HTTPFields.isSame($0, field.name) }) {
            // To curl a name with nothing after it means: without that field.
            let line = field.value.isEmpty ? "\(field.name);" : "\(field.name): \(field.value)"
            words.append("-H")
            words.append(quoted(line))
        }
        words += body.words
        words.append(quoted(request.url.text))
        return (body.source.map { "\($0) | " } ?? "") + words.joined(separator: " ") + body.remark
    }

    private var method: [String] {
        switch (request.method, request.body) {
        case ("GET", nil), ("POST", .some): []
        case ("HEAD", _): ["--head"]
        // A body of no bytes has a length too (RFC 9110, section 8.6).
        case ("POST", nil), ("PUT", nil), ("PATCH", nil):
            ["-X", request.method, "-H", "'Content-Length: 0'"]
        default: ["-X", quoted(request.method)]
        }
    }

    private func quoted(_ text: String) -> String { ShellText.quoted(redact(text)) }
}

extension ConnectionOptions {
    /// The options that make curl connect so, not yet quoted.
    fileprivate func curlOptions(isSecure: Bool) -> [String] {
        var options: [String] = []
        func add(_ name: String, _ value: String?) {
            if let value { options += [name, value] }
        }
        if !tls.isVerified { options.append("--insecure") }
        add("--cacert", tls.authorities)
        add("--cert", tls.certificate)
        add("--key", tls.key)
        if let version = tls.minimumVersion { options.append("--tlsv\(version.rawValue)") }
        switch proxy {
        case .address(let address): add("--proxy", ProxyAddress(address).masked)
        case .none where Environment.namesProxy: add("--proxy", "")
        case .none, .environment: break
        }
        add("--noproxy", proxyExceptions)
        add("--unix-socket", unixSocket)
        for resolution in resolutions { add("--resolve", resolution) }
        for route in reroutes { add("--connect-to", route) }
        switch version {
        case .http1: options.append("--http1.1")
        // Without TLS, curl would ask for an upgrade.
        case .http2 where isSecure: options.append("--http2")
        case .http3: options.append("--http3-only")
        case .http2, nil: break
        }
        switch addressFamily {
        case .any: break
        case .ipv4: options.append("-4")
        case .ipv6: options.append("-6")
        }
        return options
    }
}

extension Environment {
    /// Whether there is a proxy that curl would use, unless it was told not to.
    fileprivate static let namesProxy = [
        "http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY",
    ].contains { value($0) != nil }
}

extension UInt8 {
    /// Whether curl reads it in an address as part of a pattern.
    fileprivate var isCurlGlob: Bool {
        switch self {
        case UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: "{"), UInt8(ascii: "}"): true
        default: false
        }
    }
}
