internal import CLibcurl
import PipelineCore

extension EasyHandle {
    /// What a code of libcurl's means for this exchange, in words.
    func failure(_ code: CURLcode, of order: CurlExchange.Order) -> TransportError {
        let (kind, message) = describe(code, order)
        return TransportError(
            kind, message, libraryCode: Int(code.rawValue), isBeforeSending: isBeforeSending)
    }

    private func describe(
        _ code: CURLcode, _ order: CurlExchange.Order
    ) -> (TransportError.Code, String) {
        let url = order.request.url
        let tls = order.request.connection.tls
        if let refusal = tunnelFailure(url) { return (.cannotConnect, refusal) }
        switch code {
        case _ where order.exchange.isCancelled:
            return (.cancelled, TransportError.cancelledMessage)
        case CURLE_WRITE_ERROR where isRefused:
            return (.refusedByReceiver, "no more of the body was wanted after \(progress)")
        case CURLE_WRITE_ERROR where head.fault != nil:
            return (.invalidResponse, "the head of the response has \(head.fault ?? "")")
        case CURLE_GOT_NOTHING where head.status == 101:
            return (.invalidResponse, "the server changes the protocol, which nobody asked for")
        case CURLE_COULDNT_RESOLVE_HOST:
            return (.cannotResolve, resolveFailure(url))
        case CURLE_COULDNT_RESOLVE_PROXY:
            return (.cannotResolve, proxyResolveFailure(url))
        case CURLE_COULDNT_CONNECT, CURLE_INTERFACE_FAILED:
            return (.cannotConnect, connectFailure(to: url))
        case CURLE_OPERATION_TIMEDOUT:
            return (.timedOut, timeoutMessage(order.request))
        case CURLE_ABORTED_BY_CALLBACK where pieces?.failure != nil:
            return (.invalidRequest, pieces?.failure ?? "")
        case CURLE_ABORTED_BY_CALLBACK:
            return (.connectionLost, secondSendingRefused(order.request.method))
        case CURLE_PARTIAL_FILE:
            return (.bodyCutShort, "the body ended after \(progress)")
        case CURLE_GOT_NOTHING:
            return (.connectionLost, "the connection was closed before a response came")
        case CURLE_BAD_CONTENT_ENCODING:
            let codings = head.values(of: "Content-Encoding").joined(separator: ", ")
            return (.cannotDecode, "the content coding \(codings) cannot be undone\(detail)")
        case Self.proxyFailure:
            return (.cannotConnect, "\(proxyName) did not connect to \(place(url))\(detail)")
        case CURLE_SSL_CACERT_BADFILE where tls.authorities != nil,
            CURLE_SSL_CERTPROBLEM where tls.certificate != nil:
            let file = code == CURLE_SSL_CERTPROBLEM ? tls.certificate : tls.authorities
            return (.invalidRequest, "the file \(file ?? "") cannot be used\(detail)")
        case CURLE_OUT_OF_MEMORY where !isBeforeSending && !head.isComplete,
            CURLE_RECV_ERROR where errorText.hasPrefix("Too large response headers"),
            Self.tooLarge where !head.isComplete:
            // Up to 8.5 libcurl has no code of its own for lines or heads longer than it takes.
            return (.invalidResponse, "the head of the response is too large\(detail)")
        case CURLE_SEND_ERROR, CURLE_RECV_ERROR:
            return connectionFailure(url)
        case CURLE_SSL_CONNECT_ERROR where handshakeMet(Self.lostConnections):
            // Nobody has judged anybody: the connection broke, before the request was sent.
            let what = "was closed within the TLS handshake"
            return (.connectionLost, "the connection to \(place(url)) \(what)\(detail)")
        case CURLE_SSL_CONNECT_ERROR where handshakeMet(Self.otherProtocols):
            return (.tls, "the server at \(place(url)) does not speak TLS\(detail)")
        case _ where Self.tlsCodes.contains(code):
            return (.tls, untrusted(url) + detail)
        case _ where Self.invalidResponseCodes.contains(code):
            return (.invalidResponse, "the response breaks the rules of HTTP\(detail)")
        case Self.optionSyntax:
            return (.invalidRequest, "libcurl does not take an option of the connection\(detail)")
        case CURLE_URL_MALFORMAT:
            return (.invalidRequest, "libcurl does not take the address\(detail)")
        case CURLE_OUT_OF_MEMORY:
            return (.other, TransportError.noMemory.message)
        default:
            return (.other, "libcurl failed with code \(code.rawValue)\(detail)")
        }
    }

    private func connectionFailure(_ url: HTTPURL) -> (TransportError.Code, String) {
        if isBeforeSending {
            return (.cannotConnect, "no connection to \(place(url))\(detail)")
        }
        // libcurl has no code of its own for a broken chunk.
        if head.isComplete, errorText.lowercased().contains("chunk") {
            return (.invalidResponse, "the body's chunks break the rules of HTTP\(detail)")
        }
        let state = head.isComplete ? "after \(bodyProgress)" : "before a response came"
        return (.connectionLost, "the connection to \(place(url)) was lost \(state)\(detail)")
    }

    private func timeoutMessage(_ request: HTTPRequest) -> String {
        let ran = "timed out after \(limitThatRanOut(request).shown)"
        if head.isComplete {
            return ran + " with \(bodyProgress)"
        }
        return ran + ", " + timedOutPhase(request.url)
    }

    private func timedOutPhase(_ url: HTTPURL) -> String {
        guard isBeforeSending else {
            return head.isBegun ? "within the head of the response" : waiting
        }
        if time(CURLINFO_NAMELOOKUP_TIME_T) == 0 {
            return "while resolving host \(url.host)"
        }
        // The time of connecting is not known before TLS stands, but the port is.
        if number(CURLINFO_LOCAL_PORT) == 0 {
            return "while connecting to \(place(url))\(throughProxy)"
        }
        return "within the TLS handshake with \(place(url))"
    }

    /// libcurl does not tell which of the two it was.
    private func limitThatRanOut(_ request: HTTPRequest) -> Duration {
        let connecting = Duration.milliseconds(applied.connectTimeout)
        guard let timeout = request.timeout else { return connecting }
        // What earlier exchanges of the attempt took belongs to the limit that the user knows.
        let whole = timeout + request.timeSpent
        return isBeforeSending && connecting < timeout ? connecting : whole
    }

    private var waiting: String {
        let announced = offset(CURLINFO_CONTENT_LENGTH_UPLOAD_T)
        let sent = offset(CURLINFO_SIZE_UPLOAD_T)
        return sent < announced
            ? "having sent \(sent) of \(announced) bytes" : "waiting for the first byte"
    }

    private var bodyProgress: String { "\(progress) of the body" }

    /// `40 of 500 bytes`; both count what came of the body over the wire.
    private var progress: String {
        let received = offset(CURLINFO_SIZE_DOWNLOAD_T)
        let announced = offset(CURLINFO_CONTENT_LENGTH_DOWNLOAD_T)
        return announced >= 0 ? "\(received) of \(announced) bytes" : "\(received) bytes"
    }

    private func secondSendingRefused(_ method: String) -> String {
        applied.isIdempotent
            ? "the connection was closed before a response came, twice"
            : "the kept-alive connection was closed before a response came, and a \(method) request "
                + "is not sent twice"
    }

    func place(_ url: HTTPURL) -> String { "\(url.host):\(url.port)" }

    func untrusted(_ url: HTTPURL) -> String { "no trusted TLS connection to \(place(url))" }

    /// What libcurl says, after a colon; nothing where it says nothing.
    var detail: String {
        let text = errorText
        return text.isEmpty ? "" : ": \(text)"
    }

    /// libcurl has one code for all that can happen in a handshake, and only words to tell it apart.
    private func handshakeMet(_ words: [String]) -> Bool {
        let text = errorText.lowercased()
        return words.contains { text.contains($0) }
    }

    private static let lostConnections = [
        "recv failure", "syscall", "unexpected eof", "reset by peer",
    ]
    private static let otherProtocols = ["wrong version number", "packet length too long"]

    private static let tlsCodes = [
        CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CERTPROBLEM,
        CURLE_SSL_CIPHER, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_CRL_BADFILE,
        CURLE_SSL_ISSUER_ERROR, CURLE_SSL_INVALIDCERTSTATUS, CURLE_SSL_ENGINE_NOTFOUND,
        CURLE_SSL_ENGINE_SETFAILED, CURLE_SSL_ENGINE_INITFAILED, CURLE_USE_SSL_FAILED,
    ]

    private static let invalidResponseCodes = [
        CURLE_WEIRD_SERVER_REPLY, CURLE_UNSUPPORTED_PROTOCOL, CURLE_HTTP2, CURLE_HTTP2_STREAM,
        CURLE_CHUNK_FAILED, CURLE_FILESIZE_EXCEEDED, tooLarge,
    ]

    /// CURLE_PROXY, which has a name since 7.73 only.
    private static let proxyFailure = CURLcode(rawValue: 97)

    /// CURLE_SETOPT_OPTION_SYNTAX, which has a name since 7.78 only.
    private static let optionSyntax = CURLcode(rawValue: 49)

    /// CURLE_TOO_LARGE, which has a name since 8.6 only.
    private static let tooLarge = CURLcode(rawValue: 100)
}

extension TransportError {
    static let cancelledMessage = "the exchange was cancelled"

    static func cancelled(isBeforeSending: Bool) -> TransportError {
        TransportError(.cancelled, cancelledMessage, isBeforeSending: isBeforeSending)
    }

    static var noMemory: TransportError {
        TransportError(.other, "libcurl has no memory left", isBeforeSending: true)
    }
}
