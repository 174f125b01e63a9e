public import Foundation
import Synchronization

/// An operation whose work goes on after ``main()`` has returned, such as a request.
///
/// A subclass begins its work in ``main()`` and calls ``finish()`` when it is done, from whatever
/// thread that happens on:
///
/// ```swift
/// final class Download: AsynchronousOperation, @unchecked Sendable {  // as its superclass is
///     private let task = Mutex<URLSessionTask?>(nil)
///
///     override func main() {
///         let task = session.dataTask(with: url) { _, _, _ in self.finish() }
///         self.task.withLock { $0 = task }
///         if isCancelled { task.cancel() }  // it may have happened since the start
///         task.resume()
///     }
///
///     override func cancel() {
///         super.cancel()
///         task.withLock { $0 }?.cancel()
///     }
/// }
/// ```
///
/// All members may be used from any thread. Cancelling does not finish an operation: one that has
/// not started finishes when its queue starts it, without ``main()``; one that is executing finishes
/// when it calls ``finish()``, which its work should then bring about soon. A suspended queue starts
/// nothing, and so lets go of cancelled operations only when it is resumed.
///
/// What follows from a result is to be decided before ``finish()`` is called: the next operation
/// may start while this one's `completionBlock` is still to run.
///
/// `@unchecked`, as `Operation` itself is: the state declared here is protected by a `Mutex`, and a
/// subclass answers for its own.
open class AsynchronousOperation: Operation, @unchecked Sendable {
    private let state = Mutex(State())

    private struct State {
        /// What ``AsynchronousOperation/isExecuting`` tells.
        var isExecuting = false
        /// What ``AsynchronousOperation/isFinished`` tells.
        var isFinished = false
        /// Whether somebody has started the operation: only the first one does.
        var isStarted = false
        /// Whether the end was asked for: only the first one to ask for it brings it about.
        var isEnding = false
    }

    /// The properties that a queue observes, by the only names it knows them by.
    enum ObservedKey: String {
        case isExecuting
        case isFinished
    }

    /// An operation that has not started.
    public override init() {
        super.init()
    }

    /// Whether the work goes on after `start()` has returned: always `true`.
    public final override var isAsynchronous: Bool { true }

    /// Whether the work has begun and not finished.
    public final override var isExecuting: Bool { state.withLock { $0.isExecuting } }

    /// Whether the operation is over: its work, or its turn when it was cancelled before.
    public final override var isFinished: Bool { state.withLock { $0.isFinished } }

    /// Begins the work, or finishes at once when the operation was cancelled or finished before.
    ///
    /// Called by the queue; without a queue, by whoever owns the operation. Any further call does
    /// nothing.
    public final override func start() {
        // `super.start()` is never called: it would finish the operation when `main()` returns.
        // Read before the lock is taken, because a subclass may have its own idea of it.
        let isCancelled = self.isCancelled
        let next: Start = state.withLock { state in
            if state.isStarted { return .ignore }
            state.isStarted = true
            state.isEnding = state.isEnding || isCancelled
            return state.isEnding ? .end : .begin
        }
        switch next {
        case .ignore: break
        case .end: end()
        case .begin: begin()
        }
    }

    private enum Start {
        case begin
        case end
        /// It was started before.
        case ignore
    }

    private func begin() {
        var isEnding = false
        change([.isExecuting]) {
            isEnding = state.withLock { state in
                state.isExecuting = true
                return state.isEnding
            }
        }
        // `finish()` may have come since the start, and left the end to this place.
        if isEnding { end() } else { main() }
    }

    /// Begins the work and returns, usually before it is done; to be overridden.
    ///
    /// Called once, on the thread that starts the operation, and not at all when it was cancelled
    /// before. Not to be called by others, and an override need not call `super`: there is nothing
    /// to do here, so the operation finishes at once.
    open override func main() {
        finish()
    }

    /// Ends the operation: its queue may go on.
    ///
    /// The first call counts and all others do nothing, whatever thread they come from. Before the
    /// start it takes effect when the operation is started, which then does no work: a queue does
    /// not bear operations that finish without being started.
    public final func finish() {
        let ends = state.withLock { state in
            if state.isEnding { return false }
            state.isEnding = true
            // When it is not executing yet, its start will see that the end was asked for.
            return state.isExecuting
        }
        if ends { end() }
    }

    /// Shows the end; called once, by whoever was told so under the lock.
    private func end() {
        change(isExecuting ? [.isExecuting, .isFinished] : [.isFinished]) {
            // At once, so nobody sees an operation that has begun and is neither executing nor
            // finished.
            state.withLock { state in
                state.isExecuting = false
                state.isFinished = true
            }
        }
    }

    /// Changes properties and tells their observers before and after it.
    ///
    /// Never under the lock: observers may ask for the state, and a queue starts its next operation
    /// from inside the second call.
    func change(_ keys: [ObservedKey], _ body: () -> Void) {
        for key in keys { willChangeValue(forKey: key.rawValue) }
        body()
        for key in keys { didChangeValue(forKey: key.rawValue) }
    }
}
