import Synchronization

/// A response on its way into a cache, where nothing of it is found until it is whole.
///
/// Bytes are appended by one thread and may be read by others meanwhile, which wait for no disk.
/// Dropped before it is published, it leaves nothing behind.
final class CacheWriter: Sendable {
    private let limit: Int
    /// Where the body goes, behind a head of that size; `nil` for memory.
    private let file: BodyFile?
    private let headSize: Int
    private let state: Mutex<State>
    private let keep: @Sendable ([UInt8]) -> Void

    private struct State {
        var size = 0
        /// Empty when there is a file.
        var body: [UInt8] = []
        /// Of what the file holds.
        var sum = Checksum()
    }

    /// A writer that collects a body in memory.
    ///
    /// - Parameters:
    ///   - size: How large the body is likely to be.
    ///   - limit: The size of the body above which it is not kept.
    ///   - keep: Takes the body when it is whole.
    init(
        reserving size: Int, limit: Int, keep: @escaping @Sendable (_ body: [UInt8]) -> Void
    ) {
        self.limit = limit
        self.keep = keep
        file = nil
        headSize = 0
        var state = State()
        state.body.reserveCapacity(size)
        self.state = Mutex(state)
    }

    /// A writer that adds a body to a file with a head.
    ///
    /// - Parameters:
    ///   - limit: The size of the body above which it is not kept.
    ///   - sum: The sum of what the file holds already.
    ///   - keep: Gives the file its name when it is whole.
    init(
        into file: BodyFile, limit: Int, sum: Checksum, keep: @escaping @Sendable () -> Void
    ) {
        self.limit = limit
        self.file = file
        headSize = file.size
        self.keep = { _ in keep() }
        state = Mutex(State(sum: sum))
    }

    /// Whether the body is too large to be kept.
    var isTooLarge: Bool { state.withLock { $0.size > limit } }

    /// Adds a part of the body; returns whether that could be done.
    func append(_ bytes: RawSpan) -> Bool {
        if let file, (try? file.append(bytes)) == nil { return false }
        state.withLock { state in
            state.size += bytes.byteCount
            bytes.withUnsafeBytes { bytes in
                if file == nil {
                    state.body.append(contentsOf: bytes)
                } else {
                    state.sum.append(bytes)
                }
            }
        }
        return true
    }

    /// What has come from a place of the body on, at most that much; `nil` when it cannot be read.
    func part(at offset: Int, limit: Int) -> [UInt8]? {
        guard let file else {
            // Copied with the lock held: a second holder would make the next append copy it all.
            return state.withLock { Array($0.body[offset...].prefix(min(limit, Self.partSize))) }
        }
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
        let (size, sum) = state.withLock { ($0.size, $0.sum.value) }
        guard size <= limit else { return false }
        guard let file else { return true }
        let trailer = EntryFile.trailer(headSize: headSize, bodySize: size, sum: sum)
        return (try? file.append(trailer.span.bytes)) != nil
    }

    /// Puts a response that was sealed into the cache: a file only has to be renamed.
    func publish() {
        keep(state.withLock(\.body))
    }
}
