#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// A file of a ``DiskCache``: head, body, and at the end their sizes and a sum.
///
/// It never changes once it has its name, so it needs no lock: another process that replaces or
/// removes it does nothing to those who have it open.
final class EntryFile: Sendable {
    let head: CachedHead
    let bodySize: Int
    private let bodyStart: Int
    private let descriptor: Int32

    /// What ends a file: eight bytes that say what it is, two sizes and the sum.
    static let trailerSize = 32
    private static let mark = Array("PCcache1".utf8)
    /// How much is read at once.
    private static let partSize = 262_144
    private static let headLimit = 1 << 20

    /// What is written behind head and body.
    static func trailer(headSize: Int, bodySize: Int, sum: UInt64) -> [UInt8] {
        mark
            + [UInt64(headSize), UInt64(bodySize), sum].flatMap { number in
                (0..<8).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
            }
    }

    /// The beginning of an entry's sum: a whole file under another's name is no entry.
    static func sum(of name: String) -> Checksum {
        var sum = Checksum()
        sum.append(Array(name.utf8))
        return sum
    }

    /// What was found under a name.
    enum Finding {
        case entry(EntryFile)
        /// Nothing, or nothing that can be opened now.
        case missing
        /// A file that is of no use to anybody.
        case damaged
    }

    /// Opens the entry of that name and makes sure of every byte.
    static func find(folder: String, name: String) -> Finding {
        let flags = O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK
        let descriptor = open("\(folder)/\(name)", flags)
        guard descriptor >= 0 else { return .missing }
        guard let (head, bodyStart, bodySize) = check(descriptor, name) else {
            close(descriptor)
            return .damaged
        }
        return .entry(EntryFile(descriptor, head, bodyStart: bodyStart, bodySize: bodySize))
    }

    private init(_ descriptor: Int32, _ head: CachedHead, bodyStart: Int, bodySize: Int) {
        self.descriptor = descriptor
        self.head = head
        self.bodyStart = bodyStart
        self.bodySize = bodySize
    }

    deinit {
        close(descriptor)
    }

    /// What comes at a place of the body; nothing at the end, `nil` when it cannot be read.
    func part(at offset: Int) -> [UInt8]? {
        let count = min(Self.partSize, bodySize - offset)
        return Self.read(descriptor, at: bodyStart + offset, count: count)
    }

    private static func check(_ descriptor: Int32, _ name: String) -> (CachedHead, Int, Int)? {
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
            let end = read(descriptor, at: Int(status.st_size) - trailerSize, count: trailerSize),
            end.starts(with: mark)
        else { return nil }
        let numbers = [8, 16, 24].map { start in
            (0..<8).reduce(UInt64(0)) { $0 | UInt64(end[start + $1]) << ($1 * 8) }
        }
        let contentSize = Int(status.st_size) - trailerSize
        guard let headSize = Int(exactly: numbers[0]), let bodySize = Int(exactly: numbers[1]),
            headSize <= min(headLimit, contentSize), bodySize == contentSize - headSize,
            let headBytes = read(descriptor, at: 0, count: headSize)
        else { return nil }
        var sum = sum(of: name)
        var offset = 0
        while offset < contentSize {
            let count = min(partSize, contentSize - offset)
            guard let part = read(descriptor, at: offset, count: count) else { return nil }
            sum.append(part)
            offset += count
        }
        guard sum.value == numbers[2], let head = CachedHead(bytes: headBytes[...]) else {
            return nil
        }
        return (head, headSize, bodySize)
    }

    /// Reads exactly that much; `nil` when there is less.
    private static func read(_ descriptor: Int32, at offset: Int, count: Int) -> [UInt8]? {
        guard offset >= 0 else { return nil }
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            while filled < count {
                let address = buffer.baseAddress.map { $0 + filled }
                let result = pread(descriptor, address, count - filled, off_t(offset + filled))
                if result < 0, errno == EINTR { continue }
                guard result > 0 else { return }
                filled += result
            }
        }
        return bytes.count == count ? bytes : nil
    }
}
