import PipelineJSON

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// Where the files that a pipeline names are looked for, and the folder that they may not leave.
struct FileRoot: Sendable {
    /// The folder that relative paths start from: the pipeline file's.
    let folder: String
    /// The folder that must hold them; that of the pipeline file unless the user says otherwise.
    let root: String

    /// The pipeline file, which no request may write; `nil` for a pipeline that is in no file.
    var pipelineFile: String?

    init(folder: String, root: String?) {
        self.folder = folder
        self.root = root ?? folder
    }

    /// The real path of a file that exists, with all symbolic links followed.
    ///
    /// - Throws: That there is no such file, or that it lies outside the root.
    func resolve(_ path: String) throws(FileBytes.Failure) -> String {
        let joined = self.path(path)
        guard !path.isEmpty, !path.utf8.contains(0), let real = Self.realPath(joined) else {
            throw FileBytes.Failure(message: "there is no file \(joined)")
        }
        try check(real, asWritten: path)
        return real
    }

    /// The path of a file that may not exist yet, with the links to its folder followed.
    ///
    /// - Throws: That there is no such folder, or that it lies outside the root.
    func resolveForWriting(_ path: String) throws(FileBytes.Failure) -> String {
        let name = Self.lastComponent(of: path)
        guard !name.isEmpty, name != ".", name != "..",
            !path.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F })
        else {
            throw FileBytes.Failure(message: "\(JSONValue(path)) is not the name of a file")
        }
        let folder = String(decoding: self.path(path).utf8.dropLast(name.utf8.count), as: UTF8.self)
        guard let real = Self.realPath(folder) else {
            throw FileBytes.Failure(message: "cannot save to \(path): there is no folder \(folder)")
        }
        try check(real, asWritten: path)
        let result = real == "/" ? "/\(name)" : "\(real)/\(name)"
        if let pipelineFile, let own = Self.realPath(pipelineFile),
            own.utf8.elementsEqual(result.utf8)
        {
            throw FileBytes.Failure(message: "\(path) is the pipeline itself")
        }
        return result
    }

    /// A path as the pipeline file writes it, from the folder of that file on.
    func path(_ path: String) -> String {
        path.hasPrefix("/") ? path : "\(folder)/\(path)"
    }

    /// What comes after the last slash.
    static func lastComponent(of path: String) -> String {
        let slash = path.utf8.lastIndex(of: UInt8(ascii: "/"))
        return slash.map { String(path[path.utf8.index(after: $0)...]) } ?? path
    }

    /// Whether there is anything at a path.
    static func isThere(_ path: String) -> Bool {
        !path.utf8.contains(0) && access(path, F_OK) == 0
    }

    private func check(_ real: String, asWritten path: String) throws(FileBytes.Failure) {
        guard let root = Self.realPath(root) else {
            throw FileBytes.Failure(message: "there is no folder \(self.root)")
        }
        // Byte for byte: texts that are equal to Swift can be names of different files.
        let prefix = Array((root == "/" ? root : root + "/").utf8)
        guard real.utf8.elementsEqual(root.utf8) || real.utf8.starts(with: prefix) else {
            throw FileBytes.Failure(
                message: "\(path) leads to \(real), outside the folder \(root)")
        }
    }

    private static func realPath(_ path: String) -> String? {
        guard let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        return String(cString: resolved)
    }
}
