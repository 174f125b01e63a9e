#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A descriptor that text is written to, whole, until writing fails.
struct Output {
    private let descriptor: Int32
    private(set) var state = State.open

    enum State: Equatable {
        case open
        /// Nobody reads it any more: what is written is dropped.
        case closed
        /// It takes no more, for this reason; what is written is dropped.
        case failed(String)
    }

    /// A descriptor that stays the caller's.
    init(_ descriptor: Int32) {
        self.descriptor = descriptor
    }

    /// Writes all of the bytes, however many calls and waits that takes.
    mutating func write(_ bytes: [UInt8]) {
        var rest = bytes[...]
        while state == .open, !rest.isEmpty {
            let count = rest.withUnsafeBytes { systemWrite(descriptor, $0.baseAddress, $0.count) }
            if count > 0 {
                rest = rest.dropFirst(count)
            } else {
                recover(from: errno)
            }
        }
    }

    private mutating func recover(from error: Int32) {
        switch error {
        case EINTR: break
        case EAGAIN, EWOULDBLOCK:
            var waiting = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
            poll(&waiting, 1, -1)
        case EPIPE: state = .closed
        default: state = .failed(String(cString: strerror(error)))
        }
    }
}

/// `write`, which the type's own method hides.
private func systemWrite(
    _ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int
) -> Int {
    write(descriptor, bytes, count)
}
