import PipelineCore

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A thread that does pieces of work one after the other, beside the thread that brings them.
///
/// It begins with the first piece. Where the system has no thread left, the work is done at once.
// Unchecked: what changes is only touched with `mutex` locked; the others are what the C library lets
// any thread use.
final class SerialThread: @unchecked Sendable {
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private var work: [@Sendable () -> Void] = []
    private var isEnding = false
    private var thread: PosixThread?

    /// How much work may wait: whoever brings more waits too, so that memory stays bounded.
    private static let limit = 4

    init() {
        pthread_mutex_init(mutex, nil)
        pthread_cond_init(condition, nil)
    }

    deinit {
        pthread_mutex_destroy(mutex)
        pthread_cond_destroy(condition)
        mutex.deallocate()
        condition.deallocate()
    }

    /// Has a piece of work done after those that were brought before.
    func perform(_ piece: @escaping @Sendable () -> Void) {
        pthread_mutex_lock(mutex)
        if thread == nil { thread = PosixThread { [self] in loop() } }
        guard thread != nil else {
            pthread_mutex_unlock(mutex)
            return piece()
        }
        while work.count >= Self.limit { pthread_cond_wait(condition, mutex) }
        work.append(piece)
        pthread_cond_broadcast(condition)
        pthread_mutex_unlock(mutex)
    }

    /// Waits until everything is done, and ends the thread.
    func finish() {
        pthread_mutex_lock(mutex)
        isEnding = true
        let ended = thread
        thread = nil
        pthread_cond_broadcast(condition)
        pthread_mutex_unlock(mutex)
        ended?.join()
    }

    private func loop() {
        pthread_mutex_lock(mutex)
        while true {
            if work.isEmpty {
                if isEnding { break }
                pthread_cond_wait(condition, mutex)
                continue
            }
            let piece = work.removeFirst()
            pthread_cond_broadcast(condition)
            pthread_mutex_unlock(mutex)
            piece()
            pthread_mutex_lock(mutex)
        }
        pthread_mutex_unlock(mutex)
    }
}
