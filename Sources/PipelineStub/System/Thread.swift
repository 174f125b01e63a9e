#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A thread that must be joined.
struct Thread {
    private let handle: pthread_t

    /// Starts a thread; `nil` when the system has none left.
    init?(running body: @escaping @Sendable () -> Void) {
        let box = Unmanaged.passRetained(Body(run: body))
        #if canImport(Darwin)
            var handle: pthread_t?
        #else
            var handle = pthread_t()
        #endif
        let result = pthread_create(&handle, nil, threadMain, box.toOpaque())
        // An optional on Apple's platforms, a plain number on others.
        guard result == 0, let handle = handle as pthread_t? else {
            box.release()
            return nil
        }
        self.handle = handle
    }

    /// Waits for the end of the thread; to be called once.
    func join() {
        _ = pthread_join(handle, nil)
    }

    fileprivate final class Body {
        let run: @Sendable () -> Void

        init(run: @escaping @Sendable () -> Void) {
            self.run = run
        }
    }
}

#if canImport(Darwin)
    private func threadMain(_ context: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
        run(context)
    }
#else
    private func threadMain(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
        context.flatMap(run)
    }
#endif

private func run(_ context: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
    // Signals are the application's own business: none is handled on this thread.
    var signals = sigset_t()
    sigfillset(&signals)
    pthread_sigmask(SIG_BLOCK, &signals, nil)
    Unmanaged<Thread.Body>.fromOpaque(context).takeRetainedValue().run()
    return nil
}
