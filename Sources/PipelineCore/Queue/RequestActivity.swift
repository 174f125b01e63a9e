/// What a request in flight is doing, an exchange or a pause, and whether it is still wanted.
///
/// Once it is cancelled, nothing begins any more.
struct RequestActivity {
    typealias Outcome = Result<ExchangeMetrics, TransportError>

    enum Kind {
        case none
        /// The transport has not returned from starting the exchange; what it has brought meanwhile.
        case starting(Outcome?)
        case exchange(any Exchange)
        case pause(Task<Void, Never>)
    }

    private var kind = Kind.none
    /// Counts the activities: one that ends at once is over before it could be noted.
    private var number = 0
    private var isCancelled = false

    /// Returns what has to be ended; an exchange that is being started is ended by who starts it.
    mutating func cancelled() -> Kind {
        isCancelled = true
        return kind
    }

    /// Something is about to begin; returns its number, or `nil` when it must not.
    mutating func begun(_ kind: Kind) -> Int? {
        guard !isCancelled else { return nil }
        number += 1
        self.kind = kind
        return number
    }

    /// The transport has returned from starting an exchange.
    ///
    /// - Returns: Its result, when it has ended already, and whether nobody wants it any more.
    mutating func started(_ exchange: any Exchange) -> (result: Outcome?, isUnwanted: Bool) {
        guard case .starting(let result) = kind else { return (nil, false) }
        kind = result == nil ? .exchange(exchange) : .none
        return (result, isCancelled)
    }

    /// An exchange has ended; returns whether who tells it is the one to go on.
    ///
    /// While it is being started, whoever starts it is.
    mutating func ended(_ result: Outcome) -> Bool {
        guard case .starting = kind else {
            kind = .none
            // A late answer to what was cancelled changes nothing.
            return !isCancelled
        }
        kind = .starting(result)
        return false
    }

    /// A pause of that number has begun; returns whether nobody wants it any more.
    mutating func paused(_ pause: Task<Void, Never>, number: Int) -> Bool {
        // A short one may be over already, and something else be under way.
        if number == self.number { kind = .pause(pause) }
        return isCancelled
    }
}
