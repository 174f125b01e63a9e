#if os(Linux) || os(Android)
    #if canImport(Glibc)
        import Glibc

        private let stream = Int32(SOCK_STREAM.rawValue)
        private let options = Int32(SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
    #elseif canImport(Musl)
        import Musl

        private let stream = SOCK_STREAM
        private let options = SOCK_NONBLOCK | SOCK_CLOEXEC
    #endif

    extension Socket {
        /// A new stream socket; `nil` with the reason in `errno`.
        static func openStreamSocket(_ family: Int32) -> Socket? {
            let descriptor = socket(family, stream | options, 0)
            return descriptor >= 0 ? Socket(owning: descriptor) : nil
        }

        /// Two sockets connected to each other; `nil` with the reason in `errno`.
        static func pair() -> (Socket, Socket)? {
            var descriptors: [Int32] = [-1, -1]
            guard socketpair(AF_UNIX, stream | options, 0, &descriptors) == 0 else { return nil }
            return (Socket(owning: descriptors[0]), Socket(owning: descriptors[1]))
        }

        /// Takes a connection; negative with the reason in `errno`.
        func acceptWithoutBlocking() -> Int32 {
            // Two steps: `accept4`, which does it in one, is a GNU extension that Swift does not see.
            let accepted = accept(descriptor, nil, nil)
            if accepted >= 0 {
                _ = fcntl(accepted, F_SETFD, FD_CLOEXEC)
                _ = fcntl(accepted, F_SETFL, O_NONBLOCK)
            }
            return accepted
        }

        /// Sends without SIGPIPE, which would end the process when the peer is gone.
        func sendWithoutSignal(_ bytes: UnsafeRawBufferPointer) -> Int {
            send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
        }
    }
#endif
