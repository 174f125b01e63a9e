public import PipelineCore

/// A request that the server has received whole.
public struct StubRequest: Sendable, Hashable {
    /// The method as it was sent.
    public let method: String
    /// The request target as it was sent: path and query, not decoded.
    public let target: String
    /// The header fields in the order they came.
    public let fields: HTTPFields
    /// The content without its transfer coding; empty when there was none.
    public let body: [UInt8]
}
