import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Where the parts of a report are kept until they are put together: in memory while they are small,
/// then in a file without a name.
final class ReportSpool: Sendable {
    private let descriptor: Int32
    private let state = Mutex(State())

    private struct State {
        /// What was not written to the file yet.
        var pending: [UInt8] = []
        /// How much is in the file.
        var written = 0
        var failure: String?
    }

    /// What is so large is written at once, instead of being copied first: 64 KiB.
    static let largePiece = 1 << 16
    /// So much of what is smaller is kept in memory: 1 MiB.
    private static let limit = 1 << 20
    /// So much is read again at once: 256 KiB.
    private static let portion = 1 << 18

    /// Makes the file in a folder and removes its name, so that nothing is ever left of it.
    ///
    /// - Throws: Why nothing can be written there.
    init(in folder: String) throws(UsageError) {
        let name = ReportTarget.temporaryName(for: "\(folder)/report")
        let descriptor = open(name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw UsageError(String(cString: strerror(errno))) }
        unlink(name)
        self.descriptor = descriptor
    }

    deinit {
        close(descriptor)
    }

    /// Why something could not be kept; `nil` when nothing is missing.
    var failure: String? { state.withLock { $0.failure } }

    /// Keeps bytes; returns where they are.
    func append(_ bytes: [UInt8]) -> Range<Int> {
        state.withLock { state in
            let start = state.written + state.pending.count
            if bytes.count >= Self.largePiece {
                flush(&state)
                write(bytes, &state)
            } else {
                state.pending += bytes
                if state.pending.count >= Self.limit { flush(&state) }
            }
            return start..<start + bytes.count
        }
    }

    /// Hands on what was kept there, part after part.
    func read(_ range: Range<Int>, _ take: (ArraySlice<UInt8>) -> Void) {
        state.withLock { state in
            var offset = range.lowerBound
            let end = min(range.upperBound, state.written)
            // One for all parts: new memory costs more than what is read into it.
            var part = [UInt8](repeating: 0, count: max(0, min(Self.portion, end - offset)))
            while offset < end {
                let size = min(part.count, end - offset)
                let count = part.withUnsafeMutableBytes {
                    pread(descriptor, $0.baseAddress, size, off_t(offset))
                }
                guard count > 0 else {
                    state.failure = state.failure ?? "what was written cannot be read again"
                    return
                }
                take(part[..<count])
                offset += count
            }
            guard offset < range.upperBound else { return }
            take(state.pending[(offset - state.written)..<(range.upperBound - state.written)])
        }
    }

    private func flush(_ state: inout State) {
        write(state.pending, &state)
        state.pending.removeAll(keepingCapacity: true)
    }

    private func write(_ bytes: [UInt8], _ state: inout State) {
        state.failure = state.failure ?? SystemWrite.all(bytes[...], to: descriptor)
        state.written += bytes.count
    }
}
