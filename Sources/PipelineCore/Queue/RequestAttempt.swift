/// One try to have a request answered: the exchange, and those that redirects led to.
public struct RequestAttempt: Sendable {
    /// The exchanges in order; all but the last were answered by a redirect, or by a demand for
    /// credentials.
    public let exchanges: [CompletedExchange]
    /// Why it was not enough; `nil` for the attempt that counts when the request succeeded.
    public let error: RequestError?
    /// How long was waited before it.
    public let wait: Duration
    /// From its first exchange to the end of its last.
    public let duration: Duration

    /// The addresses that redirects led to, in order.
    public var redirects: [HTTPURL] {
        exchanges.indices.dropFirst().compactMap { index in
            exchanges[index - 1].isRedirect ? exchanges[index].request.url : nil
        }
    }
}

/// What one exchange sent and what came back, without the body.
public struct CompletedExchange: Sendable {
    /// What was sent.
    public let request: HTTPRequest
    /// The head that came back; `nil` when none did.
    public let head: HTTPResponse.Head?
    /// Its measurements; `nil` when it was not completed.
    public let metrics: ExchangeMetrics?

    /// Whether its answer was a redirect that was followed, when another exchange came after it.
    var isRedirect: Bool { head.map { 300..<400 ~= $0.status } ?? false }
}
