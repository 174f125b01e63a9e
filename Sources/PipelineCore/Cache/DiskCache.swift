import Synchronization

/// The responses of a ``ResponseCache`` in a folder, one file each.
///
/// Files come into being under another name and are renamed when they are whole, and never change
/// afterwards: processes that share the folder need no lock. What is damaged or torn is as if it
/// were not there. Nothing that fails on the disk fails a request.
final class DiskCache: Sendable {
    private let folder: CacheFolder
    private let limit: Int
    private let state: Mutex<State>

    private struct State {
        /// What the folder held when it was last looked at, and what was written since.
        var size: Int
        var written = 0
    }

    /// Uses a folder, which is made if need be.
    init(folder path: String, limit: Int) throws(ResponseCacheError) {
        folder = try CacheFolder(path)
        self.limit = limit
        state = Mutex(State(size: folder.entries().reduce(0) { $0 + $1.size }))
    }

    var size: Int { folder.entries().reduce(0) { $0 + $1.size } }

    func response(for key: CacheKey) -> StoredResponse? {
        let name = CacheFolder.name(key)
        switch EntryFile.find(folder: folder.path, name: name) {
        case .entry(let file):
            folder.touch(name)
            return StoredResponse(head: file.head, body: .file(file))
        case .missing:
            return nil
        case .damaged:
            // Or it would be read again and again.
            folder.remove(name)
            return nil
        }
    }

    /// `nil` when nothing can be written, and for what is too large.
    func writer(for key: CacheKey, _ head: CachedHead) -> CacheWriter? {
        guard head.head.announcedBodySize ?? 0 <= limit else { return nil }
        let name = CacheFolder.name(key)
        let bytes = head.bytes
        guard let file = try? BodyFile(path: "\(folder.path)/\(name)", isPrivate: true),
            (try? file.append(bytes.span.bytes)) != nil
        else { return nil }
        var sum = EntryFile.sum(of: name)
        sum.append(bytes)
        let rest = limit - bytes.count - EntryFile.trailerSize
        return CacheWriter(into: file, limit: rest, sum: sum) { [self] in
            guard (try? file.keep()) != nil else { return }
            folder.touch(name)
            state.withLock { state in
                state.size += file.size
                state.written += file.size
            }
        }
    }

    func remove(where isVoid: (CacheKey) -> Bool) {
        for key in folder.keys() where isVoid(key) { folder.remove(CacheFolder.name(key)) }
    }

    /// Removes what was used longest ago, when there may be too much; never what was used last.
    ///
    /// Other processes write, too: so the folder is looked at after every eighth of the limit.
    func makeRoom() {
        let mayBeFull = state.withLock { $0.size > limit || $0.written > limit / 8 }
        guard mayBeFull else { return }
        folder.removeRemains()
        let entries = folder.entries().sorted { $0.lastUse < $1.lastUse }
        var size = entries.reduce(0) { $0 + $1.size }
        if size > limit {
            for entry in entries.dropLast() where size > limit - limit / 8 {
                folder.remove(CacheFolder.name(entry.key))
                size -= entry.size
            }
        }
        let left = size
        state.withLock { $0 = State(size: left) }
    }
}
