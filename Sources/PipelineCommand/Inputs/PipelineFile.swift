import PipelineCore

/// A pipeline that the command line names, loaded, or everything that is wrong with it.
struct PipelineFile: Sendable {
    /// What messages call it.
    let name: String
    let content: Result<Pipeline, PipelineError>
    /// What was read from standard input; `nil` for a file that can be read again.
    var input: [UInt8]?

    /// Loads what the command line names: files, folders, patterns and standard input.
    static func load(_ operands: [String], fileRoot: String? = nil) -> [PipelineFile] {
        var input: StandardInput?
        return operands.flatMap { operand -> [PipelineFile] in
            if operand == "-" {
                let read = input ?? StandardInput(fileRoot: fileRoot)
                input = read
                return [read.file]
            }
            do throws(UsageError) {
                return try NamedPaths.pipelines(operand).map { file($0, fileRoot) }
            } catch {
                let problem = PipelineError(Diagnostic(error.message, file: operand))
                return [PipelineFile(name: operand, content: .failure(problem))]
            }
        }
    }

    private static func file(_ path: String, _ fileRoot: String?) -> PipelineFile {
        PipelineFile(
            name: path,
            content: Result { () throws(PipelineError) in
                try Pipeline(contentsOfFile: path, fileRoot: fileRoot)
            })
    }
}

/// The pipeline on standard input, which can be read only once.
private struct StandardInput {
    let file: PipelineFile

    private static let name = "<stdin>"

    init(fileRoot: String?) {
        do throws(FileBytes.Failure) {
            let bytes = try FileBytes.read(
                StandardStream.input.rawValue, limit: Pipeline.maximumFileSize)
            let content = Result { () throws(PipelineError) in
                try Pipeline(parsing: bytes, name: Self.name, fileRoot: fileRoot)
            }
            file = PipelineFile(name: Self.name, content: content, input: bytes)
        } catch {
            let problem = PipelineError(Diagnostic(error.message, file: Self.name))
            file = PipelineFile(name: Self.name, content: .failure(problem))
        }
    }
}
