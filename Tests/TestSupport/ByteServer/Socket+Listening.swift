#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

extension Socket {
    /// Sockets that listen on one port of `127.0.0.1` and, where the machine has it, of `::1`.
    static func listeningOnLoopback() throws -> (port: Int, sockets: [Socket]) {
        guard let probe = try? listening(.ipv6) else {
            let socket = try listening(.ipv4)
            return (socket.localPort, [socket])
        }
        probe.close()
        while true {
            let first = try listening(.ipv4)
            do {
                return (first.localPort, [first, try listening(.ipv6, port: first.localPort)])
            } catch {
                first.close()
                // Somebody else has that port of the other address: another one is tried.
                guard let failure = error as? Failure, failure.number == EADDRINUSE else {
                    throw error
                }
            }
        }
    }

    /// A Unix socket that listens at that path.
    static func listening(path: String) throws -> Socket {
        let result = try Socket(domain: AF_UNIX)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { place in
            // The last byte stays 0, which ends the path.
            UnsafeMutableRawBufferPointer(rebasing: place.dropLast()).copyBytes(
                from: path.utf8.prefix(place.count - 1))
        }
        let code = withUnsafePointer(to: address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(result.descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard code == 0, listen(result.descriptor, 128) == 0 else {
            let number = errno
            result.close()
            throw Failure(call: "bind", number: number)
        }
        return result
    }
}
