/// What a record does when its turn comes: make a request, and judge the response.
package protocol RequestWork: Sendable {
    /// The request to send, made when the record starts so that it can use earlier responses.
    func makeRequest() throws(RequestError) -> HTTPRequest

    /// The largest body to accept, in decoded bytes.
    var bodyLimit: Int { get }

    /// Decides whether the response is a success, and takes from it what later requests need.
    ///
    /// - Parameter deadline: When the time of the request is over; `nil` for never.
    /// - Throws: What is wrong with it.
    func judge(
        _ response: HTTPResponse, to request: HTTPRequest, before deadline: ContinuousClock.Instant?
    ) throws(RequestError)
}

/// A request that is known from the start, and succeeds with any status of 2xx.
struct FixedRequest: RequestWork {
    let request: HTTPRequest

    func makeRequest() -> HTTPRequest { request }

    var bodyLimit: Int { defaultBodyLimit }

    func judge(
        _ response: HTTPResponse, to request: HTTPRequest, before deadline: ContinuousClock.Instant?
    ) throws(RequestError) {
        guard 200..<300 ~= response.status else {
            let found = HTTPStatus.described(response.status)
            throw RequestError(
                .expectation, findings: [Finding("expected a status of 2xx, got \(found)")])
        }
    }
}

/// The decoded size that a body held in memory may have: 64 MiB.
package let defaultBodyLimit = 64 << 20
