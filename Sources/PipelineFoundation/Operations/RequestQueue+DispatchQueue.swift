public import Dispatch
public import PipelineCore

extension RequestQueue {
    /// Adds a request after the others, and tells how it ended on a dispatch queue.
    ///
    /// Otherwise as the form for the main actor. A serial queue calls completions in the order in
    /// which the requests ended.
    public func enqueue(
        _ record: RequestRecord, on queue: DispatchQueue,
        completion: @escaping @Sendable (RequestState, Result<HTTPResponse, RequestError>) -> Void
    ) {
        enqueue(record) { record in
            let (state, result) = record.outcome
            queue.async { completion(state, result) }
        }
    }
}
