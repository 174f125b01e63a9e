import PipelineCore
import PipelineCurl
import PipelineJSON
import PipelineStub
import TestSupport
import Testing

extension RequestQueue {
    /// What an app declares that wants one queue for all its screens.
    fileprivate static let shared = RequestQueue(transport: CurlTransport())
}

@Suite("A shared queue, used as in the second seed", .timeLimit(.minutes(1)))
@MainActor struct SharedQueueTests {
    private let lines = Locked<[String]>([])

    private func route(_ path: String, status: Int = 200, body: String = "") throws -> StubRoute {
        let answer = StubAnswer(status: status, body: Array(body.utf8))
        return try StubRoute(method: "POST", path: StubPath(path), answer: answer)
    }

    /// Posts these, and notes on the main actor what came of each; returns after the last.
    private func post(_ records: RequestRecord...) async {
        var left = records.count
        await withCheckedContinuation { continuation in
            for record in records {
                RequestQueue.shared.enqueue(record) { state, result in
                    let status = (try? result.get().status).map { " \($0)" } ?? ""
                    lines.change { $0.append("\(record.name) \(state)\(status)") }
                    left -= 1
                    if left == 0 { continuation.resume() }
                }
            }
            RequestQueue.shared.resume()
        }
    }

    @Test("sends dictionary and string parameters, and starts afresh after a failure")
    func seed() async throws {
        let server = try StubServer(routes: [
            try route("/login", body: #"{"id":7}"#), try route("/bad", status: 500),
            try route("/last"), try route("/users/7"),
        ])
        defer { server.stop() }
        let base = server.baseURL
        let login = RequestRecord(
            name: "login", request: try .post("\(base)/login", json: ["user": "ada"]))
        let user = RequestRecord(name: "user") {
            let id = try JSONValue(parsing: login.response?.body ?? [])["id"]?.number?.int ?? 0
            return try .post("\(base)/users/\(id)", form: ["a": "1", "b": "2 3"])
        }
        let bad = RequestRecord(name: "bad", request: try .post("\(base)/bad", text: "0"))
        let last = RequestRecord(name: "last", request: try .post("\(base)/last"))
        RequestQueue.shared.suspend()
        await post(login, user, bad, last)
        #expect(lines.value == ["login success 200", "user success 200", "bad failed", "last new"])
        await post(RequestRecord(name: "again", request: try .post("\(base)/last")))
        #expect(lines.value.last == "again success 200")
        let bodies = server.requests.map { String(decoding: $0.body, as: UTF8.self) }
        #expect(bodies == [#"{"user":"ada"}"#, "a=1&b=2%203", "0", ""])
    }
}
