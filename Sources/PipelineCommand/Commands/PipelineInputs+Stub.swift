import PipelineCore
import PipelineStub

extension PipelineInputs {
    /// Starts a server on loopback that answers from these examples, as long as it takes.
    ///
    /// - Throws: Why it cannot, such as a port that is taken.
    func startStub(
        answering examples: [ExampleAnswer], port: Int = 0
    ) throws(PipelineError) -> StubServer {
        do {
            return try StubServer(answering: examples, port: port, keepsRequests: false)
        } catch {
            throw PipelineError(Diagnostic("\(error)", file: pipeline.source.name))
        }
    }
}
