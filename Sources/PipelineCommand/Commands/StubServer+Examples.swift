import PipelineCore
import PipelineStub

extension StubServer {
    /// A server that answers from a pipeline's examples.
    convenience init(_ routes: [StubRoute], port: Int = 0) throws(UsageError) {
        do {
            try self.init(routes: routes, port: port, keepsRequests: false)
        } catch {
            throw UsageError(error.message)
        }
    }
}

extension PipelineInputs {
    /// The routes of a server that answers from the examples.
    ///
    /// - Throws: ``PipelineError`` naming each request without an example.
    func routes() throws(PipelineError) -> [StubRoute] {
        var routes: [StubRoute] = []
        for example in try examples() {
            let path = StubPath(
                example.pathPieces.map { $0.map(StubPath.Piece.literal) ?? .hole })
            let answer = StubAnswer(
                status: example.status, fields: example.fields, body: example.body,
                delay: example.delay)
            do {
                routes.append(
                    try StubRoute(
                        method: example.method, path: path, answer: answer, name: example.name))
            } catch {
                throw PipelineError(Diagnostic(error.message, file: pipeline.source.name))
            }
        }
        return routes
    }
}
