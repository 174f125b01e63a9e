import PipelineJSON
import Synchronization

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// A file that a body is streamed to: under a temporary name until it is whole.
///
/// What was there before stays until ``keep()``, and for good when the file is never kept. One
/// thread at a time may write to it; any may read what has been written meanwhile.
package final class BodyFile: Sendable {
    /// Where it will be.
    package let path: String
    private let temporaryPath: String
    private let descriptor: Int32
    /// Never held while the disk is waited for.
    private let state = Mutex(State())

    private struct State {
        var size = 0
        var isKept = false
    }

    /// Why a body could not be saved.
    package struct Failure: Error {
        /// For people, with the path.
        package let message: String
    }

    /// Makes the temporary file, beside the place where the file will be.
    ///
    /// - Parameters:
    ///   - path: Where the file will be.
    ///   - isPrivate: Whether only its owner may read it; otherwise who might read
    ///     an older file, or whoever the user's mask lets.
    /// - Throws: That nothing can be written there.
    package init(path: String, isPrivate: Bool = false) throws(Failure) {
        self.path = path
        // What the system would take for another name: it reads up to a NUL.
        guard !path.isEmpty, !path.utf8.contains(0) else {
            throw Failure(message: "cannot save to \(JSONValue(path)): it is no file's name")
        }
        var status = stat()
        let isThere = lstat(path, &status) == 0
        let kind = status.st_mode & S_IFMT
        guard !isThere || kind == S_IFREG || kind == S_IFLNK else {
            let what = kind == S_IFDIR ? "it is a folder" : "it is no ordinary file"
            throw Failure(message: "cannot save to \(path): \(what)")
        }
        // Short, so that it is possible wherever the name is.
        let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")).map { path.utf8.index(after: $0) }
        let folder = path[..<(slash ?? path.startIndex)]
        let name = "\(folder).\(getpid())-\(UInt32.random(in: 0 ... .max)).part"
        // Who could not read the older file cannot read the new one either, not even for a moment.
        let isReplaced = isThere && kind == S_IFREG
        let mode: mode_t = isReplaced || isPrivate ? 0o600 : 0o666
        let descriptor = open(name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode)
        guard descriptor >= 0 else { throw Self.failure(path, errno) }
        if isReplaced, !isPrivate { fchmod(descriptor, status.st_mode & 0o777) }
        temporaryPath = name
        self.descriptor = descriptor
        Self.unfinished.withLock { _ = $0.insert(name) }
    }

    deinit {
        close(descriptor)
        if !state.withLock({ $0.isKept }) { unlink(temporaryPath) }
        Self.unfinished.withLock { _ = $0.remove(temporaryPath) }
    }

    /// The temporary files that are there.
    private static let unfinished = Mutex<Set<String>>([])

    /// Counts another file among those that ``removeUnfinished()`` removes.
    package static func noteUnfinished(_ path: String) {
        unfinished.withLock { _ = $0.insert(path) }
    }

    /// Counts it no longer: it has its name, or is gone.
    package static func forgetUnfinished(_ path: String) {
        unfinished.withLock { _ = $0.remove(path) }
    }

    /// Removes all temporary files, for a process that ends without letting go of its values.
    ///
    /// What is still being written is lost, and cannot be kept any more.
    package static func removeUnfinished() {
        for path in unfinished.withLock(\.self) { unlink(path) }
    }

    /// How many bytes it has.
    package var size: Int { state.withLock { $0.size } }

    /// Adds bytes at the end.
    package func append(_ bytes: RawSpan) throws(Failure) {
        let code = bytes.withUnsafeBytes { buffer in
            var rest = buffer[...]
            while !rest.isEmpty {
                let count = write(descriptor, rest.baseAddress(in: buffer), rest.count)
                if count < 0, errno == EINTR { continue }
                if count < 0 { return errno }
                rest = rest.dropFirst(count)
                state.withLock { $0.size += count }
            }
            return 0
        }
        if code != 0 { throw Self.failure(path, code) }
    }

    /// Forgets what it holds, for another attempt.
    package func empty() throws(Failure) {
        state.withLock { $0.size = 0 }
        guard ftruncate(descriptor, 0) == 0, lseek(descriptor, 0, SEEK_SET) == 0 else {
            throw Self.failure(path, errno)
        }
    }

    /// Reads it from a place on, part after part, until the body says that it has enough.
    package func read(from start: Int = 0, _ body: (RawSpan) -> Bool) throws(Failure) {
        let size = size
        let chunk = UnsafeMutableRawBufferPointer.allocate(byteCount: 262_144, alignment: 16)
        defer { chunk.deallocate() }
        var offset = start
        while offset < size {
            let count = pread(descriptor, chunk.baseAddress, chunk.count, off_t(offset))
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw Self.failure(path, count < 0 ? errno : EIO) }
            offset += count
            let part = UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(chunk)[..<count])
            guard body(part.bytes) else { return }
        }
    }

    /// Its first bytes, at most so many; fewer when they cannot be read.
    package func prefix(_ limit: Int) -> [UInt8] {
        var result: [UInt8] = []
        try? read { part in
            part.withUnsafeBytes { result.append(contentsOf: $0.prefix(limit - result.count)) }
            return result.count < limit
        }
        return result
    }

    /// Gives it its name, in the place of what had it before.
    package func keep() throws(Failure) {
        guard rename(temporaryPath, path) == 0 else { throw Self.failure(path, errno) }
        state.withLock { $0.isKept = true }
    }

    private static func failure(_ path: String, _ code: Int32) -> Failure {
        let reason = code == ENOENT ? "there is no such folder" : String(cString: strerror(code))
        return Failure(message: "cannot save to \(path): \(reason)")
    }
}

extension Slice<UnsafeRawBufferPointer> {
    /// Where it begins.
    fileprivate func baseAddress(in buffer: UnsafeRawBufferPointer) -> UnsafeRawPointer? {
        buffer.baseAddress.map { $0 + startIndex }
    }
}
