/// Responses that are kept for later, in memory or in a folder, for one user (RFC 9111).
///
/// It is given to a ``CachingTransport``, or to several, and may be used from any thread. Responses
/// used longest ago go when there is no room; one that is larger than the limit is not kept.
///
/// ```swift
/// let cache = try ResponseCache.disk(folder: "\(caches)/responses", limit: 200 << 20)
/// let transport = CachingTransport(CurlTransport(), cache: cache, user: accountName)
/// ```
public struct ResponseCache: Sendable {
    private let storage: Storage
    private let generations = CacheGenerations()

    private enum Storage: Sendable {
        case memory(MemoryCache)
        case disk(DiskCache)
    }

    /// A cache in memory, empty.
    ///
    /// - Parameter limit: The bytes that it holds at most, bodies and header fields; 16 MiB.
    public static func memory(limit: Int = 16 << 20) -> ResponseCache {
        ResponseCache(storage: .memory(MemoryCache(limit: limit)))
    }

    /// A cache in a folder, with what is in it already.
    ///
    /// Several processes may share the folder. Its files can be read by its owner only and are
    /// named by sums that tell no address; whatever is damaged is ignored. A body goes to its file
    /// as it comes and is never in memory as a whole. Other files in the folder are left alone.
    ///
    /// - Parameters:
    ///   - folder: Made, for its owner only, unless it is there; the folder that it is in must be.
    ///     One that is there must be no symbolic link, belong to the user of the process, and let
    ///     nobody else write to it.
    ///   - limit: The bytes that its files have at most, 256 MiB; what processes that share it are
    ///     about to write may exceed it by an eighth for each of them.
    /// - Throws: That the folder cannot be made or used.
    public static func disk(
        folder: String, limit: Int = 256 << 20
    ) throws(ResponseCacheError) -> ResponseCache {
        ResponseCache(storage: .disk(try DiskCache(folder: folder, limit: limit)))
    }

    /// How many bytes are kept; for a folder, its entries are counted.
    public var size: Int {
        switch storage {
        case .memory(let cache): cache.size
        case .disk(let cache): cache.size
        }
    }

    /// Forgets everything.
    ///
    /// What is on its way, by whichever transport of this cache, is not kept either when it has come;
    /// later requests do not share it.
    public func removeAll() {
        generations.end(address: nil)
        remove { _ in true }
    }

    /// Forgets the responses of an address, whatever the requests for them said.
    ///
    /// It reaches what is on its way as ``removeAll()`` does.
    public func remove(_ url: HTTPURL) {
        let address = CacheKey.address(url)
        // First what is on its way, so that it does not come after the rest has gone.
        generations.end(address: address)
        remove { $0.address == address }
    }

    private func remove(where isVoid: (CacheKey) -> Bool) {
        switch storage {
        case .memory(let cache): cache.remove(where: isVoid)
        case .disk(let cache): cache.remove(where: isVoid)
        }
    }
}

// For the transport.
extension ResponseCache {
    /// What is stored for such a request, fresh or stale.
    func response(for request: HTTPRequest, user: String) -> StoredResponse? {
        guard let found = response(for: CacheKey(request, user: user)) else { return nil }
        guard let names = found.head.selection else { return found }
        return response(for: CacheKey(request, user: user, selectedBy: names))
    }

    /// Begins to store a response; `nil` when that is impossible.
    func writer(for request: HTTPRequest, user: String, _ head: CachedHead) -> CacheWriter? {
        guard let names = CachePolicy.selectingFields(head.head) else { return nil }
        if !names.isEmpty {
            let selection = writer(for: CacheKey(request, user: user), .selection(by: names))
            if let selection, selection.seal() { selection.publish() }
        }
        return writer(for: CacheKey(request, user: user, selectedBy: names), head)
    }

    /// The generation of a response that is asked for now.
    func generation(of url: HTTPURL) -> Int { generations.current(url) }

    /// Keeps a response that is whole, unless its address was forgotten since it was asked for.
    ///
    /// Whoever forgets responses meanwhile waits for a rename and for nothing else.
    func commit(_ writer: CacheWriter, for url: HTTPURL, since generation: Int) {
        guard writer.seal() else { return }
        generations.ifCurrent(generation, of: url) { writer.publish() }
        if case .disk(let cache) = storage { cache.makeRoom() }
    }

    /// Puts a head that a 304 has brought up to date in the place of the old one.
    func update(
        _ stored: StoredResponse, for request: HTTPRequest, user: String, since generation: Int
    ) {
        guard CachePolicy.isStorable(stored.head, for: request) else { return remove(request.url) }
        guard let writer = writer(for: request, user: user, stored.head) else { return }
        var offset = 0
        while offset < stored.body.size {
            guard let part = stored.body.part(at: offset), writer.append(part.span.bytes) else {
                return
            }
            offset += part.count
        }
        commit(writer, for: request.url, since: generation)
    }

    private func response(for key: CacheKey) -> StoredResponse? {
        switch storage {
        case .memory(let cache): cache.response(for: key)
        case .disk(let cache): cache.response(for: key)
        }
    }

    private func writer(for key: CacheKey, _ head: CachedHead) -> CacheWriter? {
        switch storage {
        case .memory(let cache): cache.writer(for: key, head)
        case .disk(let cache): cache.writer(for: key, head)
        }
    }
}

/// Why a folder cannot hold a cache.
public struct ResponseCacheError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What happened, for people, with the path.
    public let description: String

    init(_ description: String) {
        self.description = description
    }
}
