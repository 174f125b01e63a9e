#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A folder of pipeline files.
enum Folder {
    /// Whether a path leads to a folder.
    static func exists(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    /// Whether a path is a symbolic link.
    static func isLink(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
    }

    /// Whether there is anything at a path.
    static func hasFile(_ path: String) -> Bool { access(path, F_OK) == 0 }

    /// The paths of the pipelines in a folder, in the order of their bytes.
    ///
    /// Those are its `*.json`, without hidden files, JSON Schemas (`*.schema.json`) and folders.
    ///
    /// - Throws: Why the folder cannot be read.
    static func pipelines(in path: String) throws(UsageError) -> [String] {
        guard let names = names(in: path) else {
            throw UsageError("the folder cannot be read: \(String(cString: strerror(errno)))")
        }
        let start = path.hasSuffix("/") ? path : path + "/"
        return names.filter(isPipeline).map { start + $0 }.filter { !exists($0) }
            .sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    /// The names of what is in a folder, the current one when empty, in no order; `nil` for one that
    /// cannot be read.
    static func names(in path: String) -> [String]? {
        guard let folder = opendir(path.isEmpty ? "." : path) else { return nil }
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder) {
            // The field is an array of fixed size; the name ends at its first NUL.
            let name = withUnsafeBytes(of: &entry.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }

    private static func isPipeline(_ name: String) -> Bool {
        name.hasSuffix(".json") && !name.hasSuffix(".schema.json") && !name.hasPrefix(".")
    }

    /// A real path from the current folder on where it is in that, else as it is.
    static func shortened(_ path: String) -> String {
        guard let current = realpath(".", nil) else { return path }
        defer { free(current) }
        let start = String(cString: current) + "/"
        return path.hasPrefix(start) ? String(path.dropFirst(start.count)) : path
    }
}
