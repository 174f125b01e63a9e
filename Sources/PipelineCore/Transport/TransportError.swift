/// Why an exchange brought no whole response.
public struct TransportError: Error, Sendable, Hashable {
    /// What kind of failure it was, for programs.
    public let code: Code
    /// What happened, for people: one sentence without a full stop, naming host, port, sizes and
    /// limits where they matter.
    public let message: String
    /// The number that the underlying library gave it, such as libcurl's `CURLcode`; `nil` for none.
    public let libraryCode: Int?
    /// Whether the failure came before any byte of the request could have reached the server.
    ///
    /// Only then is it certain that the server did not act on the request.
    public let isBeforeSending: Bool

    /// A failure of this kind.
    public init(
        _ code: Code, _ message: String, libraryCode: Int? = nil, isBeforeSending: Bool = false
    ) {
        self.code = code
        self.message = message
        self.libraryCode = libraryCode
        self.isBeforeSending = isBeforeSending
    }

    /// The kinds of failure, each with a name that reports keep.
    public enum Code: String, Sendable, Hashable, CaseIterable {
        /// The host, or the proxy, has no address.
        case cannotResolve
        /// No connection could be made: refused, unreachable.
        case cannotConnect
        /// The TLS handshake failed or the certificate is not trusted.
        case tls
        /// The request's timeout, or its limit for connecting, ran out.
        case timedOut
        /// The exchange was cancelled.
        case cancelled
        /// The connection was closed or reset while the exchange was under way.
        case connectionLost
        /// The body ended before its announced length or its last chunk.
        case bodyCutShort
        /// What came is not HTTP, or breaks its rules.
        case invalidResponse
        /// The body has a content coding that cannot be undone, or is damaged.
        case cannotDecode
        /// The receiver wanted no more of the body.
        case refusedByReceiver
        /// The request cannot be sent as it is.
        case invalidRequest
        /// Anything else; the message tells.
        case other
    }
}

extension TransportError: CustomStringConvertible {
    /// The message.
    public var description: String { message }
}
