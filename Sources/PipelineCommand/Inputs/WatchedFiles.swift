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
    ///
    /// Not the configuration file, whose options are what they were when the command was started.
    init(_ settings: Settings) {
        let files = NamedFiles(settings).read.filter { $0 != settings.configured?.path }
        stamps = Dictionary(
            files.map { ($0, Self.stamp($0)) },
            uniquingKeysWith: { first, _ in first })
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
}
