import PipelineCore

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A client that sends exactly the bytes it is told to and reads one response after the other.
///
/// Nothing here waits longer than ten seconds.
final class StubClient {
    private let descriptor: Int32
    private var buffer: [UInt8] = []

    struct Failure: Error {
        let message: String
    }

    struct Response {
        let status: Int
        let fields: HTTPFields
        let body: String
    }

    init(port: Int) throws {
        // Closed in child processes, which would otherwise keep a connection open.
        #if canImport(Glibc)
            let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
            descriptor = socket(AF_INET, type, 0)
        #elseif canImport(Musl)
            descriptor = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)
        #else
            descriptor = socket(AF_INET, SOCK_STREAM, 0)
            _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        #endif
        var limit = timeval(tv_sec: 10, tv_usec: 0)
        setsockopt(
            descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        setsockopt(
            descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        #if canImport(Darwin)
            var on: Int32 = 1
            setsockopt(
                descriptor, SOL_SOCKET, SO_NOSIGPIPE, &on, socklen_t(MemoryLayout<Int32>.size))
        #endif
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let result = withUnsafePointer(to: address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                connect(descriptor, address, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else {
            // The descriptor is closed by `deinit`, which runs although this throws.
            throw Failure(message: "cannot connect: \(String(cString: strerror(errno)))")
        }
    }

    deinit {
        close(descriptor)
    }

    /// Sends all of the bytes; whether the server took them.
    @discardableResult
    func write(_ bytes: some Sequence<UInt8>) -> Bool {
        var rest = Array(bytes)[...]
        while !rest.isEmpty {
            #if canImport(Darwin)
                let count = rest.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, 0) }
            #else
                let count = rest.withUnsafeBytes {
                    send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
                }
            #endif
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    @discardableResult
    func write(_ text: String) -> Bool { write(text.utf8) }

    /// Sends a request with a `Host` and, when there is a body, its length.
    func request(
        _ method: String, _ target: String, fields: HTTPFields = [:], body: String? = nil
    ) throws -> Response {
        var text = "\(method) \(target) HTTP/1.1\r\nHost: stub\r\n"
        for field in fields { text += "\(field.name): \(field.value)\r\n" }
        if let body { text += "Content-Length: \(body.utf8.count)\r\n" }
        write(text + "\r\n" + (body ?? ""))
        return try response(toHead: method == "HEAD")
    }

    /// Reads one response, whose content must have a length unless there is none.
    func response(toHead isHead: Bool = false) throws -> Response {
        let head = try read { buffer in
            buffer.indices.dropLast(3).first { buffer[$0...].starts(with: "\r\n\r\n".utf8) }
                .map { $0 + 4 }
        }
        let parts = String(decoding: head, as: UTF8.self).split(separator: " ")
        guard parts.count > 1, let status = Int(parts[1]) else {
            throw Failure(message: "not a response: \(String(decoding: head, as: UTF8.self))")
        }
        let fields = HTTPFields(wire: head)
        let length = isHead ? 0 : fields["Content-Length"].flatMap { Int($0) } ?? 0
        let body = try read { $0.count >= length ? length : nil }
        return Response(
            status: status, fields: fields, body: String(decoding: body, as: UTF8.self))
    }

    /// Whether the server has sent all and closed the connection, or reset it.
    func isAtEnd() -> Bool {
        while let count = receive() {
            if count == 0 { return true }
        }
        return errno == ECONNRESET
    }

    /// Whether the server has sent anything that was not read yet, without waiting for it.
    func hasInput() -> Bool {
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return !buffer.isEmpty || poll(&entry, 1, 0) > 0
    }

    /// Ends the sending side and leaves the other open.
    func endSending() {
        shutdown(descriptor, Int32(SHUT_WR))
    }

    /// Makes the closing of this client a reset.
    func resetsWhenClosed() {
        var option = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
    }

    /// Reads until the closure finds out how many bytes are wanted, and takes those.
    private func read(until isEnough: ([UInt8]) -> Int?) throws -> [UInt8] {
        while true {
            if let count = isEnough(buffer) {
                defer { buffer.removeFirst(count) }
                return Array(buffer.prefix(count))
            }
            guard let count = receive() else {
                throw Failure(message: "reading failed: \(String(cString: strerror(errno)))")
            }
            guard count > 0 else {
                let text = String(decoding: buffer, as: UTF8.self)
                throw Failure(message: "the server closed the connection after \"\(text)\"")
            }
        }
    }

    private func receive() -> Int? {
        var chunk = [UInt8](repeating: 0, count: 64 << 10)
        let count = recv(descriptor, &chunk, chunk.count, 0)
        guard count >= 0 else { return nil }
        buffer.append(contentsOf: chunk[..<count])
        return count
    }
}
