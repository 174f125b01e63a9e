/// What a record does when its turn comes: make a request, and judge the response.
package protocol RequestWork: Sendable {
    /// The request to send, made when the record starts so that it can use earlier responses.
    func makeRequest() throws(RequestError) -> HTTPRequest

    /// The largest body to accept, in decoded bytes.
    var bodyLimit: Int { get }

    /// Decides whether the response is a success, and takes from it what later requests need.
    ///
    /// - Parameter deadline: When the time of the request is over; `nil` for never.
    func judge(
        _ response: HTTPResponse, to request: HTTPRequest, before deadline: ContinuousClock.Instant?
    ) -> Judgement
}

/// What a request's work makes of a response.
package struct Judgement: Sendable {
    /// What is wrong with it; `nil` for a success.
    var error: RequestError?
    /// What is odd about it without being wrong, a sentence each.
    var warnings: [String] = []
}

/// A request that is known from the start, and succeeds with any status of 2xx.
struct FixedRequest: RequestWork {
    let request: HTTPRequest

    func makeRequest() -> HTTPRequest { request }

    var bodyLimit: Int { defaultBodyLimit }

    func judge(
        _ response: HTTPResponse, to request: HTTPRequest, before deadline: ContinuousClock.Instant?
    ) -> Judgement {
        guard !(200..<300 ~= response.status) else { return Judgement() }
        let found = HTTPStatus.described(response.status)
        let finding = Finding("expected a status of 2xx, got \(found)")
        return Judgement(error: RequestError(.expectation, findings: [finding]))
    }
}

/// The decoded size that a body held in memory may have: 64 MiB.
package let defaultBodyLimit = 64 << 20
