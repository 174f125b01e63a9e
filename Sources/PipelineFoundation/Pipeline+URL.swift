public import Foundation
public import PipelineCore

extension Pipeline {
    /// Reads, checks and compiles a pipeline file, such as one in an app's bundle.
    ///
    /// - Parameter url: The address of a file; nothing is fetched over a network.
    /// - Throws: `PipelineError` with everything that is wrong, each with its place; nothing is
    ///   sent.
    public init(contentsOf url: URL) throws(PipelineError) {
        guard url.isFileURL else {
            throw PipelineError(
                Diagnostic("expected the URL of a file on this device", file: url.absoluteString))
        }
        try self.init(contentsOfFile: url.path(percentEncoded: false))
    }
}
