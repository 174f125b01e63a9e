/// What one exchange sends: method, address, header fields and body (RFC 9110, section 3.4).
public struct HTTPRequest: Sendable, Hashable {
    /// The method, sent as written: methods are case-sensitive (RFC 9110, section 9.1).
    public var method: String
    /// Where the request goes: absolute, `http` or `https`.
    public var url: HTTPURL
    /// The header fields in the order they are sent.
    public var fields: HTTPFields
    /// The content; `nil` for none.
    ///
    /// An empty body is a body: it is sent with a length of 0.
    public var body: Body?
    /// How long the exchange may take, from its dispatch to the last byte; `nil` for no limit.
    public var timeout: Duration?
    /// How long connecting may take, name lookup and TLS included; `nil` for the transport's own.
    public var connectTimeout: Duration?
    /// Whom to trust when the address is `https`.
    public var trust: Trust
    /// Whether ``ExchangeMetrics/certificate`` is wanted; `false` by default.
    ///
    /// It costs a handshake: a transport may have to open a new connection to see a certificate.
    public var wantsCertificate = false

    /// What a request carries.
    public enum Body: Sendable, Hashable {
        /// These bytes, as they are.
        case bytes([UInt8])
    }

    /// Whose certificates a TLS connection accepts.
    public struct Trust: Sendable, Hashable {
        /// Whether the server's certificate and name are verified; `true` unless the user
        /// explicitly gives that up.
        public var isVerified = true
        /// A file of PEM certificates to trust instead of the system's; `nil` for the system's.
        public var certificateFile: String?

        /// Verification against the system's certificates.
        public init() {}
    }

    /// A request of any method.
    public init(
        method: String = "GET", url: HTTPURL, fields: HTTPFields = [:], body: Body? = nil,
        timeout: Duration? = nil
    ) {
        self.method = method
        self.url = url
        self.fields = fields
        self.body = body
        self.timeout = timeout
        self.connectTimeout = nil
        self.trust = Trust()
    }
}
