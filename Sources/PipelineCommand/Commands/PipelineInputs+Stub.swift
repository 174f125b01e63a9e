import PipelineCore
import PipelineStub

extension PipelineInputs {
    /// Starts a server on loopback that answers from the examples, as long as it takes.
    ///
    /// - Throws: Why it cannot: each request without an example, or a port that is taken.
    func startStub(port: Int = 0) throws(PipelineError) -> StubServer {
        do {
            return try StubServer(answering: self, port: port, keepsRequests: false)
        } catch let error as PipelineError {
            throw error
        } catch {
            throw PipelineError(Diagnostic("\(error)", file: pipeline.source.name))
        }
    }
}
