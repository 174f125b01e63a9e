/// A pattern for the paths of files: a ``NamePattern`` for each part between slashes, and `**` for
/// any number of folders.
struct PathPattern: Sendable {
    private let start: String
    private let parts: [Part]

    private enum Part {
        case name(String)
        case pattern(NamePattern)
        case folders
    }

    init(_ text: String) {
        start = text.hasPrefix("/") ? "/" : ""
        let words = text.split(separator: "/")
        parts = words.enumerated().flatMap { index, word -> [Part] in
            guard word != "**" else {
                // At the end it stands for what is in the folders.
                return index == words.count - 1
                    ? [.folders, .pattern(NamePattern("*"))] : [.folders]
            }
            return [
                NamePattern.isMeant(by: word) ? .pattern(NamePattern(word)) : .name(String(word))
            ]
        }
    }

    /// The files that match it, not the folders, each once, in the order of the bytes of their paths.
    ///
    /// `**` leads into no hidden folder and through no symbolic link, so it ends everywhere.
    func files() -> [String] {
        var found: Set<String> = []
        collect(from: start, parts[...], into: &found)
        return found.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    /// - Parameter folder: Where to look, with its slash; empty for the current folder.
    private func collect(
        from folder: String, _ parts: ArraySlice<Part>, into found: inout Set<String>
    ) {
        guard let part = parts.first else { return }
        let rest = parts.dropFirst()
        func enter(_ name: String) {
            let path = folder + name
            let isFolder = Folder.exists(path)
            if rest.isEmpty {
                if !isFolder, Folder.hasFile(path) { found.insert(path) }
            } else if isFolder {
                collect(from: path + "/", rest, into: &found)
            }
        }
        switch part {
        case .name(let name): enter(name)
        case .pattern(let pattern):
            // What cannot be read has nothing that matches.
            for name in Folder.names(in: folder) ?? [] where pattern.matches(name) { enter(name) }
        case .folders:
            collect(from: folder, rest, into: &found)
            for name in Folder.names(in: folder) ?? [] where !name.hasPrefix(".") {
                let path = folder + name
                guard Folder.exists(path), !Folder.isLink(path) else { continue }
                collect(from: path + "/", parts, into: &found)
            }
        }
    }
}
