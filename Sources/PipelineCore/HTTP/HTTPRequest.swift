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
    /// How long the exchange may take, from its dispatch to the last byte: 30 seconds, as in a
    /// pipeline file; `nil` for no limit.
    ///
    /// A queue, which follows redirects, counts it for all of an attempt.
    public var timeout: Duration?
    /// What earlier exchanges of the same attempt took of its time, for messages about the timeout.
    package var timeSpent = Duration.zero
    /// Whether a redirect has led it away from the origin that it was written for, so that nobody may
    /// add credentials any more, even if it has come back.
    package var hasLeftOrigin = false
    /// How long connecting may take, name lookup and TLS included: 10 seconds, as in a pipeline
    /// file; `nil` for the transport's own limit.
    public var connectTimeout: Duration? = .seconds(10)
    /// How its connection is made.
    public var connection: ConnectionOptions {
        get { sharedConnection.value }
        set { sharedConnection = Shared(newValue) }
    }

    /// The same, shared by all requests that say the same.
    package var sharedConnection = Shared<ConnectionOptions>.standard

    /// Whether ``ExchangeMetrics/certificate`` is wanted; `false` by default.
    ///
    /// It costs a handshake: a transport may have to open a new connection to see a certificate.
    public var wantsCertificate = false

    /// What a request carries.
    public enum Body: Sendable, Hashable {
        /// These bytes, as they are.
        case bytes([UInt8])
        /// These pieces, one after the other; files are read while they are sent.
        case pieces([Piece])

        /// A part of a body.
        public enum Piece: Sendable, Hashable {
            /// These bytes, as they are.
            case bytes([UInt8])
            /// The file at a path, which had so many bytes when the request was made.
            ///
            /// A file that has become shorter fails the request; of a longer one the rest is left.
            case file(path: String, size: Int)

            /// How many bytes it has.
            public var size: Int {
                switch self {
                case .bytes(let bytes): bytes.count
                case .file(_, let size): size
                }
            }
        }

        /// How many bytes it has.
        public var size: Int {
            switch self {
            case .bytes(let bytes): bytes.count
            case .pieces(let pieces): pieces.reduce(0) { $0 + $1.size }
            }
        }
    }

    /// A request of any method.
    public init(
        method: String = "GET", url: HTTPURL, fields: HTTPFields = [:], body: Body? = nil,
        timeout: Duration? = .seconds(30)
    ) {
        self.method = method
        self.url = url
        self.fields = fields
        self.body = body
        self.timeout = timeout
    }

    /// Whether requests of a method may be received twice without harm (RFC 9110, section 9.2.2).
    package static func isIdempotent(_ method: String) -> Bool {
        ["GET", "HEAD", "PUT", "DELETE", "OPTIONS", "TRACE"].contains(method)
    }
}
