/// How the connection for a request is made, as the file writes it.
struct ConnectionTemplate: Sendable {
    var tls = TLS()
    /// A proxy's address, or `none`; `nil` for what the environment says.
    var proxy: Line?
    var unixSocket: Line?
    var version: ConnectionOptions.HTTPVersion?

    /// A template, and where the file has it.
    struct Line: Sendable {
        let template: Template
        let place: SourcePlace
    }

    /// What is said about TLS.
    struct TLS: Sendable {
        var isVerified = true
        var authorities: Line?
        var certificate: Line?
        var key: Line?
        var minimumVersion: TLSOptions.Version?
    }

    /// Puts the values in.
    ///
    /// Certificates, keys and sockets may be anywhere, but must be there.
    func render(
        _ values: VariableValues, _ files: FileRoot
    ) throws(TemplateError) -> ConnectionOptions {
        func path(_ line: Line?) throws(TemplateError) -> String? {
            guard let line else { return nil }
            let path = files.path(try line.template.render(values))
            guard FileRoot.isThere(path) else {
                throw TemplateError(message: "there is no file \(path)", place: line.place)
            }
            return path
        }
        var options = ConnectionOptions()
        options.tls.isVerified = tls.isVerified
        options.tls.authorities = try path(tls.authorities)
        options.tls.certificate = try path(tls.certificate)
        options.tls.key = try path(tls.key)
        if let key = tls.key, tls.certificate == nil {
            throw TemplateError(
                message: "a key needs the certificate that it belongs to", place: key.place)
        }
        options.tls.minimumVersion = tls.minimumVersion
        options.unixSocket = try path(unixSocket)
        options.version = version
        if let proxy {
            let address = try proxy.template.renderLine(
                values, "the address of the proxy", at: proxy.place)
            guard address == "none" || Self.isProxy(address) else {
                let kinds = ConnectionOptions.Proxy.schemes.map { "\($0)://" }.joined(
                    separator: ", ")
                throw TemplateError(
                    message: "expected the address of a proxy, \(kinds) or without a scheme, or "
                        + "\"none\"\(proxy.template.origin)",
                    place: proxy.place)
            }
            options.proxy = address == "none" ? .none : .address(address)
        }
        return options
    }

    private static func isProxy(_ address: String) -> Bool {
        let bytes = Array(address.utf8)
        guard !bytes.isEmpty else { return false }
        guard AddressTemplate.isAbsolute(address) else { return !bytes.starts(with: "/".utf8) }
        return ConnectionOptions.Proxy.schemes.contains { bytes.starts(with: "\($0)://".utf8) }
    }

    var placeholders: [Template.Placeholder] {
        [tls.authorities, tls.certificate, tls.key, proxy, unixSocket]
            .compactMap(\.self).flatMap(\.template.placeholders)
    }
}
