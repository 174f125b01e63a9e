#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A thread for work that blocks, which the threads of Swift's own tasks must not.
enum BlockingThread {
    private final class Body {
        let run: () -> Void

        init(_ run: @escaping () -> Void) {
            self.run = run
        }
    }

    /// Does the work on a new thread and waits for it as tasks do.
    static func run<Value: Sendable>(
        _ work: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            let body = Body { continuation.resume(with: Result { try work() }) }
            #if canImport(Glibc)
                var thread = pthread_t()
            #else
                var thread: pthread_t?
            #endif
            let retained = Unmanaged.passRetained(body)
            let code = pthread_create(
                &thread, nil,
                { context in
                    let context: UnsafeMutableRawPointer? = context
                    if let context {
                        Unmanaged<Body>.fromOpaque(context).takeRetainedValue().run()
                    }
                    return nil
                }, retained.toOpaque())
            guard code == 0 else {
                retained.release()
                continuation.resume(throwing: Subprocess.Failure(message: "no thread is left"))
                return
            }
            #if canImport(Glibc)
                pthread_detach(thread)
            #else
                if let thread { pthread_detach(thread) }
            #endif
        }
    }
}
