/// What a record does when its turn comes: make a request, and judge the response.
package protocol RequestWork: Sendable {
    /// What is done beside sending the request once.
    var policy: RequestPolicy { get }

    /// What to send, made when the record starts so that it can use earlier responses.
    func prepare() throws(RequestError) -> RequestPlan

    /// Whether a status is a right one, so that it is no reason to try again.
    func expects(status: Int) -> Bool

    /// Whether the request is repeated until its response has what ``unmet(_:before:)`` looks for.
    var isPolling: Bool { get }

    /// What a response lacks that is polled for; empty when nothing is, or when it has come.
    func unmet(
        _ response: AttemptResponse, before deadline: ContinuousClock.Instant?
    ) -> [Finding]

    /// Whether a text holds a secret, so that it may go to no other origin.
    func holdsSecret(_ text: String) -> Bool

    /// Decides whether the response is a success, and what later requests need of it.
    ///
    /// - Parameters:
    ///   - unmet: What was polled for in vain.
    ///   - deadline: When the time of the attempt is over; `nil` for never.
    func judge(
        _ response: AttemptResponse, unmet: [Finding], before deadline: ContinuousClock.Instant?
    ) -> Judgement
}

extension RequestWork {
    /// Nothing is polled for.
    package var isPolling: Bool { false }

    /// Nothing is polled for.
    package func unmet(
        _ response: AttemptResponse, before deadline: ContinuousClock.Instant?
    ) -> [Finding] { [] }

    /// Nothing is known to be secret.
    package func holdsSecret(_ text: String) -> Bool { false }
}

/// What a record wants to be sent.
package struct RequestPlan: Sendable {
    var request: HTTPRequest
    /// Adds credentials to each exchange with the origin that the request was written for.
    var authenticator: (any RequestAuthenticator)?
    /// Where the body goes; `nil` for memory.
    var file: BodyFile?
}

/// What an attempt brought in the end: the last response, and how it was come to.
package struct AttemptResponse: Sendable {
    /// What it answers: after a redirect another request than the first.
    let request: HTTPRequest
    var response: HTTPResponse
    /// The addresses that redirects led to, in order.
    var redirects: [HTTPURL] = []
    /// From the dispatch of the first exchange to the last byte of the last one.
    let duration: Duration
    /// What is left of the time of the attempt; `nil` without a limit.
    var timeLeft: Duration?
    /// Where the body is, when it is not in memory.
    var file: BodyFile?
}

/// What a request's work makes of a response.
package struct Judgement: Sendable {
    /// What is wrong with it; `nil` for a success.
    var error: RequestError?
    /// What is odd about it without being wrong, a sentence each.
    var warnings: [String] = []
    /// Hands on what later requests need; called once, unless the request was cancelled meanwhile.
    var commit: (@Sendable () -> Void)?
}

/// Proves who is asking, in a way that depends on the exchange.
package protocol RequestAuthenticator: Sendable {
    /// Adds the proof to a request that is about to be sent.
    func authorize(_ request: inout HTTPRequest) throws(RequestError)

    /// Takes a challenge; returns whether the request should be sent again with an answer to it.
    ///
    /// - Parameters:
    ///   - request: As it was sent, with what proof there was.
    ///   - isRepeated: Whether a challenge was answered before in the same attempt.
    func accepts(
        challenge head: HTTPResponse.Head, to request: HTTPRequest, isRepeated: Bool
    ) -> Bool
}

/// A request of its own: it succeeds with any status of 2xx.
protocol SingleRequest: RequestWork {}

extension SingleRequest {
    func expects(status: Int) -> Bool { 200..<300 ~= status }

    func judge(
        _ response: AttemptResponse, unmet: [Finding], before deadline: ContinuousClock.Instant?
    ) -> Judgement {
        let status = response.response.status
        guard !expects(status: status) else { return Judgement() }
        let finding = Finding("expected a status of 2xx, got \(HTTPStatus.described(status))")
        return Judgement(error: RequestError(.expectation, findings: [finding]))
    }
}

/// A request that is known from the start.
struct FixedRequest: SingleRequest {
    let request: HTTPRequest
    var policy = RequestPolicy()

    func prepare() -> RequestPlan { RequestPlan(request: request) }
}

/// A request that is made when its turn comes.
struct DeferredRequest: SingleRequest {
    let make: @Sendable () throws -> HTTPRequest
    var policy = RequestPolicy()

    func prepare() throws(RequestError) -> RequestPlan {
        do {
            return RequestPlan(request: try make())
        } catch let error as RequestError {
            throw error
        } catch {
            throw RequestError(.invalidRequest, "the request could not be made: \(error)")
        }
    }
}
