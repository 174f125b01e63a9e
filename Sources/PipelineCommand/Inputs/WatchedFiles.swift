import PipelineCore
import PipelineJSON

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The files that a run reads, to notice when one of them changes.
struct WatchedFiles: Equatable {
    private let stamps: [String: Stamp]

    /// How many files there are.
    var count: Int { stamps.count { $0.value != Stamp() } }

    /// What differs once a file was written again, or put in the place of another one.
    private struct Stamp: Equatable {
        var isThere = false
        var device: UInt64 = 0
        var number: UInt64 = 0
        var size: Int64 = 0
        var seconds = 0
        var nanoseconds = 0
    }

    /// What a command line names and what its pipelines name, as they are now.
    init(_ settings: Settings) {
        var paths = settings.variableFiles + [settings.dataPath].compactMap(\.self)
        for operand in settings.operands where operand != "-" {
            let pipelines =
                Folder.exists(operand)
                ? (try? Folder.pipelines(in: operand)) ?? [] : [operand]
            paths += pipelines
            for pipeline in pipelines { paths += Self.names(in: pipeline) }
        }
        stamps = Dictionary(
            paths.map { ($0, Self.stamp($0)) }, uniquingKeysWith: { first, _ in first })
    }

    private static func stamp(_ path: String) -> Stamp {
        var status = stat()
        guard stat(path, &status) == 0 else { return Stamp() }
        #if canImport(Darwin)
            let time = status.st_mtimespec
        #else
            let time = status.st_mtim
        #endif
        return Stamp(
            isThere: true, device: UInt64(truncatingIfNeeded: status.st_dev),
            number: UInt64(status.st_ino), size: Int64(status.st_size),
            seconds: Int(time.tv_sec), nanoseconds: Int(time.tv_nsec))
    }

    /// The files that a pipeline names, from its folder on; none for one that cannot be read.
    ///
    /// Names that a value is put into are known to a run alone.
    static func names(in pipeline: String) -> [String] {
        guard let bytes = try? FileBytes.read(pipeline, limit: Pipeline.maximumFileSize),
            let root = try? JSONValue(parsing: bytes)
        else { return [] }
        let slash = pipeline.lastIndex(of: "/")
        let folder = slash.map { String(pipeline[...$0]) } ?? ""
        var names: [String] = []
        var open = [root]
        while let value = open.popLast() {
            for member in value.members {
                open.append(member.value)
                guard keys.contains(member.name), let name = member.value.string,
                    !name.isEmpty, !name.contains("{{")
                else { continue }
                names.append(name.hasPrefix("/") ? name : folder + name)
            }
            open += value.elements
        }
        return names
    }

    /// The keys of a pipeline file whose texts name files.
    private static let keys: Set<String> = ["file", "schema", "ca", "certificate", "key"]
}
