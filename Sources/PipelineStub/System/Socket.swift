#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// An open socket that never blocks, closed with its last reference.
final class Socket: Sendable {
    let descriptor: Int32

    /// Takes over a descriptor that is open, does not block and is closed in child processes.
    init(owning descriptor: Int32) {
        self.descriptor = descriptor
    }

    deinit {
        _ = close(descriptor)
    }

    /// What a read brought.
    enum ReadResult {
        case bytes(Int)
        /// The peer sends no more.
        case end
        /// There is nothing yet.
        case nothing
        /// The connection is broken.
        case failed
    }

    /// Reads what has come, as far as the buffer holds it.
    func read(into buffer: inout [UInt8]) -> ReadResult {
        let count = buffer.withUnsafeMutableBytes { buffer in
            retryingWhenInterrupted { recv(descriptor, buffer.baseAddress, buffer.count, 0) }
        }
        switch count {
        case 1...: return .bytes(count)
        case 0: return .end
        default: return errno == EAGAIN || errno == EWOULDBLOCK ? .nothing : .failed
        }
    }

    /// Writes as much as the peer has room for.
    ///
    /// Returns how many bytes were taken, 0 when there is no room now; `nil` when the connection
    /// is broken.
    func write(_ bytes: ArraySlice<UInt8>) -> Int? {
        let count = bytes.withUnsafeBytes { bytes in
            retryingWhenInterrupted { sendWithoutSignal(bytes) }
        }
        if count >= 0 { return count }
        return errno == EAGAIN || errno == EWOULDBLOCK ? 0 : nil
    }

    /// Tells the peer that nothing more will come; it may go on sending.
    func endSending() {
        // Fails only when the connection is gone, which the next read tells as well.
        _ = shutdown(descriptor, Int32(SHUT_WR))
    }

    /// What came of taking the next connection.
    enum Accepted {
        case connection(Socket)
        /// Nobody is waiting.
        case nothing
        /// The process or the system has no descriptor or memory left for another one.
        case exhausted
    }

    /// Takes the next connection of a listening socket.
    func acceptConnection() -> Accepted {
        while true {
            let accepted = acceptWithoutBlocking()
            if accepted >= 0 {
                let socket = Socket(owning: accepted)
                // Answers go out at once instead of waiting for the acknowledgement of the last one.
                socket.set(Int32(IPPROTO_TCP), TCP_NODELAY)
                return .connection(socket)
            }
            switch errno {
            case EAGAIN, EWOULDBLOCK: return .nothing
            // The connection that was waiting is gone already, or a signal came.
            case EINTR, ECONNABORTED, EPROTO: continue
            default: return .exhausted
            }
        }
    }

    /// A socket that listens on 127.0.0.1; port 0 takes a free one.
    static func listening(onPort port: UInt16) throws(StubError) -> Socket {
        guard let socket = openStreamSocket(AF_INET) else { throw .cannotListen(port, errno) }
        // A server started again on its port need not wait for old connections to time out.
        socket.set(SOL_SOCKET, SO_REUSEADDR)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let bound = withUnsafePointer(to: address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(socket.descriptor, address, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard bound == 0, listen(socket.descriptor, SOMAXCONN) == 0 else {
            throw .cannotListen(port, errno)
        }
        return socket
    }

    /// The port that a listening socket was given.
    var port: Int {
        var address = sockaddr_in()
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        _ = withUnsafeMutablePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                getsockname(descriptor, address, &size)
            }
        }
        return Int(UInt16(bigEndian: address.sin_port))
    }

    private func set(_ level: Int32, _ option: Int32) {
        var on: Int32 = 1
        // Best effort: no option set here decides whether the server works.
        _ = setsockopt(descriptor, level, option, &on, socklen_t(MemoryLayout<Int32>.size))
    }
}

extension StubError {
    fileprivate static func cannotListen(_ port: UInt16, _ error: Int32) -> StubError {
        let place = port == 0 ? "a free port" : "port \(port)"
        return StubError(
            .cannotListen,
            "cannot listen on \(place) of 127.0.0.1: \(String(cString: strerror(error)))"
        )
    }
}

private func retryingWhenInterrupted(_ call: () -> Int) -> Int {
    while true {
        let result = call()
        if result >= 0 || errno != EINTR { return result }
    }
}
