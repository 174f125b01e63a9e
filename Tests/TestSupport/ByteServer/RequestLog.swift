import Synchronization

/// The requests that the connections of a server have read, and those who wait for them.
final class RequestLog: Sendable {
    private struct State {
        var requests: [ReceivedRequest] = []
        var waiting: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
        var isClosed = false
    }

    private let state = Mutex(State())

    var requests: [ReceivedRequest] { state.withLock(\.requests) }

    func append(_ request: ReceivedRequest) {
        resumeAfter { $0.requests.append(request) }
    }

    /// Nobody waits any longer.
    func close() {
        resumeAfter { $0.isClosed = true }
    }

    func waitForRequests(_ count: Int) async -> [ReceivedRequest] {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                resumeAfter { $0.waiting.append((count, continuation)) }
            }
        } onCancel: {
            // The test took too long: it fails by what it finds.
            close()
        }
        return requests
    }

    private func resumeAfter(_ change: (inout State) -> Void) {
        let ready = state.withLock { state in
            change(&state)
            let count = state.isClosed ? Int.max : state.requests.count
            defer { state.waiting.removeAll { $0.count <= count } }
            return state.waiting.filter { $0.count <= count }.map(\.continuation)
        }
        for continuation in ready {
            continuation.resume()
        }
    }
}
