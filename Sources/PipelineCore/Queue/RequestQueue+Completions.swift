// Completions that are called where they are wanted.
extension RequestQueue {
    /// Adds a request after the others, and tells the main actor how it ended.
    ///
    /// ```swift
    /// queue.enqueue(record) { state, result in
    ///     switch result {
    ///     case .success(let response): show(response.body)
    ///     case .failure(let error): show(error.message)  // state is .new when it was never sent
    ///     }
    /// }
    /// ```
    ///
    /// Completions are called in the order in which the requests ended. The queue does not wait for
    /// them: when one is called, the next request may be under way already.
    ///
    /// - Parameters:
    ///   - record: A record that was never enqueued before.
    ///   - completion: Called exactly once, when the request succeeded, failed or was cancelled.
    public func enqueue(
        _ record: RequestRecord,
        completion:
            @escaping @MainActor @Sendable (
                RequestState, Result<HTTPResponse, RequestError>
            ) -> Void
    ) {
        enqueue(record) { record in
            let (state, result) = record.outcome
            MainActorMailbox.shared.post { completion(state, result) }
        }
    }

    /// Adds a request after the others, and tells how it ended on an executor.
    ///
    /// Otherwise as the form for the main actor. Completions are called in order by an executor
    /// that runs its jobs in order.
    public func enqueue(
        _ record: RequestRecord, on executor: any TaskExecutor,
        completion: @escaping @Sendable (RequestState, Result<HTTPResponse, RequestError>) -> Void
    ) {
        enqueue(record) { record in
            let (state, result) = record.outcome
            Task(executorPreference: executor) { completion(state, result) }
        }
    }
}

extension RequestRecord {
    /// How it ended, for a completion; to be asked only then.
    package var outcome: (RequestState, Result<HTTPResponse, RequestError>) {
        guard let result else {
            preconditionFailure("a completion is called when the record has ended")
        }
        return (state, result)
    }
}
