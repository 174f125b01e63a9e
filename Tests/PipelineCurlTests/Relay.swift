import PipelineCore
import TestSupport
import Testing

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Passes its first connection on to a port of the loopback interface, byte for byte, and leaves
/// those after it without an answer.
final class Relay: Sendable {
    let port: Int
    private let listener: Int32
    private let thread: PosixThread
    /// The second connection, so that its end need not be waited for: a process that was started
    /// meanwhile may have inherited the other end.
    private let second = Locked<Int32>(-1)

    /// Calls `onSecond` on a thread of its own when the second connection has been made.
    init(to target: Int, onSecond: @escaping @Sendable () -> Void = {}) throws {
        let listener = Self.makeSocket()
        self.listener = listener
        _ = Self.withLoopback(0) { bind(listener, $0, $1) }
        _ = listen(listener, 8)
        var address = sockaddr_in()
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        _ = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                getsockname(listener, $0, &size)
            }
        }
        port = Int(UInt16(bigEndian: address.sin_port))
        let thread = PosixThread { [second] in
            let first = accept(listener, nil, nil)
            let other = Self.makeSocket()
            _ = Self.withLoopback(target) { connect(other, $0, $1) }
            while Self.pass(first, other) {}
            close(first)
            close(other)
            let silent = accept(listener, nil, nil)
            second.change { $0 = silent }
            if silent >= 0 { onSecond() }
        }
        self.thread = try #require(thread)
    }

    deinit {
        shutdown(listener, Int32(SHUT_RDWR))
        // Not every system ends an `accept` by that.
        let last = Self.makeSocket()
        _ = Self.withLoopback(port) { connect(last, $0, $1) }
        close(last)
        thread.join()
        if second.value >= 0 { close(second.value) }
        close(listener)
    }

    /// Waits for bytes from either side and hands them to the other; `false` at the end of one.
    private static func pass(_ one: Int32, _ other: Int32) -> Bool {
        var entries = [one, other].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        guard poll(&entries, 2, 10_000) > 0 else { return false }
        for (from, to) in [(0, 1), (1, 0)] where entries[from].revents != 0 {
            var buffer = [UInt8](repeating: 0, count: 16_384)
            let count = recv(entries[from].fd, &buffer, buffer.count, 0)
            guard count > 0, send(entries[to].fd, buffer, count, 0) == count else { return false }
        }
        return true
    }

    private static func makeSocket() -> Int32 {
        #if canImport(Glibc)
            socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #else
            socket(AF_INET, SOCK_STREAM, 0)
        #endif
    }

    private static func withLoopback(
        _ port: Int, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) -> Int32 {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return withUnsafePointer(to: address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }
}
