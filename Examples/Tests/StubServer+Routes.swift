import PipelineStub

extension StubServer {
    /// A server with these methods, paths and answers.
    convenience init(_ routes: (String, String, StubAnswer)...) throws {
        try self.init(
            routes: routes.map { method, path, answer in
                try StubRoute(method: method, path: StubPath(path), answer: answer, name: path)
            })
    }
}
