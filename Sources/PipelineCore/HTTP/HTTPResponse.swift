/// What one exchange brought back, whole.
public struct HTTPResponse: Sendable {
    /// Status, version and header fields.
    public var head: Head
    /// The content after its content coding was undone; empty when there was none.
    ///
    /// Of a body that was to be saved to a file, and was not because the request failed, the first
    /// 64 KiB.
    public var body: [UInt8]
    /// The file that the body was saved to; `nil` for a body in memory.
    public var savedBody: SavedBody?
    /// How long the parts of the exchange took and what went over the wire.
    public var metrics: ExchangeMetrics

    /// The status code, 100 to 999.
    public var status: Int { head.status }

    /// The header fields in the order they came.
    public var fields: HTTPFields { head.fields }

    /// A response that was put together from its parts.
    public init(head: Head, body: [UInt8] = [], metrics: ExchangeMetrics = ExchangeMetrics()) {
        self.head = head
        self.body = body
        self.metrics = metrics
    }

    /// A body in a file.
    public struct SavedBody: Sendable, Hashable {
        /// Where it is.
        public let path: String
        /// How many bytes it has.
        public let size: Int
    }

    /// All of a response but its content (RFC 9110, section 3.4).
    public struct Head: Sendable {
        /// The status code, 100 to 999.
        public var status: Int
        /// The version of HTTP that was spoken, as in `1.1` or `2`.
        public var version: String
        /// The header lines as they came, each with its line break.
        ///
        /// Kept as bytes because most runs never look at most fields; ``fields`` reads them.
        package var wireFields: [UInt8]

        /// The header fields in the order they came, read from the wire at each call.
        public var fields: HTTPFields { HTTPFields(wire: wireFields) }

        /// Whether a field of that name is there; nothing is copied.
        package func hasField(_ name: StaticString) -> Bool {
            name.withUTF8Buffer { name in
                var rest = wireFields[...]
                while rest.count > name.count {
                    let isHere =
                        rest[rest.startIndex + name.count] == UInt8(ascii: ":")
                        && zip(rest, name).allSatisfy { $0.lowercasedASCII == $1.lowercasedASCII }
                    if isHere { return true }
                    guard let end = rest.firstIndex(of: UInt8(ascii: "\n")) else { return false }
                    rest = rest[(end + 1)...]
                }
                return false
            }
        }

        /// A head with these fields.
        public init(status: Int, version: String = "1.1", fields: HTTPFields = [:]) {
            self.status = status
            self.version = version
            self.wireFields = Array(fields.map { "\($0.name): \($0.value)\r\n" }.joined().utf8)
        }

        /// A head whose field lines are still as they came over the wire.
        package init(status: Int, version: String, wireFields: [UInt8]) {
            self.status = status
            self.version = version
            self.wireFields = wireFields
        }
    }
}

/// The measurements of one exchange.
public struct ExchangeMetrics: Sendable, Hashable {
    /// When each phase ended.
    public var timings = ExchangeTimings()
    /// The address that was connected to, such as `127.0.0.1`; empty when there was no connection.
    public var remoteAddress = ""
    /// The port that was connected to; 0 when there was no connection.
    public var remotePort = 0
    /// Whether the connection had served an earlier exchange.
    public var isConnectionReused = false
    /// The bytes of the body as they came over the wire, before decoding.
    public var wireBodySize = 0
    /// The bytes of the body after its content coding was undone.
    public var decodedBodySize = 0
    /// The server's own certificate; `nil` unless the request wanted it and the connection was TLS.
    public var certificate: Certificate?
    /// What a ``CachingTransport`` had to do with the response; `nil` when it came from the server
    /// for this request alone.
    public var cacheUse: CacheUse?

    /// No measurement.
    public init() {}

    /// How a response was had without an exchange of its own, or with a short one.
    public enum CacheUse: String, Sendable, Hashable, CaseIterable {
        /// It was stored and is fresh, or the request takes it stale: no server was asked.
        case stored
        /// It was stored, and the server said that it holds still; the other measurements are of
        /// that exchange.
        case validated
        /// It was stored and is stale, and stands in for a server that could not answer.
        case stale
        /// It came for another request, which asked the same at the same time.
        case shared
    }
}

/// When each phase of an exchange ended, in microseconds since it was dispatched.
///
/// A phase that did not happen (a name lookup on a reused connection, TLS on a plain one) ends when
/// the one before it does. The order is that of the properties.
public struct ExchangeTimings: Sendable, Hashable {
    /// The name was resolved.
    public var nameLookup: Int64 = 0
    /// The connection to the server, or its proxy, stood.
    public var connect: Int64 = 0
    /// The TLS handshake was done.
    public var secureConnect: Int64 = 0
    /// The request was about to be sent.
    public var sendStart: Int64 = 0
    /// The first byte of the response came.
    public var firstByte: Int64 = 0
    /// The last byte came.
    public var total: Int64 = 0

    /// No time at all.
    public init() {}
}
