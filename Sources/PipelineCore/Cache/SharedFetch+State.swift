extension SharedFetch {
    /// Where a fetch is, and who waits for it; asked under the lock.
    struct State {
        private(set) var waiters: [FetchWaiter]
        /// Those who joined late and are being handed what came before.
        private var lateWaiters: [FetchWaiter] = []
        var phase = Phase.asking
        var exchange: (any Exchange)?
        /// Counts the exchanges: a transport may end one, and so begin the next, before it has
        /// returned from starting it.
        var exchangeNumber = 0
        var requestedAt = 0
        /// What the cache has, if it cannot be used as it is.
        var stored: StoredResponse?
        var isValidating = false
        /// How much of the body has come, and been written where it is written.
        private var size = 0
        private var result: Result<ExchangeMetrics, TransportError>?

        init(_ waiter: FetchWaiter) {
            waiters = [waiter]
        }
    }

    enum Phase {
        /// No head that goes to the waiters has come.
        case asking
        /// The server says that the stored response holds still.
        case confirmed(CachedHead)
        /// The server says so of a response that is not here.
        case misunderstood
        /// The server is in trouble, and the stored response stands in; so many bytes are unwanted.
        case replaced(unwanted: Int)
        /// The response goes to the waiters, and where it can to the cache.
        case delivering(CachedHead, CacheWriter?)
        /// All has been said, or nobody listens any more.
        case over
    }
}

extension SharedFetch.State {
    var isOver: Bool {
        if case .over = phase { true } else { false }
    }

    /// What the response is written with; `nil` where it is not.
    var writer: CacheWriter? {
        if case .delivering(_, let writer) = phase { writer } else { nil }
    }

    /// Changes the phase, unless everybody has left meanwhile.
    mutating func enter(_ phase: SharedFetch.Phase) {
        if !isOver { self.phase = phase }
    }

    /// Ends it and returns those who have to be told.
    ///
    /// Late ones are told when they have had all.
    mutating func end(_ result: Result<ExchangeMetrics, TransportError>?) -> [FetchWaiter] {
        defer { waiters = [] }
        phase = .over
        self.result = result
        return waiters
    }
}

// Waiters come and go.
extension SharedFetch.State {
    enum Joining {
        /// It gets all that comes.
        case joined
        /// It has to be handed what came before.
        case late(CachedHead, CacheWriter)
        /// It came too late, or what comes is not good for it.
        case refused
    }

    mutating func join(_ waiter: FetchWaiter, _ request: HTTPRequest, now: Int) -> Joining {
        switch phase {
        case .asking, .confirmed, .misunderstood, .replaced:
            waiters.append(waiter)
            return .joined
        case .delivering(let head, let writer?):
            guard CachePolicy.decision(for: request, stored: head, now: now) == .serve else {
                return .refused
            }
            lateWaiters.append(waiter)
            return .late(head, writer)
        case .delivering, .over:
            return .refused
        }
    }

    /// Forgets a waiter; returns whether it was the last, which ends the fetch.
    mutating func leave(_ waiter: FetchWaiter) -> Bool {
        waiters.removeAll { $0 === waiter }
        lateWaiters.removeAll { $0 === waiter }
        guard !isOver, waiters.isEmpty, lateWaiters.isEmpty else { return false }
        phase = .over
        return true
    }

    enum Step {
        /// There is that much more to hand on.
        case read(Int)
        /// It has had all.
        case finish(Result<ExchangeMetrics, TransportError>)
        /// It is as far as the others, and gets what comes with them.
        case goOn
    }

    /// What a late waiter needs that has had so much of the body.
    mutating func nextStep(for waiter: FetchWaiter, at offset: Int) -> Step {
        if offset < size { return .read(size - offset) }
        // A cancel may have removed it already.
        let isHere = lateWaiters.contains { $0 === waiter }
        lateWaiters.removeAll { $0 === waiter }
        if let result { return .finish(result) }
        if isHere { waiters.append(waiter) }
        return .goOn
    }
}

// A response comes.
extension SharedFetch.State {
    /// Begins to deliver; returns those who get it, and those who have to ask for themselves.
    mutating func deliver(
        _ head: CachedHead, to writer: CacheWriter?, isShareable: Bool
    ) -> (waiters: [FetchWaiter], others: [FetchWaiter]) {
        guard !isOver else { return ([], []) }
        phase = .delivering(head, writer)
        let others = isShareable ? [] : Array(waiters.dropFirst())
        waiters.removeLast(others.count)
        return (waiters, others)
    }

    /// Takes note of a part of a body; returns who gets it and whether more is wanted.
    mutating func received(
        _ count: Int, isWritten: Bool, isTooLarge: Bool
    ) -> (waiters: [FetchWaiter], goesOn: Bool) {
        switch phase {
        case .delivering(let head, _):
            size += count
            // Late waiters need it, though it is not going to be kept.
            let isUseless = !isWritten || isTooLarge && lateWaiters.isEmpty
            if isUseless { phase = .delivering(head, nil) }
            return (waiters, true)
        case .replaced(let unwanted):
            phase = .replaced(unwanted: unwanted + count)
            return ([], unwanted + count <= BodySink.unwantedLimit)
        case .asking, .confirmed, .misunderstood:
            return ([], true)
        case .over:
            return ([], false)
        }
    }
}
