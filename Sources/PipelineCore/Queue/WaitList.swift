import Synchronization

/// Tasks that wait for one event, which happens once.
final class WaitList: Sendable {
    private let state = Mutex(State())

    private struct State {
        var isFinished = false
        var nextID = 0
        var continuations: [Int: CheckedContinuation<Void, any Error>] = [:]
        var steadfast: [CheckedContinuation<Void, Never>] = []
    }

    /// Waits for the event, or until the task is cancelled.
    func wait() async throws(CancellationError) {
        let id = state.withLock { state in
            state.nextID += 1
            return state.nextID
        }
        do {
            try await withTaskCancellationHandler {
                try await withCheckedThrowingContinuation { add($0, id) }
            } onCancel: {
                state.withLock { $0.continuations.removeValue(forKey: id) }?
                    .resume(throwing: CancellationError())
            }
        } catch {
            throw CancellationError()
        }
    }

    /// Waits for the event, whether or not the task is cancelled meanwhile.
    func waitInAnyCase() async {
        await withCheckedContinuation { continuation in
            let isFinished = state.withLock { state in
                if !state.isFinished { state.steadfast.append(continuation) }
                return state.isFinished
            }
            if isFinished { continuation.resume() }
        }
    }

    /// The event happened.
    func finish() {
        let (waiting, steadfast) = state.withLock { state in
            state.isFinished = true
            defer {
                state.continuations = [:]
                state.steadfast = []
            }
            return (state.continuations.values, state.steadfast)
        }
        for continuation in waiting { continuation.resume() }
        for continuation in steadfast { continuation.resume() }
    }

    private func add(_ continuation: CheckedContinuation<Void, any Error>, _ id: Int) {
        let isFinished = state.withLock { state in
            if !state.isFinished { state.continuations[id] = continuation }
            return state.isFinished
        }
        // A cancellation before this point found nothing to resume, so it is looked for here.
        if isFinished {
            continuation.resume()
        } else if Task.isCancelled {
            state.withLock { $0.continuations.removeValue(forKey: id) }?
                .resume(throwing: CancellationError())
        }
    }
}
