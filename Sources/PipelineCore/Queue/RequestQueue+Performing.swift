// Requests whose responses are waited for.
extension RequestQueue {
    /// Sends a request when its turn comes, and waits for its response.
    ///
    /// Cancelling the task cancels this request, waiting or in flight, and no other.
    ///
    /// - Throws: Why it failed or was cancelled.
    public func perform(_ record: RequestRecord) async throws(RequestError) -> HTTPResponse {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isCancelled = Task.isCancelled
                record.enqueue { _ in continuation.resume() }
                tell { machine in
                    machine.enqueued(record)
                    if isCancelled { machine.cancelled(record, .requested) }
                }
                // A cancellation that came in between found nothing to cancel.
                if Task.isCancelled { cancel(record) }
            }
        } onCancel: {
            cancel(record)
        }
        guard let result = record.result else {
            preconditionFailure("a completion is called when the record has ended")
        }
        return try result.get()
    }

    /// Sends a request when its turn comes, and waits for its response.
    ///
    /// As ``perform(_:)-(RequestRecord)`` with a record of its own.
    public func perform(_ request: HTTPRequest) async throws(RequestError) -> HTTPResponse {
        try await perform(RequestRecord(request: request))
    }
}
