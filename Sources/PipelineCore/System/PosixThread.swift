#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// A thread of the operating system, for work that blocks: Swift's own threads may not.
// Unchecked: a `pthread_t` may be used from any thread; on some platforms it is a pointer all the
// same.
package struct PosixThread: @unchecked Sendable {
    private let handle: pthread_t

    /// Starts a thread; `nil` when the system has none left.
    ///
    /// It has all signals blocked from its first instruction: they are the program's affair, and a
    /// SIGPIPE from a library must not end the program.
    package init?(_ body: @escaping @Sendable () -> Void) {
        var all = sigset_t()
        var previous = sigset_t()
        sigfillset(&all)
        pthread_sigmask(SIG_SETMASK, &all, &previous)
        defer { pthread_sigmask(SIG_SETMASK, &previous, nil) }

        #if canImport(Darwin)
            var handle: pthread_t?
        #else
            var handle = pthread_t()
        #endif
        let box = Unmanaged.passRetained(Body(body))
        let result = pthread_create(&handle, nil, threadMain, box.toOpaque())
        // An optional on Apple's platforms, a plain number on others.
        guard result == 0, let handle = handle as pthread_t? else {
            box.release()
            return nil
        }
        self.handle = handle
    }

    /// Waits for the thread's end; to be called once, unless the thread is detached.
    package func join() {
        _ = pthread_join(handle, nil)
    }

    /// Leaves the thread to itself; to be called once, unless it is joined.
    package func detach() {
        _ = pthread_detach(handle)
    }

    /// The running thread: never 0, and no other thread's while this one lives.
    package static var currentIdentity: UInt {
        #if canImport(Darwin)
            UInt(bitPattern: pthread_self())
        #else
            UInt(pthread_self())
        #endif
    }

    fileprivate final class Body {
        let run: @Sendable () -> Void

        init(_ run: @escaping @Sendable () -> Void) {
            self.run = run
        }
    }
}

#if canImport(Darwin)
    private func threadMain(_ context: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
        Unmanaged<PosixThread.Body>.fromOpaque(context).takeRetainedValue().run()
        return nil
    }
#else
    private func threadMain(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
        guard let context else { return nil }
        Unmanaged<PosixThread.Body>.fromOpaque(context).takeRetainedValue().run()
        return nil
    }
#endif
