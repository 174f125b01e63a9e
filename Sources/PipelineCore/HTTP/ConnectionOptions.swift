/// How the connection for a request is made: whom to trust, through what, in which version of HTTP.
///
/// Certificates, keys and sockets are paths of files, relative to the current folder. A transport
/// that cannot do what is asked fails the request with ``TransportError/Code/invalidRequest`` before
/// anything is sent.
public struct ConnectionOptions: Sendable, Hashable {
    /// What holds for `https`.
    public var tls = TLSOptions()
    /// What the connection goes through; the environment's proxies by default.
    public var proxy = Proxy.environment
    /// The hosts that are reached without the proxy, as in `no_proxy`: names, domains, addresses and
    /// CIDR blocks between commas, or `*`; `nil` for what the environment says.
    public var proxyExceptions: String?
    /// A Unix socket to connect to, instead of the address of the host; `nil` for none.
    public var unixSocket: String?
    /// The version of HTTP to speak; `nil` for HTTP/2 where the server offers it over TLS, else 1.1.
    public var version: HTTPVersion?
    /// The kind of addresses that a name is resolved to; any by default.
    public var addressFamily = AddressFamily.any
    /// Addresses for names, each `HOST:PORT:ADDRESS`, as in curl's `--resolve`.
    public var resolutions: [String] = []
    /// Other places to connect to, each `HOST:PORT:HOST:PORT`, as in curl's `--connect-to`.
    public var reroutes: [String] = []

    /// Verified, through the environment's proxies, in the best version of HTTP.
    public init() {}

    /// What a connection goes through.
    public enum Proxy: Sendable, Hashable {
        /// What `http_proxy`, `https_proxy`, `all_proxy` and `no_proxy` say, as curl reads them.
        case environment
        /// Nothing.
        case none
        /// The proxy at this address, which may hold credentials: `http://user:password@host:3128`.
        case address(String)

        /// The kinds of proxy that an address may name; without one, it is an HTTP proxy.
        package static let schemes = ["http", "https", "socks4", "socks4a", "socks5", "socks5h"]
    }

    /// A version of HTTP that can be asked for.
    public enum HTTPVersion: String, Sendable, Hashable, CaseIterable {
        /// HTTP/1.1 (RFC 9112).
        case http1 = "1.1"
        /// HTTP/2 (RFC 9113); over TLS a server that has only HTTP/1.1 still answers in that.
        case http2 = "2"
        /// HTTP/3 (RFC 9114), and nothing else.
        case http3 = "3"
    }

    /// A kind of addresses.
    public enum AddressFamily: String, Sendable, Hashable, CaseIterable {
        /// IPv4 or IPv6.
        case any
        /// IPv4 alone.
        case ipv4
        /// IPv6 alone.
        case ipv6
    }
}

/// What a TLS connection demands and shows.
public struct TLSOptions: Sendable, Hashable {
    /// Whether the server's certificate and name are verified; `true` unless the user explicitly
    /// gives that up.
    public var isVerified = true
    /// A file of PEM certificates to trust instead of the system's; `nil` for the system's.
    public var authorities: String?
    /// A file with the client's PEM certificate; `nil` for none.
    public var certificate: String?
    /// A file with the key of that certificate; `nil` when it is in the same file.
    public var key: String?
    /// The lowest version of TLS; `nil` for the library's own choice.
    public var minimumVersion: Version?

    /// Verification against the system's certificates, without a certificate of the client's.
    public init() {}

    /// A version of TLS.
    public enum Version: String, Sendable, Hashable, CaseIterable {
        /// TLS 1.0 (RFC 2246), which is no longer safe.
        case tls10 = "1.0"
        /// TLS 1.1 (RFC 4346), which is no longer safe.
        case tls11 = "1.1"
        /// TLS 1.2 (RFC 5246).
        case tls12 = "1.2"
        /// TLS 1.3 (RFC 8446).
        case tls13 = "1.3"
    }
}
