#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// State that threads share, and that each of them can wait for.
///
/// For threads that have nothing else to do meanwhile; what is only looked at and changed takes a
/// `Mutex`.
// Unchecked: `state` is only touched with `mutex` locked; the other two are what the C library lets
// any thread use.
final class Monitor<State: Sendable>: @unchecked Sendable {
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private var state: State

    init(_ state: State) {
        self.state = state
        pthread_mutex_init(mutex, nil)
        var attributes = pthread_condattr_t()
        pthread_condattr_init(&attributes)
        #if !canImport(Darwin)
            // Elsewhere a limit would move with the time of day.
            pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        #endif
        pthread_cond_init(condition, &attributes)
        pthread_condattr_destroy(&attributes)
    }

    deinit {
        pthread_cond_destroy(condition)
        pthread_mutex_destroy(mutex)
        condition.deallocate()
        mutex.deallocate()
    }

    /// Looks at the state or changes it, without waking anybody.
    func withLock<Result>(_ body: (inout State) -> Result) -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return body(&state)
    }

    /// Changes the state and has those who wait look at it again.
    func change<Result>(_ body: (inout State) -> Result) -> Result {
        withLock { state in
            defer { wake() }
            return body(&state)
        }
    }

    /// Has those who wait look at the state again.
    func wake() { pthread_cond_broadcast(condition) }

    /// Holds the calling thread until there is a result, which is asked for now and whenever the
    /// state has changed.
    func wait<Result>(for result: (inout State) -> Result?) -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        // Each look is an access of its own: during a longer one, nobody else may change the state,
        // and the compiler may look only once.
        while true {
            if let found = result(&state) { return found }
            pthread_cond_wait(condition, mutex)
        }
    }

    /// Holds the calling thread until the state is so, but no longer than the limit.
    func wait(upTo limit: Duration, until isEnough: (State) -> Bool) {
        let end = ContinuousClock.now + limit
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        while !isEnough(state) {
            let rest = end - .now
            guard rest > .zero else { return }
            wait(upTo: rest)
        }
    }

    /// One wait, which may also be over for no reason.
    private func wait(upTo rest: Duration) {
        let (seconds, attoseconds) = rest.components
        var time = timespec(tv_sec: Int(seconds), tv_nsec: Int(attoseconds / 1_000_000_000))
        #if canImport(Darwin)
            pthread_cond_timedwait_relative_np(condition, mutex, &time)
        #else
            var now = timespec()
            clock_gettime(CLOCK_MONOTONIC, &now)
            time.tv_sec += now.tv_sec
            time.tv_nsec += now.tv_nsec
            if time.tv_nsec >= 1_000_000_000 {
                time.tv_sec += 1
                time.tv_nsec -= 1_000_000_000
            }
            pthread_cond_timedwait(condition, mutex, &time)
        #endif
    }
}
