import Foundation
import PipelineCore
import PipelineFoundation

// snippet: network-operations
/// Fifty requests as operations, two at a time.
///
/// Each is sent when its queue starts it, so its timeout does not run while it waits.
func networkOperations(_ address: String, _ transport: any Transport) async throws {
    let queue = OperationQueue()
    queue.maxConcurrentOperationCount = 2
    let operations = try (0..<50).map { value in
        var request = try HTTPRequest.get("\(address)/request", query: ["value": "\(value)"])
        request.timeout = .seconds(10)
        let record = RequestRecord(name: "value \(value)", request: request)
        return RequestOperation(record, transport: transport) { _, result in
            if case .failure(let error) = result { print("\(record.name) failed: \(error)") }
        }
    }
    for operation in operations { queue.addOperation(operation) }
    await withCheckedContinuation { ended in
        queue.addBarrierBlock { ended.resume() }
    }
    let answered = operations.count { $0.record.state == .success }
    print("\(answered) of \(operations.count) answered, two at a time")
}
// end
