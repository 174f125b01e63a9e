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
    /// Whether it is a file, which never has to be waited for.
    private let isFile: Bool
    private(set) var state = State.open
    /// What ends the patience with a reader who does not read; `nil` for endless patience.
    var interruption: Interruption?

    /// How much can be written without waiting where `poll` sees room: pipes grant no more.
    private static let portion = Int(PIPE_BUF)
    /// How long, in milliseconds, a reader may read nothing once the process was asked to end.
    private static let patience: Int32 = 500

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
        var status = stat()
        isFile = fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    }

    /// Writes all of the bytes, however many calls and waits that takes.
    ///
    /// After an interruption only as long as somebody reads them: a reader that has stopped for
    /// good must not keep the process from its end.
    mutating func write(_ bytes: [UInt8]) {
        var rest = bytes[...]
        while state == .open, !rest.isEmpty {
            if !isFile { waitForRoom() }
            guard state == .open else { return }
            let count = rest.prefix(isFile ? rest.count : Self.portion).withUnsafeBytes {
                systemWrite(descriptor, $0.baseAddress, $0.count)
            }
            if count > 0 {
                rest = rest.dropFirst(count)
            } else {
                recover(from: errno)
            }
        }
    }

    private mutating func waitForRoom() {
        var waiting = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        while true {
            let isInterrupted = interruption?.signal != nil
            let count = poll(&waiting, 1, Self.patience)
            // What `poll` cannot tell, writing does.
            if count > 0 || count < 0 && errno != EINTR { return }
            if count == 0, isInterrupted {
                state = .failed("nobody reads it")
                return
            }
        }
    }

    private mutating func recover(from error: Int32) {
        switch error {
        case EINTR, EAGAIN, EWOULDBLOCK: break
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
