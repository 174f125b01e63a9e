/// What an argument that names files stands for.
enum NamedPaths {
    /// The paths of pipelines: those in a folder, or what matches a pattern; any other argument is
    /// a path itself.
    static func pipelines(_ argument: String) throws(UsageError) -> [String] {
        guard Folder.exists(argument) else { return try files(argument) }
        let paths = try Folder.pipelines(in: argument)
        guard !paths.isEmpty else {
            throw UsageError("there is no pipeline (*.json) in this folder")
        }
        return paths
    }

    /// The files that match a pattern; any other argument is a path itself.
    ///
    /// What is there under its name is meant, whatever that looks like.
    static func files(_ argument: String) throws(UsageError) -> [String] {
        guard NamePattern.isMeant(by: argument), !Folder.hasFile(argument) else {
            return [argument]
        }
        let paths = PathPattern(argument).files()
        guard !paths.isEmpty else { throw UsageError("no file matches this pattern") }
        return paths
    }
}
