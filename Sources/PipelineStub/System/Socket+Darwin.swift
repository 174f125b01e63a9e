#if canImport(Darwin)
    import Darwin

    extension Socket {
        /// A new stream socket; `nil` with the reason in `errno`.
        static func openStreamSocket(_ family: Int32) -> Socket? {
            let descriptor = socket(family, SOCK_STREAM, 0)
            return descriptor >= 0 ? Socket(owning: configured(descriptor)) : nil
        }

        /// Two sockets connected to each other; `nil` with the reason in `errno`.
        static func pair() -> (Socket, Socket)? {
            var descriptors: [Int32] = [-1, -1]
            guard socketpair(AF_UNIX, SOCK_STREAM, 0, &descriptors) == 0 else { return nil }
            return (
                Socket(owning: configured(descriptors[0])),
                Socket(owning: configured(descriptors[1]))
            )
        }

        /// Takes a connection; negative with the reason in `errno`.
        func acceptWithoutBlocking() -> Int32 {
            let descriptor = accept(self.descriptor, nil, nil)
            return descriptor >= 0 ? Self.configured(descriptor) : descriptor
        }

        /// Sends without SIGPIPE, which `SO_NOSIGPIPE` turned off.
        func sendWithoutSignal(_ bytes: UnsafeRawBufferPointer) -> Int {
            send(descriptor, bytes.baseAddress, bytes.count, 0)
        }

        /// What Linux does in the call that makes the socket: here one call after the other.
        private static func configured(_ descriptor: Int32) -> Int32 {
            var on: Int32 = 1
            _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
            _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
            _ = setsockopt(
                descriptor, SOL_SOCKET, SO_NOSIGPIPE, &on, socklen_t(MemoryLayout<Int32>.size))
            return descriptor
        }
    }
#endif
