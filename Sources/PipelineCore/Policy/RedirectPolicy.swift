/// How far redirects are followed (RFC 9110, section 15.4).
public struct RedirectPolicy: Sendable, Hashable {
    /// How many redirects one request may take; 10 by default, 0 delivers every one as it is.
    public var limit: Int

    /// Redirects are followed up to that limit.
    public init(limit: Int = 10) {
        self.limit = limit
    }
}
