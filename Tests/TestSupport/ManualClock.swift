import Synchronization

/// A clock that stands still until a test moves it.
public final class ManualClock: Clock {
    /// A moment of this clock, counted from its making.
    public struct Instant: InstantProtocol {
        let offset: Duration

        /// A later moment.
        public func advanced(by duration: Duration) -> Instant {
            Instant(offset: offset + duration)
        }

        /// How long from here to another moment.
        public func duration(to other: Instant) -> Duration { other.offset - offset }

        /// Whether a moment comes before another.
        public static func < (one: Instant, other: Instant) -> Bool { one.offset < other.offset }
    }

    private let state = Mutex(State())

    private struct State {
        var now = Instant(offset: .zero)
        var nextID = 0
        var sleepers: [Int: (deadline: Instant, wake: CheckedContinuation<Void, any Error>)] = [:]
        var watchers: [(count: Int, wake: CheckedContinuation<Void, Never>)] = []
        var idleWatchers: [CheckedContinuation<Void, Never>] = []

        /// Those who wait for nobody to sleep, if nobody does.
        mutating func idlers() -> [CheckedContinuation<Void, Never>] {
            guard sleepers.isEmpty else { return [] }
            defer { idleWatchers = [] }
            return idleWatchers
        }
    }

    /// A clock at zero.
    public init() {}

    /// The present moment.
    public var now: Instant { state.withLock { $0.now } }

    /// The smallest step.
    public var minimumResolution: Duration { .nanoseconds(1) }

    /// Sleeps until a test has moved the clock that far.
    public func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        let id = state.withLock { state in
            state.nextID += 1
            return state.nextID
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let watchers = state.withLock { state -> [CheckedContinuation<Void, Never>]? in
                    if deadline <= state.now || Task.isCancelled { return nil }
                    state.sleepers[id] = (deadline, continuation)
                    let due = state.watchers.filter { $0.count <= state.sleepers.count }
                    state.watchers.removeAll { $0.count <= state.sleepers.count }
                    return due.map(\.wake)
                }
                guard let watchers else {
                    let result: Result<Void, any Error> =
                        Task.isCancelled ? .failure(CancellationError()) : .success(())
                    return continuation.resume(with: result)
                }
                for watcher in watchers { watcher.resume() }
                if Task.isCancelled { wake(id, throwing: CancellationError()) }
            }
        } onCancel: {
            wake(id, throwing: CancellationError())
        }
    }

    /// Waits until so many sleep.
    public func waitForSleepers(count: Int = 1) async {
        await withCheckedContinuation { continuation in
            let isThere = state.withLock { state in
                if state.sleepers.count >= count { return true }
                state.watchers.append((count, continuation))
                return false
            }
            if isThere { continuation.resume() }
        }
    }

    /// Waits until nobody sleeps.
    public func waitUntilIdle() async {
        await withCheckedContinuation { continuation in
            let idlers = state.withLock { state in
                state.idleWatchers.append(continuation)
                return state.idlers()
            }
            for idler in idlers { idler.resume() }
        }
    }

    /// Moves the clock and wakes those whose time has come.
    public func advance(by duration: Duration) {
        let (due, idlers) = state.withLock { state in
            state.now = state.now.advanced(by: duration)
            let due = state.sleepers.filter { $0.value.deadline <= state.now }
            for id in due.keys { state.sleepers[id] = nil }
            return (due.values.sorted { $0.deadline < $1.deadline }.map(\.wake), state.idlers())
        }
        for continuation in due { continuation.resume() }
        for continuation in idlers { continuation.resume() }
    }

    private func wake(_ id: Int, throwing error: any Error) {
        let (sleeper, idlers) = state.withLock { state in
            (state.sleepers.removeValue(forKey: id), state.idlers())
        }
        sleeper?.wake.resume(throwing: error)
        for continuation in idlers { continuation.resume() }
    }
}
