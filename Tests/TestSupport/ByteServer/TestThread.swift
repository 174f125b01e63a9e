#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A thread that is waited for: scripts of a server block, which Swift's own threads may not.
struct TestThread: @unchecked Sendable {
    // A `pthread_t` may be used from any thread; on some platforms it is a pointer all the same.
    private let handle: pthread_t

    private final class Body {
        let run: @Sendable () -> Void

        init(_ run: @escaping @Sendable () -> Void) {
            self.run = run
        }
    }

    /// Starts the thread.
    init(_ run: @escaping @Sendable () -> Void) throws {
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
        #if !canImport(Glibc)
            guard let handle else {
                body.release()
                throw Socket.Failure(call: "pthread_create", number: code)
            }
        #endif
        guard code == 0 else {
            body.release()
            throw Socket.Failure(call: "pthread_create", number: code)
        }
        self.handle = handle
    }

    /// Waits for the thread's end.
    func join() {
        pthread_join(handle, nil)
    }
}
