import Synchronization

/// The responses of a ``ResponseCache`` in memory; those used longest ago go first.
final class MemoryCache: Sendable {
    private let limit: Int
    private let state = Mutex(State())

    private struct State {
        var entries: [CacheKey: Entry] = [:]
        var size = 0
        var useCount = 0

        mutating func remove(_ key: CacheKey) {
            size -= entries.removeValue(forKey: key)?.size ?? 0
        }
    }

    private struct Entry {
        let response: StoredResponse
        let size: Int
        var lastUse: Int
    }

    init(limit: Int) {
        self.limit = limit
    }

    var size: Int { state.withLock(\.size) }

    func response(for key: CacheKey) -> StoredResponse? {
        state.withLock { state in
            state.useCount += 1
            state.entries[key]?.lastUse = state.useCount
            return state.entries[key]?.response
        }
    }

    /// `nil` for what is too large.
    func writer(for key: CacheKey, _ head: CachedHead) -> CacheWriter? {
        let size = head.head.announcedBodySize ?? 0
        guard size <= limit else { return nil }
        return CacheWriter(reserving: size, limit: limit) { [self] body in
            insert(StoredResponse(head: head, body: .bytes(Shared(body))), for: key)
        }
    }

    func remove(where isVoid: (CacheKey) -> Bool) {
        state.withLock { state in
            for key in state.entries.keys where isVoid(key) { state.remove(key) }
        }
    }

    private func insert(_ response: StoredResponse, for key: CacheKey) {
        let size = response.body.size + response.head.head.wireFields.count
        guard size <= limit else { return remove { $0 == key } }
        state.withLock { state in
            state.remove(key)
            state.useCount += 1
            state.entries[key] = Entry(response: response, size: size, lastUse: state.useCount)
            state.size += size
            guard state.size > limit else { return }
            // Down to seven eighths, so that not every response that comes has to search anew.
            for old in state.entries.sorted(by: { $0.value.lastUse < $1.value.lastUse })
            where state.size > limit - limit / 8 && old.key != key {
                state.remove(old.key)
            }
        }
    }
}
