internal import CLibcurl
import PipelineCore

extension EasyHandle {
    /// What a handle was told by the request before.
    struct Applied {
        var url = ""
        var method = ""
        var mode = Mode.get
        var fields: HTTPFields?
        var hasContent = false
        var cookie: String?
        var timeout = -1
        var connectTimeout = -1
        var connection = Shared<ConnectionOptions>.standard
        /// The other places that connections go to.
        var routes: [Route] = []
        /// Host and port of the proxy that the request names.
        var proxyAuthority: String?
        var waitsForConnection = false
        var wantsCertificate = false
        var isFreshConnection = false
        /// Whether the method may be received twice without harm (RFC 9110, section 9.2.2).
        var isIdempotent = true
    }

    /// How libcurl sends: each mode has an option of its own, which decides whether there is
    /// content and whether a body is waited for.
    enum Mode {
        case get, head, post
    }

    /// How long connecting may take when a request does not say.
    private static let connectTimeout = Duration.seconds(30)

    /// Makes the handle ready for an exchange, setting only what differs from the one before.
    ///
    /// - Throws: ``TransportError`` when the request cannot be sent as it is.
    func prepare(_ order: CurlExchange.Order) throws(TransportError) {
        let request = order.request
        if applied.connection != request.sharedConnection {
            // New, since the loop takes no other for them: not all could be taken back.
            try apply(connection: request.sharedConnection)
        }
        let hasContent = request.hasContent
        if applied.fields != request.fields || applied.hasContent != hasContent
            || hasContent || applied.method != request.method
        {
            try request.checkSendable()
            apply(fields: request.fields, hasContent: hasContent)
        }
        apply(method: request.method, hasContent: hasContent)
        apply(wantsCertificate: request.wantsCertificate)
        if hasContent {
            try apply(body: request.body)
        }
        if applied.url != request.url.text {
            applied.url = request.url.text
            set(CURLOPT_URL, applied.url)
            apply(waitsForConnection: request.url.isSecure && request.connection.version != .http1)
        }
        apply(
            timeout: request.timeout?.wholeMilliseconds ?? 0,
            connectTimeout: (request.connectTimeout ?? Self.connectTimeout).wholeMilliseconds)
        guard isUsable else {
            throw TransportError(
                .other,
                "libcurl cannot be set up: \(String(cString: curl_easy_strerror(optionFailure)))",
                libraryCode: Int(optionFailure.rawValue), isBeforeSending: true)
        }
        clearErrorText()
        self.order = order
    }

    /// Lets go of the exchange and of what it lent to libcurl.
    func release() {
        if applied.mode == .post {
            set(CURLOPT_POSTFIELDS, pointer: nil)
            pieces = nil
        }
        order = nil
        head = HeadCollector()
        sendCount = 0
        isRefused = false
        decodedSize = 0
    }

    private func apply(method: String, hasContent: Bool) {
        let mode: Mode = hasContent ? .post : method == "HEAD" ? .head : .get
        guard method != applied.method || mode != applied.mode else { return }
        switch mode {
        case .get:
            set(CURLOPT_HTTPGET, 1)
        case .head:
            set(CURLOPT_NOBODY, 1)
        case .post:
            set(CURLOPT_POST, 1)
        }
        set(CURLOPT_CUSTOMREQUEST, mode.method == method ? nil : method)
        applied.method = method
        applied.mode = mode
        applied.isIdempotent = HTTPRequest.isIdempotent(method)
        // A connection that was idle for two seconds is not used: servers close those without
        // notice, and this request would not be repeated.
        if countsSends {
            set(CURLOPT_MAXAGE_CONN, applied.isIdempotent ? 118 : 1)
        }
    }

    private func apply(wantsCertificate: Bool) {
        if applied.wantsCertificate != wantsCertificate {
            applied.wantsCertificate = wantsCertificate
            // Where the TLS library has no such thing to tell, there is no certificate: no failure.
            _ = pipeline_curl_set_long(raw, CURLOPT_CERTINFO, wantsCertificate ? 1 : 0)
            // A server that resumes a session does not show its certificate.
            set(CURLOPT_SSL_SESSIONID_CACHE, wantsCertificate ? 0 : 1)
        }
        // libcurl knows the certificate of a connection only in the transfer that opened it. And
        // where it does not tell of a second sending, no connection that could have died is used.
        let isFresh = wantsCertificate || !(countsSends || applied.isIdempotent)
        if applied.isFreshConnection != isFresh {
            applied.isFreshConnection = isFresh
            set(CURLOPT_FRESH_CONNECT, isFresh ? 1 : 0)
        }
    }

    private func apply(body: HTTPRequest.Body?) throws(TransportError) {
        let size = body?.size ?? 0
        switch body {
        case .bytes(let bytes) where size > 0:
            // The pointer leaves the closure on purpose: a body can be large, and libcurl would
            // copy it. It stays valid because an array of bytes is one allocation, which `order`
            // retains and nobody can change until `release` has taken the pointer back.
            bytes.withUnsafeBytes { set(CURLOPT_POSTFIELDS, pointer: $0.baseAddress) }
        case .pieces(let list) where size > 0:
            // There is no pointer then, and libcurl asks for the body.
            pieces = try PieceReader(list)
        case .bytes, .pieces, nil:
            set(CURLOPT_POSTFIELDS, pointer: Self.noBytes.utf8Start)
        }
        note(pipeline_curl_set_offset(raw, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(size)))
    }

    /// Has exchanges with one server that start together wait for the first one's connection, which
    /// they can share if it speaks HTTP/2.
    private func apply(waitsForConnection: Bool) {
        guard applied.waitsForConnection != waitsForConnection else { return }
        applied.waitsForConnection = waitsForConnection
        set(CURLOPT_PIPEWAIT, waitsForConnection ? 1 : 0)
    }

    private func apply(fields: HTTPFields, hasContent: Bool) {
        guard applied.fields != fields || applied.hasContent != hasContent else { return }
        headerLines = StringList(headerLines: fields, hasContent: hasContent)
        note(pipeline_curl_set_list(raw, CURLOPT_HTTPHEADER, headerLines.raw))
        // Given this way, libcurl joins it with the jar's cookies: there may be one line only
        // (RFC 6265, section 5.4).
        let cookies = fields.values(of: "Cookie")
        let cookie = cookies.isEmpty ? nil : cookies.joined(separator: "; ")
        if applied.cookie != cookie {
            applied.cookie = cookie
            set(CURLOPT_COOKIE, cookie)
        }
        applied.fields = fields
        applied.hasContent = hasContent
    }

    private func apply(timeout: Int, connectTimeout: Int) {
        if applied.timeout != timeout {
            applied.timeout = timeout
            set(CURLOPT_TIMEOUT_MS, timeout)
        }
        if applied.connectTimeout != connectTimeout {
            applied.connectTimeout = connectTimeout
            set(CURLOPT_CONNECTTIMEOUT_MS, connectTimeout)
        }
    }

    /// What an empty body points to.
    private static let noBytes: StaticString = ""
}

extension EasyHandle.Mode {
    /// What libcurl sends in this mode by itself.
    fileprivate var method: String {
        switch self {
        case .get: "GET"
        case .head: "HEAD"
        case .post: "POST"
        }
    }
}

extension Duration {
    /// Milliseconds, at least one: to libcurl 0 means no limit.
    var wholeMilliseconds: Int {
        let (seconds, attoseconds) = components
        guard seconds < 2_000_000 else { return 2_000_000_000 }
        let rest = (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000
        return max(1, Int(seconds) * 1_000 + Int(rest))
    }
}
