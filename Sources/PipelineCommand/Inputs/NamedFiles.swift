import PipelineCore
import PipelineJSON

/// The files that a command line and its pipelines name.
///
/// Names that a value is put into are known to a run alone.
struct NamedFiles {
    /// What a run reads, from the current folder on; `-` for standard input.
    private(set) var read: [String]
    /// Where a run saves bodies.
    private(set) var written: [String] = []

    /// The keys of a pipeline file whose texts name files that are read.
    private static let keys: Set<String> = ["file", "schema", "ca", "certificate", "key"]

    /// Reads the pipelines; one that cannot be read names none.
    ///
    /// - Parameter input: The pipeline that came through standard input.
    init(_ settings: Settings, input: [UInt8]? = nil) {
        let connection = settings.connection
        let options = [
            settings.dataPath, connection.authorities, connection.certificate, connection.key,
        ]
        read = settings.variableFiles + options.compactMap(\.self)
        if let configured = settings.configured {
            read += [configured.path] + configured.variableFiles
        }
        for operand in settings.operands {
            guard operand != "-" else {
                read.append(operand)
                add(namedBy: input ?? [], in: "")
                continue
            }
            for path in (try? NamedPaths.pipelines(operand)) ?? [] {
                read.append(path)
                let folder = path.lastIndex(of: "/").map { path[...$0] } ?? ""
                let bytes = try? FileBytes.read(path, limit: Pipeline.maximumFileSize)
                add(namedBy: bytes ?? [], in: folder)
            }
        }
    }

    /// Adds what a pipeline names, from its folder on.
    private mutating func add(namedBy pipeline: [UInt8], in folder: Substring) {
        guard let root = try? JSONValue(parsing: pipeline) else { return }
        var open = [root]
        while let value = open.popLast() {
            for member in value.members {
                guard member.value.kind == .string else {
                    open.append(member.value)
                    continue
                }
                let key = member.name
                let isWritten = key == "saveTo"
                guard isWritten || Self.keys.contains(key),
                    let name = member.value.string, !name.isEmpty, !name.contains("{{")
                else { continue }
                let path = name.hasPrefix("/") ? name : folder + name
                if isWritten { written.append(path) } else { read.append(path) }
            }
            open += value.elements
        }
    }
}
