internal import CLibcurl
import PipelineCore

extension EasyHandle {
    /// Says how connections are made, to a handle that has not been told yet.
    ///
    /// libcurl keeps connections for later only for those who ask for the same: it compares what
    /// concerns TLS, proxies, sockets and places. It does not compare versions of HTTP, which is
    /// seen to here, nor resolutions, which the loop sees to.
    ///
    /// - Throws: ``TransportError/Code/invalidRequest`` when something cannot be done; the handle is
    ///   as it was then.
    func apply(connection: Shared<ConnectionOptions>) throws(TransportError) {
        let options = connection.value
        try options.checkUsable()
        let routes = try options.routes()
        let proxyAuthority = try options.proxyAuthority()
        apply(options.tls)
        apply(version: options.version, minimum: options.tls.minimumVersion)
        switch options.proxy {
        case .environment: break
        case .none: set(CURLOPT_PROXY, "")
        case .address(let address): set(CURLOPT_PROXY, address)
        }
        if let exceptions = options.proxyExceptions { set(CURLOPT_NOPROXY, exceptions) }
        if let path = options.unixSocket { set(CURLOPT_UNIX_SOCKET_PATH, path) }
        switch options.addressFamily {
        case .any: break
        case .ipv4: set(CURLOPT_IPRESOLVE, Int(CURL_IPRESOLVE_V4))
        case .ipv6: set(CURLOPT_IPRESOLVE, Int(CURL_IPRESOLVE_V6))
        }
        routeLines = StringList(options.reroutes)
        note(pipeline_curl_set_list(raw, CURLOPT_CONNECT_TO, routeLines.raw))
        resolutionLines = StringList(options.resolutions)
        note(pipeline_curl_set_list(raw, CURLOPT_RESOLVE, resolutionLines.raw))
        applied.connection = connection
        applied.routes = routes
        applied.proxyAuthority = proxyAuthority
    }

    private func apply(_ tls: TLSOptions) {
        set(CURLOPT_SSL_VERIFYPEER, tls.isVerified ? 1 : 0)
        set(CURLOPT_SSL_VERIFYHOST, tls.isVerified ? 2 : 0)
        if let file = tls.authorities {
            set(CURLOPT_CAINFO, file)
            // The system's certificates, which would be trusted as well.
            set(CURLOPT_CAPATH, nil)
        }
        if let file = tls.certificate {
            set(CURLOPT_SSLCERT, file)
            // A key that has a password fails then, where the library would ask on the terminal.
            set(CURLOPT_KEYPASSWD, "")
        }
        if let file = tls.key { set(CURLOPT_SSLKEY, file) }
    }

    private func apply(version: ConnectionOptions.HTTPVersion?, minimum: TLSOptions.Version?) {
        var tlsVersions = minimum?.libcurlValue ?? Int(CURL_SSLVERSION_DEFAULT)
        switch version {
        // Over TLS, and 1.1 without it.
        case .http2, nil: break
        case .http1:
            set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1))
            // The same to a TLS library as not to say it. But libcurl compares it, and so a
            // connection of one who wanted 1.1 never serves one who would have HTTP/2.
            tlsVersions |= CURL_SSLVERSION_MAX_DEFAULT
        case .http3:
            note(pipeline_curl_demand_http3(raw))
        }
        if tlsVersions != CURL_SSLVERSION_DEFAULT { set(CURLOPT_SSLVERSION, tlsVersions) }
    }
}

extension TLSOptions.Version {
    fileprivate var libcurlValue: Int {
        switch self {
        case .tls10: CURL_SSLVERSION_TLSv1_0
        case .tls11: CURL_SSLVERSION_TLSv1_1
        case .tls12: CURL_SSLVERSION_TLSv1_2
        case .tls13: CURL_SSLVERSION_TLSv1_3
        }
    }
}
