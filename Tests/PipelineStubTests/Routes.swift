import PipelineStub

extension StubRoute {
    /// A route that answers with a text.
    static func get(
        _ path: String, _ text: String = "", method: String = "GET", status: Int = 200,
        delay: Duration = .zero
    ) throws -> StubRoute {
        try StubRoute(
            method: method,
            path: StubPath(path),
            answer: StubAnswer(status: status, body: Array(text.utf8), delay: delay),
            name: "\(method) \(path)"
        )
    }
}
