internal import CLibcurl
package import PipelineCore

extension ConnectionOptions {
    /// Refuses what this libcurl cannot do, and files that cannot be used, by their names.
    ///
    /// - Throws: ``TransportError/Code/invalidRequest``.
    package func checkUsable() throws(TransportError) {
        try checkTexts()
        try Self.checkFile(tls.authorities, "the file of certificates to trust")
        try Self.checkFile(tls.certificate, "the client certificate")
        try Self.checkFile(tls.key, "the client certificate's key")
        if let unixSocket {
            do throws(SystemFile.Failure) {
                try SystemFile.checkSocket(unixSocket)
            } catch {
                throw .refused("the Unix socket \(unixSocket): \(error.reason)")
            }
        }
        switch version {
        case .http2 where !Library.hasHTTP2: throw Self.missing("HTTP/2")
        case .http3 where !Library.hasHTTP3: throw Self.missing("HTTP/3")
        case .http1, .http2, .http3, nil: break
        }
        _ = try proxyAuthority()
        _ = try routes()
    }

    /// The other places to connect to.
    func routes() throws(TransportError) -> [Route] {
        var routes: [Route] = []
        for text in reroutes {
            guard let route = Route(text) else {
                throw .refused(
                    "\"\(text)\" does not say where to connect to, expected HOST:PORT:HOST:PORT")
            }
            routes.append(route)
        }
        return routes
    }

    /// Host and port of the proxy that is named; `nil` where none is.
    ///
    /// - Throws: ``TransportError/Code/invalidRequest``, without the address, which may hold a
    ///   password.
    func proxyAuthority() throws(TransportError) -> String? {
        guard case .address(let address) = proxy else { return nil }
        guard let url = curl_url() else { throw .noMemory }
        defer { curl_url_cleanup(url) }
        let flags = UInt32(CURLU_GUESS_SCHEME | CURLU_NON_SUPPORT_SCHEME)
        func part(_ part: CURLUPart) -> String {
            var text: UnsafeMutablePointer<CChar>?
            guard curl_url_get(url, part, &text, 0) == CURLUE_OK, let text else { return "" }
            defer { curl_free(text) }
            return String(cString: text)
        }
        guard curl_url_set(url, CURLUPART_URL, address, flags) == CURLUE_OK else {
            throw .refused("the address of the proxy is malformed")
        }
        let scheme = part(CURLUPART_SCHEME)
        // Without a scheme one is guessed from the name, `ftp` for `ftp.example.com`.
        guard Proxy.schemes.contains(scheme) || !address.contains("://") else {
            throw .refused(
                "\"\(scheme)\" is no kind of proxy, expected one of "
                    + Proxy.schemes.joined(separator: ", "))
        }
        let port = part(CURLUPART_PORT)
        return part(CURLUPART_HOST) + ":" + (port.isEmpty ? Self.defaultProxyPort(scheme) : port)
    }

    /// libcurl's own choice.
    private static func defaultProxyPort(_ scheme: String) -> String {
        scheme == "https" ? "443" : "1080"
    }

    private func checkTexts() throws(TransportError) {
        var texts = resolutions + reroutes
        texts += [tls.authorities, tls.certificate, tls.key, unixSocket, proxyExceptions]
            .compactMap(\.self)
        if case .address(let address) = proxy { texts.append(address) }
        guard !texts.contains(where: { $0.utf8.contains(where: \.isLineBreakOrNull) }) else {
            throw .refused("an option of the connection holds a line break or a NUL")
        }
    }

    private static func checkFile(_ path: String?, _ what: String) throws(TransportError) {
        guard let path else { return }
        do throws(SystemFile.Failure) {
            _ = try SystemFile(path)
        } catch {
            throw .refused("\(what), \(path), cannot be used: \(error.reason)")
        }
    }

    private static func missing(_ version: String) -> TransportError {
        .refused(
            "\(version) cannot be spoken: libcurl \(Library.version) was built without it")
    }
}
