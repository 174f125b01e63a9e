/// The rules of a fail-fast queue, without clock, thread, lock or network.
///
/// It is told what happened, in the past tense, and is asked by ``next()`` for one thing after the
/// other that is to be done about it. Each start takes a place (with one place, the queue is
/// suspended by each start and resumed by its success); a failure cancels everything that is left.
/// Starts are in the order of enqueueing: an element that waits for one in flight holds up those
/// behind it.
///
/// One action at a time instead of a list of them, because performing one can change what comes
/// after: a completion may suspend the queue, cancel it or add to it, and the start that would have
/// followed must then not happen, or happen later (case O04).
struct QueueStateMachine<Element: Hashable, Answer> {
    /// How many elements may be in flight.
    let concurrency: Int
    /// Whether a failure cancels everything that is left.
    let stopsOnFailure: Bool

    private var pending = FIFO<Pending>()
    /// Where those that wait are; `nil` as long as none of them was cancelled by itself.
    private var places: [Element: Int]?
    private var inFlight: [Element] = []
    /// Those in flight that have succeeded and are about to say so: cancelling comes too late.
    private var claimed: [Element] = []
    private var decided = FIFO<Action>()
    private var isSuspended = false
    private var owesIdle = false

    private struct Pending {
        let element: Element
        let prerequisites: [Element]
    }

    init(concurrency: Int = 1, stopsOnFailure: Bool = true) {
        precondition(concurrency >= 1, "a queue needs at least one place")
        self.concurrency = concurrency
        self.stopsOnFailure = stopsOnFailure
    }

    /// Whether nothing waits, nothing is in flight, and that was told.
    var isIdle: Bool { !owesIdle }

    /// How many elements wait for their turn.
    var pendingCount: Int { pending.count }

    /// - Parameter prerequisites: Elements enqueued before it that must have ended when it starts.
    mutating func enqueued(_ element: Element, after prerequisites: [Element] = []) {
        let place = pending.append(Pending(element: element, prerequisites: prerequisites))
        places?[element] = place
        owesIdle = true
    }

    /// An element is about to succeed and to do what cannot be taken back.
    ///
    /// - Returns: Whether it may; not when it was cancelled before. From now on it will not be.
    mutating func claimed(_ element: Element) -> Bool {
        guard inFlight.contains(element) else { return false }
        if !claimed.contains(element) { claimed.append(element) }
        return true
    }

    /// Whether an element was started and has not ended.
    func isInFlight(_ element: Element) -> Bool { inFlight.contains(element) }

    mutating func succeeded(_ element: Element, _ answer: Answer) {
        guard land(element) else { return }
        decided.append(.end(element, .succeeded(answer)))
    }

    mutating func failed(_ element: Element, _ answer: Answer) {
        guard land(element) else { return }
        if stopsOnFailure {
            let left = takeCancellable()
            // Aborting first: a completion may take its time, a transfer need not.
            for other in left { decided.append(.abort(other)) }
            decided.append(.end(element, .failed(answer)))
            for other in left { decided.append(.end(other, .aborted(.failure, element))) }
            cancelPending(.failure, by: element)
        } else {
            decided.append(.end(element, .failed(answer)))
        }
    }

    mutating func suspended() {
        isSuspended = true
    }

    mutating func resumed() {
        isSuspended = false
    }

    /// Everything that waits or is in flight was cancelled.
    mutating func cancelled(_ reason: Cancellation.Reason) {
        let left = takeCancellable()
        for element in left { decided.append(.abort(element)) }
        for element in left { decided.append(.end(element, .aborted(reason, nil))) }
        cancelPending(reason, by: nil)
    }

    /// Everything was cancelled, and the queue is open for what comes.
    mutating func reset() {
        cancelled(.reset)
        resumed()
    }

    /// This one element was cancelled; the others go on.
    mutating func cancelled(
        _ element: Element, _ reason: Cancellation.Reason, by culprit: Element? = nil
    ) {
        if !claimed.contains(element), land(element) {
            decided.append(.abort(element))
            decided.append(.end(element, .aborted(reason, culprit)))
        } else if removePending(element) {
            decided.append(.end(element, .cancelled(reason, culprit)))
        }
        // Otherwise it has ended already: cancelling races with its answer, and the answer won.
    }

    /// What is to be done; performed outside any lock, in this order.
    enum Action {
        /// Send it.
        case start(Element)
        /// End its transfer; its outcome is decided.
        case abort(Element)
        /// Tell how it ended, exactly once for each element.
        case end(Element, Ending)
        /// Nothing is left.
        case idle
    }

    /// How an element ended.
    enum Ending {
        case succeeded(Answer)
        case failed(Answer)
        /// Cancelled in flight.
        case aborted(Cancellation.Reason, Element?)
        /// Cancelled before its turn.
        case cancelled(Cancellation.Reason, Element?)
    }

    /// The next thing to do, or `nil` when there is nothing until something else happens.
    mutating func next() -> Action? {
        if let action = decided.popFirst() { return action }
        if !isSuspended, inFlight.count < concurrency, let next = pending.first,
            !next.prerequisites.contains(where: inFlight.contains)
        {
            _ = pending.popFirst()
            places?[next.element] = nil
            inFlight.append(next.element)
            return .start(next.element)
        }
        // Asked only when the event is due, so that something added by the last completion counts.
        if owesIdle, pending.isEmpty, inFlight.isEmpty {
            owesIdle = false
            return .idle
        }
        return nil
    }

    /// Takes an element out of flight; `false` when it was not there.
    ///
    /// A late answer is legal: the transfer ended while its record was being aborted, or a
    /// transport answered twice. The outcome was decided once, so the answer is dropped.
    private mutating func land(_ element: Element) -> Bool {
        guard let index = inFlight.firstIndex(of: element) else { return false }
        inFlight.remove(at: index)
        claimed.removeAll { $0 == element }
        return true
    }

    /// Takes everything out of flight that can still be cancelled.
    private mutating func takeCancellable() -> [Element] {
        guard !claimed.isEmpty else {
            defer { inFlight = [] }
            return inFlight
        }
        let left = inFlight.filter { !claimed.contains($0) }
        inFlight = claimed
        return left
    }

    private mutating func removePending(_ element: Element) -> Bool {
        if places == nil {
            places = Dictionary(uniqueKeysWithValues: pending.places.map { ($1.element, $0) })
        }
        guard let place = places?.removeValue(forKey: element) else { return false }
        return pending.remove(at: place) != nil
    }

    private mutating func cancelPending(_ reason: Cancellation.Reason, by culprit: Element?) {
        places = nil
        while let cancelled = pending.popFirst() {
            decided.append(.end(cancelled.element, .cancelled(reason, culprit)))
        }
    }
}
