#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A thread of the operating system.
struct PosixThread: @unchecked Sendable {
    // A `pthread_t` may be used from any thread; on some platforms it is a pointer all the same.
    private let handle: pthread_t

    private final class Body {
        let run: @Sendable () -> Void

        init(_ run: @escaping @Sendable () -> Void) {
            self.run = run
        }
    }

    /// The running thread: never 0, and no other thread's while this one lives.
    static var currentIdentity: UInt {
        #if canImport(Glibc)
            UInt(pthread_self())
        #else
            UInt(bitPattern: pthread_self())
        #endif
    }

    /// Starts a thread; `nil` when there are no resources for one.
    ///
    /// It has all signals blocked: they are the program's affair, and a SIGPIPE from the TLS library
    /// must not end the program.
    static func start(_ run: @escaping @Sendable () -> Void) -> PosixThread? {
        var all = sigset_t()
        var previous = sigset_t()
        sigfillset(&all)
        pthread_sigmask(SIG_SETMASK, &all, &previous)
        defer { pthread_sigmask(SIG_SETMASK, &previous, nil) }

        #if canImport(Glibc)
            var handle = pthread_t()
        #else
            var handle: pthread_t?
        #endif
        let body = Unmanaged.passRetained(Body(run))
        let code = pthread_create(
            &handle, nil,
            { context in
                let context: UnsafeMutableRawPointer? = context
                if let context {
                    Unmanaged<Body>.fromOpaque(context).takeRetainedValue().run()
                }
                return nil
            }, body.toOpaque())
        guard code == 0 else {
            body.release()
            return nil
        }
        #if canImport(Glibc)
            return PosixThread(handle: handle)
        #else
            return handle.map(PosixThread.init(handle:))
        #endif
    }

    /// Waits for the thread's end.
    func join() {
        pthread_join(handle, nil)
    }

    /// Leaves the thread to itself.
    func detach() {
        pthread_detach(handle)
    }
}

/// What the operating system calls an error, as in `connection refused`.
func systemErrorText(_ number: Int32) -> String {
    let text = strerror(number).map { String(cString: $0) } ?? "error \(number)"
    return text.prefix(1).lowercased() + text.dropFirst()
}
