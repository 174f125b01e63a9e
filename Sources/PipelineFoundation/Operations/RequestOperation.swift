import Foundation
public import PipelineCore
import Synchronization

/// A request as an operation, for apps that are built on `OperationQueue`.
///
/// It is sent when its operation queue starts it, so it never times out while it waits, and the
/// queue's width says how many are in flight:
///
/// ```swift
/// let queue = OperationQueue()
/// queue.maxConcurrentOperationCount = 2
/// for page in 0..<50 {
///     let request = try HTTPRequest.get("https://example.com/items", query: ["page": "\(page)"])
///     queue.addOperation(
///         RequestOperation(RequestRecord(request: request), transport: transport) { state, result in
///             show(page, state, result)
///         })
/// }
/// ```
///
/// In a ``FailFastOperationQueue``, its failure cancels everything that is left. Cancelling it
/// ends the request in flight; one that was not sent yet will never be. The record ends, and the
/// completion is called, when it is cancelled; the operation finishes when its queue has started
/// it, as every operation does.
///
/// `@unchecked`, as its superclass is: what is declared here does not change, or is behind a
/// `Mutex`.
public final class RequestOperation: AsynchronousOperation, @unchecked Sendable {
    /// The request, and what became of it.
    public let record: RequestRecord

    /// For this request alone: suspended until the operation starts.
    private let queue: RequestQueue
    private let pending = Mutex<FailFastOperationQueue?>(nil)

    /// An operation that sends this request.
    ///
    /// - Parameters:
    ///   - record: A record that was never enqueued before.
    ///   - transport: What performs the exchange.
    ///   - completion: Called exactly once, when the request succeeded, failed or was cancelled, or
    ///     the operation was let go of; before the operation finishes, on the thread that brought
    ///     the news, which it should not hold up.
    public init(
        _ record: RequestRecord, transport: any Transport,
        completion: (@Sendable (RequestState, Result<HTTPResponse, RequestError>) -> Void)? = nil
    ) {
        self.record = record
        queue = RequestQueue(transport: transport)
        super.init()
        queue.suspend()
        queue.enqueue(record) { [weak self] record in
            let (state, result) = record.outcome
            let tell = { completion?(state, result) ?? () }
            guard let self else { return tell() }
            // Decided and told before the operation finishes, which lets the next one start.
            if state == .failed, record.cancellation == nil, let failFast = pending.withLock({ $0 })
            {
                failFast.cancelOthers(becauseOf: self, telling: tell)
            } else {
                tell()
            }
            finish()
        }
    }

    /// Sends the request; called by `start()`.
    public override func main() {
        pending.withLock { $0 = OperationQueue.current as? FailFastOperationQueue }
        queue.resume()
    }

    /// Cancels the request, in flight or before its turn.
    public override func cancel() {
        super.cancel()
        queue.cancel(record)
    }

    /// Cancels the request because another one failed.
    func cancel(becauseOf culprit: RequestRecord) {
        super.cancel()
        queue.cancel(record, becauseOf: culprit)
    }
}
