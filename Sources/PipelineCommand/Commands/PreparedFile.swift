import PipelineCore
import PipelineJSON

/// A file that is ready to be run, or why it is not.
struct PreparedFile: Sendable {
    /// What messages and reports call this run of the file.
    let name: String
    /// What was read from standard input; `nil` for a file that can be read again.
    let input: [UInt8]?
    private let content: Result<PipelineInputs, PipelineError>

    /// - Parameters:
    ///   - turn: What tells this run of the file from its others.
    ///   - row: The values that only this run has.
    init(
        _ file: PipelineFile, _ values: GivenValues, _ selection: RequestSelection,
        _ turn: [String] = [], _ row: [String: JSONValue] = [:]
    ) {
        input = file.input
        name = turn.isEmpty ? file.name : "\(file.name) [\(turn.joined(separator: ", "))]"
        content = Result { () throws(PipelineError) in
            let inputs = try values.bind(try file.content.get(), row: row)
            guard !(try inputs.pipeline.positions(of: selection)).isEmpty else {
                throw PipelineError(
                    Diagnostic(
                        "there is nothing to run: no request is enabled", file: file.name))
            }
            return inputs
        }
    }

    var inputs: PipelineInputs? { try? content.get() }

    var failure: PipelineError? {
        if case .failure(let error) = content { error } else { nil }
    }
}
