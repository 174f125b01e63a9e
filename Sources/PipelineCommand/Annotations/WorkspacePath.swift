import PipelineCore

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Paths as GitHub finds them in the repository.
enum WorkspacePath {
    /// The file's path from the top of the repository on, or the whole path of one that is elsewhere;
    /// `nil` for what is no file.
    static func of(_ file: String) -> String? {
        guard let path = real(file) else { return nil }
        guard let workspace = Environment.value("GITHUB_WORKSPACE").flatMap(real),
            path.hasPrefix("\(workspace)/")
        else { return path }
        return String(path.dropFirst(workspace.count + 1))
    }

    private static func real(_ path: String) -> String? {
        guard let real = realpath(path, nil) else { return nil }
        defer { free(real) }
        return String(cString: real)
    }
}
