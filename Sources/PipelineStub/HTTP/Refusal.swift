/// Why a request cannot be served: the connection is closed after the answer.
struct Refusal: Error, Hashable {
    let status: Int
    let reason: String

    init(_ status: Int, _ reason: String) {
        self.status = status
        self.reason = reason
    }

    static func badRequest(_ reason: String) -> Refusal { Refusal(400, reason) }
}
