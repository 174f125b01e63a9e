/// A pipeline file, read, checked and compiled: requests that run in order, and what they need.
///
/// A value of this type is sound: everything that can be wrong with a file was looked for when it
/// was made. It can be run any number of times, also at once.
public struct Pipeline: Sendable {
    /// What reports call the pipeline.
    public let name: String

    package let source: SourceText
    package let requests: [RequestDefinition]
    package let finally: [RequestDefinition]
    let variables: VariableTable
    let baseURL: Template?
    let baseURLPlace: SourcePlace?
    let files: FileRoot
    let concurrency: Int
    let deadline: Duration?
    let finallyDeadline: Duration

    /// The size that a pipeline file may have: 64 MiB.
    package static let maximumFileSize = 64 << 20

    /// Reads, checks and compiles the pipeline file at a path.
    ///
    /// - Parameters:
    ///   - path: Relative to the current folder.
    ///   - fileRoot: The folder that files named in the pipeline may not leave; by default the one
    ///     that the pipeline is in.
    /// - Throws: ``PipelineError`` with everything that is wrong, each with its place; nothing is
    ///   sent.
    public init(contentsOfFile path: String, fileRoot: String? = nil) throws(PipelineError) {
        let bytes: [UInt8]
        do {
            bytes = try FileBytes.read(path, limit: Self.maximumFileSize)
        } catch {
            throw PipelineError(Diagnostic(error.message, file: path))
        }
        let slash = path.utf8.lastIndex(of: UInt8(ascii: "/"))
        let folder = slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
        var files = FileRoot(folder: folder, root: fileRoot)
        files.pipelineFile = path
        self = try PipelineLoader.load(bytes, name: path, files: files)
    }

    /// Checks and compiles the text of a pipeline file.
    ///
    /// - Parameters:
    ///   - bytes: The text in UTF-8; a byte order mark is skipped.
    ///   - name: What messages call the file.
    ///   - folder: Where files named in the pipeline are looked for; the current folder by default.
    ///   - fileRoot: The folder that they may not leave; `folder` by default.
    /// - Throws: ``PipelineError`` with everything that is wrong, each with its place.
    public init(
        parsing bytes: [UInt8], name: String, folder: String = ".", fileRoot: String? = nil
    ) throws(PipelineError) {
        let files = FileRoot(folder: folder, root: fileRoot)
        self = try PipelineLoader.load(bytes, name: name, files: files)
    }

    init(
        name: String, source: SourceText, requests: [RequestDefinition],
        finally: [RequestDefinition], variables: VariableTable, baseURL: Template?,
        baseURLPlace: SourcePlace?, files: FileRoot, concurrency: Int, deadline: Duration?,
        finallyDeadline: Duration
    ) {
        self.name = name
        self.source = source
        self.requests = requests
        self.finally = finally
        self.variables = variables
        self.baseURL = baseURL
        self.baseURLPlace = baseURLPlace
        self.files = files
        self.concurrency = concurrency
        self.deadline = deadline
        self.finallyDeadline = finallyDeadline
    }

    /// The names of the variables that may be given from outside, in the order of the file.
    public var variableNames: [String] {
        variables.entries.compactMap { entry in
            switch entry.source {
            case .declared, .secret: entry.name
            case .environment, .captured: nil
            }
        }
    }
}
