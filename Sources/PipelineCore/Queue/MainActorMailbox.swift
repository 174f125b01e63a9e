import Synchronization

/// Calls closures on the main actor, in the order in which they were posted.
///
/// One task for all that has come, not one for each: nobody promises that tasks begin in the order
/// in which they were made.
final class MainActorMailbox: Sendable {
    /// One for the process, so that the completions of two queues keep their order as well.
    static let shared = MainActorMailbox()

    private let state = Mutex(State())

    private struct State {
        var letters: [@MainActor @Sendable () -> Void] = []
        var isCollected = true
    }

    func post(_ letter: @escaping @MainActor @Sendable () -> Void) {
        let isFirst = state.withLock { state in
            state.letters.append(letter)
            defer { state.isCollected = false }
            return state.isCollected
        }
        if isFirst { collect() }
    }

    /// Opens what has come by then; what comes later has to wait for others who need the main actor.
    private func collect() {
        Task { @MainActor in
            for letter in state.withLock({ $0.letters.take() }) { letter() }
            let isMore = state.withLock { state in
                state.isCollected = state.letters.isEmpty
                return !state.isCollected
            }
            if isMore { collect() }
        }
    }
}

extension Array {
    /// All elements, leaving none.
    fileprivate mutating func take() -> [Element] {
        defer { self = [] }
        return self
    }
}
