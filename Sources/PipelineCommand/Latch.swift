#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Holds a thread until a value has come.
///
/// The program's first thread waits so, instead of with `await`, because it has nothing else to do
/// meanwhile: the concurrency runtime would start threads of its own, which a short run notices.
// Unchecked: `value` is only touched with `mutex` locked; the other two are what the C library lets
// any thread use.
final class Latch<Value: Sendable>: @unchecked Sendable {
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private var value: Value?

    init() {
        pthread_mutex_init(mutex, nil)
        pthread_cond_init(condition, nil)
    }

    deinit {
        pthread_cond_destroy(condition)
        pthread_mutex_destroy(mutex)
        condition.deallocate()
        mutex.deallocate()
    }

    /// Lets waiting threads go on with this value; the first call counts.
    func open(_ result: Value) {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        value = value ?? result
        pthread_cond_broadcast(condition)
    }

    /// Holds the calling thread until the value is there.
    func wait() -> Value {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        while true {
            if let value { return value }
            pthread_cond_wait(condition, mutex)
        }
    }
}
