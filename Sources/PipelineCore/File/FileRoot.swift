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

    init(folder: String, root: String?) {
        self.folder = folder
        self.root = root ?? folder
    }

    /// The real path of a file that exists, with all symbolic links followed.
    ///
    /// - Throws: That there is no such file, or that it lies outside the root.
    func resolve(_ path: String) throws(FileBytes.Failure) -> String {
        let joined = path.hasPrefix("/") ? path : "\(folder)/\(path)"
        guard !path.isEmpty, !path.utf8.contains(0), let real = Self.realPath(joined) else {
            throw FileBytes.Failure(message: "there is no file \(joined)")
        }
        guard let root = Self.realPath(root) else {
            throw FileBytes.Failure(message: "there is no folder \(self.root)")
        }
        guard real == root || real.hasPrefix(root == "/" ? root : root + "/") else {
            throw FileBytes.Failure(
                message: "\(path) leads to \(real), outside the folder \(root)")
        }
        return real
    }

    private static func realPath(_ path: String) -> String? {
        guard let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        return String(cString: resolved)
    }
}
