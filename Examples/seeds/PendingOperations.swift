import PipelineCore

// snippet: pending-operations
/// The requests of a home screen, first in, first out: one that fails cancels those behind it.
@MainActor
func pendingOperations(_ address: String, _ transport: any Transport) async throws {
    let queue = RequestQueue(transport: transport)
    let records = try ["config", "session", "news"].map { (name: String) in
        RequestRecord(name: name, request: try .post("\(address)/\(name)", form: ["user": "0"]))
    }
    await withCheckedContinuation { ended in
        for record in records {
            // Called on the main actor, where a screen can be brought up to date.
            queue.enqueue(record) { state, result in
                switch result {
                case .success(let response): print("\(record.name): \(state), \(response.status)")
                case .failure(let error): print("\(record.name): \(state), \(error)")
                }
                if record == records.last { ended.resume() }
            }
        }
    }
    // A failure leaves the queue as new; suspend(), resume() and reset() are there for an app.
    let response = try await queue.perform(.post("\(address)/config", text: "0"))
    print("config again: \(response.status)")
}
// end
