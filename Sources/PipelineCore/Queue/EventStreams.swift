import Synchronization

/// The streams by which any number of readers follow what happens.
final class EventStreams<Event: Sendable>: Sendable {
    private let state = Mutex(State())

    private struct State {
        var continuations: [Int: AsyncStream<Event>.Continuation] = [:]
        var nextID = 0
    }

    /// A stream of what happens from now on.
    func add() -> AsyncStream<Event> {
        let (stream, continuation) = AsyncStream.makeStream(of: Event.self)
        let id = state.withLock { state in
            state.nextID += 1
            state.continuations[state.nextID] = continuation
            return state.nextID
        }
        continuation.onTermination = { [weak self] _ in
            self?.state.withLock { $0.continuations[id] = nil }
        }
        return stream
    }

    func yield(_ event: Event) {
        for continuation in continuations { continuation.yield(event) }
    }

    func finish() {
        for continuation in continuations { continuation.finish() }
    }

    /// Copied, so that nobody is told with the lock held.
    private var continuations: [AsyncStream<Event>.Continuation] {
        state.withLock { Array($0.continuations.values) }
    }
}
