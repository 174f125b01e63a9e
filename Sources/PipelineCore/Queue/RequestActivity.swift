import Synchronization

/// What a request in flight is doing, an exchange or a pause, and whether it is still wanted.
///
/// Once cancelled, nothing begins any more.
final class RequestActivity: Sendable {
    typealias Outcome = Result<ExchangeMetrics, TransportError>

    private enum Kind {
        case none
        /// The transport has not returned from starting the exchange; what it has brought meanwhile.
        case starting(Outcome?)
        case exchange(any Exchange)
        case pause(Task<Void, Never>)
    }

    private struct State {
        var kind = Kind.none
        /// Counts the activities: one that ends at once is over before it could be noted.
        var number = 0
        var isCancelled = false

        /// Returns whether it may begin.
        mutating func begin(_ kind: Kind) -> Bool {
            guard !isCancelled else { return false }
            number += 1
            self.kind = kind
            return true
        }
    }

    private let state = Mutex(State())

    var isCancelled: Bool { state.withLock { $0.isCancelled } }

    /// Ends what is under way.
    func cancel() {
        let kind = state.withLock { state in
            state.isCancelled = true
            return state.kind
        }
        switch kind {
        case .exchange(let exchange): exchange.cancel()
        case .pause(let pause): pause.cancel()
        // Whoever starts an exchange ends it afterwards.
        case .none, .starting: break
        }
    }

    /// An exchange is about to be started; returns whether it may be.
    func beginStarting() -> Bool {
        state.withLock { $0.begin(.starting(nil)) }
    }

    /// An exchange was started; returns its result when it has ended already.
    func started(_ exchange: any Exchange) -> Outcome? {
        let (result, isUnwanted) = state.withLock { state -> (Outcome?, Bool) in
            guard case .starting(let result) = state.kind else { return (nil, false) }
            state.kind = result == nil ? .exchange(exchange) : .none
            return (result, state.isCancelled)
        }
        guard isUnwanted else { return result }
        exchange.cancel()
        return nil
    }

    /// An exchange has ended; returns whether the caller is the one to go on.
    ///
    /// While it is being started, whoever starts it is.
    func ended(_ result: Outcome) -> Bool {
        state.withLock { state in
            guard case .starting = state.kind else {
                state.kind = .none
                // A late answer to what was cancelled changes nothing.
                return !state.isCancelled
            }
            state.kind = .starting(result)
            return false
        }
    }

    /// Begins a pause, which a cancel ends; nothing happens when one came before.
    func pause(_ body: @escaping @Sendable () async -> Void) {
        let number = state.withLock { $0.begin(.none) ? $0.number : nil }
        guard let number else { return }
        let pause = Task { await body() }
        let isUnwanted = state.withLock { state in
            // A short pause may be over already, and something else be under way.
            if state.number == number { state.kind = .pause(pause) }
            return state.isCancelled
        }
        if isUnwanted { pause.cancel() }
    }
}
