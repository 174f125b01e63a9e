import PipelineCore

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Where a report goes: a file, which is replaced as a whole or not at all, or a device or pipe,
/// which is written directly.
struct ReportTarget: Sendable {
    /// As the command line has it.
    let path: String
    private let destination: Destination
    private let identity: FileIdentity

    private enum Destination: Sendable {
        /// The path behind symbolic links, the folder that it is in, and the permissions of what is
        /// there.
        case file(path: String, folder: String, permissions: mode_t?)
        /// Opened before the run, so that a reader sees its end when the report is complete.
        case stream(Int32)
    }

    /// Finds out whether a report can be written there; makes the folders that are missing.
    ///
    /// - Throws: Why it cannot.
    init(_ path: String) throws(UsageError) {
        self.path = path
        if StandardStream.output.isReached(by: path) {
            destination = .stream(StandardStream.output.rawValue)
            identity = FileIdentity(path: "-")
            return
        }
        guard !path.isEmpty, !path.utf8.contains(0) else {
            throw UsageError("expected the path of a file")
        }
        var status = stat()
        let exists = stat(path, &status) == 0
        let code = errno
        if !exists, Self.isLink(path) {
            // Replaced, it would no longer be what somebody made it.
            let reason = code == ENOENT ? "what it links to is not there" : Self.reason(code)
            throw UsageError("\(path) cannot be written: \(reason)")
        }
        let kind = status.st_mode & S_IFMT
        if path.hasSuffix("/") || exists && kind == S_IFDIR {
            throw UsageError("\(path) is a folder; give the path of a file to write")
        }
        if exists, kind != S_IFREG {
            destination = .stream(try Self.openStream(path))
            identity = FileIdentity(path: path, status)
            return
        }
        if exists, access(path, W_OK) != 0 { throw Self.failure(path, errno) }
        let (folder, name) = Self.split(path)
        guard ![".", ".."].contains(name), name.utf8.count <= Int(NAME_MAX) else {
            throw Self.failure(path, name.utf8.count > 2 ? ENAMETOOLONG : EISDIR)
        }
        try Self.makeFolders(folder, for: path)
        // What a link leads to is replaced, not the link.
        guard let real = Self.realPath(path, exists: exists), !name.isEmpty else {
            throw Self.failure(path, errno)
        }
        let realFolder = Self.split(real).folder
        guard access(realFolder, W_OK | X_OK) == 0 else { throw Self.failure(path, errno) }
        destination = .file(
            path: real, folder: realFolder, permissions: exists ? status.st_mode & 0o777 : nil)
        identity = exists ? FileIdentity(path: real, status) : FileIdentity(path: real)
    }

    /// Whether both lead to the same file.
    func isSame(as other: ReportTarget) -> Bool { identity == other.identity }

    /// Whether it leads to that file, which need not be there yet; `-` is standard input.
    func isFile(_ path: String) -> Bool {
        var status = stat()
        let input = StandardStream.input.rawValue
        guard (path == "-" ? fstat(input, &status) : stat(path, &status)) == 0 else {
            return Self.realPath(path, exists: false).map(FileIdentity.init) == identity
        }
        // Its numbers tell: a target that is not there has none.
        return status.st_mode & S_IFMT == S_IFREG && identity == FileIdentity(path: "", status)
    }

    /// A place for the parts of the report, beside it where that is possible.
    func makeSpool() throws(UsageError) -> ReportSpool {
        let folder: String
        switch destination {
        case .file(_, let own, _): folder = own
        case .stream: folder = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        }
        do {
            return try ReportSpool(in: folder)
        } catch {
            throw UsageError("\(path) cannot be written: \(error.message)")
        }
    }

    /// Opens it to be written while the run goes on; what was there is gone.
    func openDirectly() throws(UsageError) -> Int32 {
        switch destination {
        case .stream(let descriptor): return descriptor
        case .file(let path, _, _):
            let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
            guard descriptor >= 0 else { throw Self.failure(self.path, errno) }
            return descriptor
        }
    }

    /// Writes the report, or leaves what was there before.
    ///
    /// - Returns: Why it could not be written; `nil` when it was.
    func write(
        until interruption: Interruption, _ produce: (inout ReportOutput) -> Void
    ) -> String? {
        switch destination {
        case .stream(let descriptor):
            var output = ReportOutput(stream: descriptor, until: interruption)
            produce(&output)
            let failure = output.finish()
            if descriptor > 2, close(descriptor) != 0, failure == nil { return Self.reason(errno) }
            return failure
        case .file(let path, _, let permissions):
            return replace(path, permissions, produce)
        }
    }

    private func replace(
        _ path: String, _ permissions: mode_t?, _ produce: (inout ReportOutput) -> Void
    ) -> String? {
        let name = Self.temporaryName(for: path)
        let descriptor = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { return Self.reason(errno) }
        BodyFile.noteUnfinished(name)
        defer { BodyFile.forgetUnfinished(name) }
        if let permissions { fchmod(descriptor, permissions) }
        var output = ReportOutput(file: descriptor)
        produce(&output)
        var failure = output.finish()
        // Some file systems tell only now that there is no room.
        if close(descriptor) != 0 { failure = failure ?? Self.reason(errno) }
        if failure == nil, rename(name, path) != 0 { failure = Self.reason(errno) }
        if failure != nil { unlink(name) }
        return failure
    }
}

// Paths.
extension ReportTarget {
    /// A name beside a file that no other has.
    ///
    /// Short, so that it is possible wherever the name of the report is.
    static func temporaryName(for path: String) -> String {
        let folder = split(path).folder
        return "\(folder)/.\(getpid())-\(UInt32.random(in: 0 ... .max)).part"
    }

    private static func openStream(_ path: String) throws(UsageError) -> Int32 {
        let descriptor = open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)
        guard descriptor >= 0 else {
            if errno == ENXIO { throw UsageError("nobody reads the pipe \(path)") }
            throw failure(path, errno)
        }
        return descriptor
    }

    private static func split(_ path: String) -> (folder: String, name: String) {
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return (".", path) }
        let name = String(path[path.utf8.index(after: slash)...])
        return (slash == path.startIndex ? "/" : String(path[..<slash]), name)
    }

    private static func makeFolders(_ folder: String, for path: String) throws(UsageError) {
        if Folder.exists(folder) { return }
        let parent = split(folder).folder
        if parent != folder { try makeFolders(parent, for: path) }
        guard mkdir(folder, 0o755) == 0 || errno == EEXIST && Folder.exists(folder) else {
            throw UsageError("\(path) cannot be written: \(folder): \(reason(errno))")
        }
    }

    private static func isLink(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
    }

    /// The path without links; of one that is not there, that of its folder.
    private static func realPath(_ path: String, exists: Bool) -> String? {
        if exists { return realPath(path) }
        let (folder, name) = split(path)
        return realPath(folder).map { "\($0)/\(name)" }
    }

    private static func realPath(_ path: String) -> String? {
        guard let real = realpath(path, nil) else { return nil }
        defer { free(real) }
        return String(cString: real)
    }

    private static func failure(_ path: String, _ code: Int32) -> UsageError {
        UsageError("\(path) cannot be written: \(reason(code))")
    }

    private static func reason(_ code: Int32) -> String {
        switch code {
        case EEXIST, ENOTDIR: "a part of its path is a file, not a folder"
        default: String(cString: strerror(code))
        }
    }
}
