/// What is done about a request beside sending it once.
public struct RequestPolicy: Sendable {
    /// The largest body to accept, in bytes after its content coding was undone.
    ///
    /// `nil`, the default, means 64 MiB for a body in memory and no limit for one that is saved to
    /// a file. A larger one ends the request with ``RequestError/Code/bodyTooLarge``.
    public var bodyLimit: Int?
    /// How many redirects are followed in one attempt (RFC 9110, section 15.4): 10.
    ///
    /// With 0, a redirect is a response like any other.
    public var redirectLimit = defaultRedirectLimit
    /// The names of header fields that go to no other origin than the request's own, beside
    /// `Authorization`, `Cookie` and `Proxy-Authorization`: such as `X-Api-Key`; none by default.
    public var confidentialFields: [String] = []
    /// When the request is sent again; `nil`, the default, for never.
    public var retry: RetryPolicy?
    /// How long to wait before the first attempt; nothing by default.
    public var delay = Duration.zero

    /// Ten redirects, no second attempt, bodies up to 64 MiB.
    public init() {}
}

/// The decoded size that a body held in memory may have: 64 MiB.
package let defaultBodyLimit = 64 << 20

/// How many redirects are followed unless somebody says otherwise.
package let defaultRedirectLimit = 10
