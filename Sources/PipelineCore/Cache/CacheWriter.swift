import Synchronization

/// A response on its way into a cache, where nothing of it is found until it is whole.
///
/// Bytes are appended by one thread and may be read by others meanwhile, which wait for no disk.
/// Dropped before it is kept, it leaves nothing behind.
final class CacheWriter: Sendable {
    private let head: CachedHead
    private let limit: Int
    private let state: Mutex<State>
    private let keep: @Sendable (CachedHead, Content) -> Void

    /// Where the bytes are.
    enum Content: Sendable {
        case bytes([UInt8])
        /// Behind a head of that size.
        case file(BodyFile, headSize: Int)
    }

    private struct State {
        var content: Content
        var sum: Checksum
        var size = 0
    }

    /// A writer that has nothing of the body yet.
    ///
    /// - Parameters:
    ///   - limit: The size of the body above which it is not kept.
    ///   - sum: The sum of what the content holds already.
    ///   - keep: Takes what is whole.
    init(
        _ head: CachedHead, into content: Content, limit: Int, sum: Checksum = Checksum(),
        keep: @escaping @Sendable (CachedHead, Content) -> Void
    ) {
        self.head = head
        self.limit = limit
        self.keep = keep
        state = Mutex(State(content: content, sum: sum))
    }

    /// Whether the body is too large to be kept.
    var isTooLarge: Bool { state.withLock { $0.size > limit } }

    /// Adds a part of the body; returns whether that could be done.
    func append(_ bytes: RawSpan) -> Bool {
        if let file, (try? file.append(bytes)) == nil { return false }
        state.withLock { state in
            state.size += bytes.byteCount
            switch state.content {
            case .bytes(var body):
                // Not held twice while it grows, which would copy it.
                state.content = .bytes([])
                bytes.withUnsafeBytes { body.append(contentsOf: $0) }
                state.content = .bytes(body)
            case .file:
                bytes.withUnsafeBytes { state.sum.append($0) }
            }
        }
        return true
    }

    private var file: BodyFile? {
        if case .file(let file, _) = state.withLock(\.content) { file } else { nil }
    }

    /// What has come from a place of the body on, at most that much; `nil` when it cannot be read.
    func part(at offset: Int, limit: Int) -> [UInt8]? {
        let (copy, file) = state.withLock { state -> ([UInt8], (BodyFile, Int)?) in
            switch state.content {
            // Copied with the lock held: a second holder would make the next append copy it all.
            case .bytes(let body): (Array(body[offset...].prefix(min(limit, Self.partSize))), nil)
            case .file(let file, let headSize): ([], (file, headSize))
            }
        }
        guard let (file, headSize) = file else { return copy }
        var part: [UInt8]?
        try? file.read(from: headSize + offset) { bytes in
            part = bytes.withUnsafeBytes { Array($0.prefix(limit)) }
            return false
        }
        return part
    }

    private static let partSize = 262_144

    /// Ends the body, which is whole; returns whether the response can be kept.
    func seal() -> Bool {
        let (content, sum, size) = state.withLock { ($0.content, $0.sum.value, $0.size) }
        guard size <= limit else { return false }
        guard case .file(let file, let headSize) = content else { return true }
        let trailer = EntryFile.trailer(headSize: headSize, bodySize: size, sum: sum)
        return (try? file.append(trailer.span.bytes)) != nil
    }

    /// Puts a response that was sealed into the cache: a file only has to be renamed.
    func publish() {
        keep(head, state.withLock(\.content))
    }
}
