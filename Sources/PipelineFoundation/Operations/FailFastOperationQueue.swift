public import Foundation

/// An operation queue that lets one operation run at a time and, when a request fails, cancels
/// everything left.
///
/// ```swift
/// let queue = FailFastOperationQueue()
/// queue.addOperation(RequestOperation(config, transport: transport))
/// queue.addOperation(RequestOperation(profile, transport: transport) { state, result in … })
/// queue.addOperation { save() }  // does not happen when one of the requests fails
/// ```
///
/// Requests are ``RequestOperation``s; an app's own operations, and dependencies, are used as in
/// any `OperationQueue`. The failure of a request is told to its completion first; then all other
/// operations of the queue are cancelled, those in flight included, and the queue is resumed, so
/// that it is ready for what is added next: from that completion as well. A request that is
/// cancelled does not stop the others.
///
/// `@unchecked`, as `OperationQueue` itself is; there is no state here.
public final class FailFastOperationQueue: OperationQueue, @unchecked Sendable {
    /// A queue that runs one operation at a time; `maxConcurrentOperationCount` may be raised.
    public override init() {
        super.init()
        maxConcurrentOperationCount = 1
    }

    /// Cancels everything that waits or runs, and resumes: the queue is as new.
    ///
    /// A suspended queue would keep cancelled operations for ever, and never be empty.
    public func reset() {
        cancelAllOperations()
        isSuspended = false
    }

    /// Tells of a failure, and cancels what was in the queue when it happened.
    func cancelOthers(becauseOf failed: RequestOperation, telling tell: () -> Void) {
        // Nothing starts meanwhile, also with more than one place.
        isSuspended = true
        let others = operations.filter { $0 !== failed }
        tell()
        for operation in others {
            if let request = operation as? RequestOperation {
                request.cancel(becauseOf: failed.record)
            } else {
                operation.cancel()
            }
        }
        isSuspended = false
    }
}
