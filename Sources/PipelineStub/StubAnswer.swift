public import PipelineCore

/// What the stub answers a request with: an example of a response.
public struct StubAnswer: Sendable, Hashable {
    /// The status code, 100 to 999; 200 by default.
    public var status: Int
    /// The header fields, sent in this order.
    ///
    /// `Content-Length`, `Transfer-Encoding`, `Connection` and `Keep-Alive` are left out: the server
    /// frames its messages itself, and examples copied from a real response often hold them.
    public var fields: HTTPFields
    /// The content, sent as it is; empty by default.
    ///
    /// Not sent with a status of 1xx, 204 or 304, nor to `HEAD` (RFC 9110, section 6.4.1).
    public var body: [UInt8]
    /// How long the answer is held back after the whole request has come; none by default.
    ///
    /// The wait ends early when the client goes away or the server stops.
    public var delay: Duration

    /// An answer of these parts, checked when it becomes part of a ``StubRoute``.
    public init(
        status: Int = 200, fields: HTTPFields = [:], body: [UInt8] = [], delay: Duration = .zero
    ) {
        self.status = status
        self.fields = fields
        self.body = body
        self.delay = delay
    }
}
