#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A stream socket of this machine's own, with calls that give up after ten seconds.
struct Socket: Sendable {
    let descriptor: Int32

    private static let limit = timeval(tv_sec: 10, tv_usec: 0)

    /// A system call that failed.
    struct Failure: Error {
        let call: String
        let number: Int32
    }

    #if canImport(Glibc)
        private static let stream = Int32(SOCK_STREAM.rawValue)
    #else
        private static let stream = SOCK_STREAM
    #endif

    #if canImport(Darwin)
        private static let noSignal: Int32 = 0
    #else
        private static let noSignal = Int32(MSG_NOSIGNAL)
    #endif

    private init(family: ByteServer.Family) throws {
        try self.init(domain: family == .ipv4 ? AF_INET : AF_INET6)
    }

    /// A socket of a kind of addresses, such as `AF_UNIX`.
    init(domain: Int32) throws {
        descriptor = socket(domain, Self.stream, 0)
        guard descriptor >= 0 else { throw Failure(call: "socket", number: errno) }
        keepFromPrograms()
    }

    private init(accepted descriptor: Int32) {
        self.descriptor = descriptor
        keepFromPrograms()
        setLimits()
    }

    /// A socket that listens on a port of the loopback interface, one of the system's choice for 0.
    static func listening(
        _ family: ByteServer.Family, port: Int = 0, backlog: Int32 = 128
    ) throws -> Socket {
        let result = try Socket(family: family)
        let code = withLoopbackAddress(family, port: port) { bind(result.descriptor, $0, $1) }
        guard code == 0, listen(result.descriptor, backlog) == 0 else {
            let number = errno
            result.close()
            throw Failure(call: "bind", number: number)
        }
        return result
    }

    /// A socket connected to that port of the loopback interface; `nil` when nobody listens.
    static func connected(to port: Int, _ family: ByteServer.Family) -> Socket? {
        guard let result = try? Socket(family: family) else { return nil }
        result.setLimits()
        let code = withLoopbackAddress(family, port: port) { connect(result.descriptor, $0, $1) }
        guard code == 0 else {
            result.close()
            return nil
        }
        return result
    }

    var localPort: Int {
        var address = sockaddr_storage()
        var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let code = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                getsockname(descriptor, $0, &size)
            }
        }
        guard code == 0 else { return 0 }
        // The port has the same place in addresses of both families.
        return withUnsafeBytes(of: address) { Int($0[2]) << 8 | Int($0[3]) }
    }

    /// Waits for a connection; `nil` when the socket is of no more use.
    func accept() -> Socket? {
        #if canImport(Glibc)
            let accepted = Glibc.accept(descriptor, nil, nil)
        #elseif canImport(Musl)
            let accepted = Musl.accept(descriptor, nil, nil)
        #else
            let accepted = Darwin.accept(descriptor, nil, nil)
        #endif
        return accepted < 0 ? nil : Socket(accepted: accepted)
    }

    /// The next bytes; empty at the end, after an error or when nothing comes.
    func receive() -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: 65_536) { buffer, count in
            count = max(0, recv(descriptor, buffer.baseAddress, buffer.count, 0))
        }
    }

    /// Sends all bytes; returns whether they could be handed over.
    func send(_ bytes: [UInt8]) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                #if canImport(Glibc)
                    Glibc.send(descriptor, $0.baseAddress, $0.count, Self.noSignal)
                #elseif canImport(Musl)
                    Musl.send(descriptor, $0.baseAddress, $0.count, Self.noSignal)
                #else
                    Darwin.send(descriptor, $0.baseAddress, $0.count, Self.noSignal)
                #endif
            }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    /// Waits that long, less when there is something to read.
    func waitForInput(milliseconds: Int) {
        wait(for: Int16(POLLIN), milliseconds: milliseconds)
    }

    /// Waits until both directions have ended, whatever there is to read.
    func waitForHangUp() {
        wait(for: 0, milliseconds: Self.limit.tv_sec * 1_000)
    }

    private func wait(for events: Int16, milliseconds: Int) {
        var entry = pollfd(fd: descriptor, events: events, revents: 0)
        poll(&entry, 1, Int32(milliseconds))
    }

    /// Ends both directions and whatever waits for them; the socket stays open.
    func shutDown() {
        shutdown(descriptor, Int32(SHUT_RDWR))
    }

    /// Has `close` send a reset instead of an orderly end.
    func setResetOnClose() {
        var linger = linger(l_onoff: 1, l_linger: 0)
        setsockopt(
            descriptor, SOL_SOCKET, SO_LINGER, &linger,
            socklen_t(MemoryLayout.size(ofValue: linger)))
    }

    func close() {
        #if canImport(Glibc)
            _ = Glibc.close(descriptor)
        #elseif canImport(Musl)
            _ = Musl.close(descriptor)
        #else
            _ = Darwin.close(descriptor)
        #endif
    }

    /// A program that had the connection too would keep it open.
    private func keepFromPrograms() {
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    }

    private func setLimits() {
        var limit = Self.limit
        let size = socklen_t(MemoryLayout<timeval>.size)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, size)
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, size)
        var yes: Int32 = 1
        // Each `send` of a script is to leave as it is, without waiting for the next one.
        setsockopt(
            descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &yes, socklen_t(MemoryLayout<Int32>.size))
        #if canImport(Darwin)
            setsockopt(
                descriptor, SOL_SOCKET, SO_NOSIGPIPE, &yes, socklen_t(MemoryLayout<Int32>.size))
        #endif
    }

    private static func withLoopbackAddress(
        _ family: ByteServer.Family, port: Int,
        _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) -> Int32 {
        func call<Address>(_ address: Address) -> Int32 {
            withUnsafePointer(to: address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    body($0, socklen_t(MemoryLayout<Address>.size))
                }
            }
        }
        switch family {
        case .ipv4:
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = UInt16(port).bigEndian
            address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
            return call(address)
        case .ipv6:
            var address = sockaddr_in6()
            address.sin6_family = sa_family_t(AF_INET6)
            address.sin6_port = UInt16(port).bigEndian
            address.sin6_addr = in6addr_loopback
            return call(address)
        }
    }
}
