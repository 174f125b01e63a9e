import Synchronization

/// Stands between an exchange and a receiver that is known only later.
///
/// What comes before is kept. While the kept parts are handed over, later ones wait, so that the
/// receiver's calls neither overlap nor change their order; after that they go straight on.
final class BodyRelay: ResponseReceiver {
    fileprivate typealias HeadWaiter = CheckedContinuation<
        Result<HTTPResponse.Head, TransportError>, Never
    >

    private let state = Mutex(State())
    /// Held while parts are handed over.
    ///
    /// So a receiver that is slow slows the transport, as it does without a middleware. The end does
    /// not wait, as a receiver may cancel from inside its call.
    private let handover = Mutex(())

    fileprivate struct State {
        var phase = Phase.keeping
        var head: Result<HTTPResponse.Head, TransportError>?
        var headWaiter: HeadWaiter?
        var parts = FIFO<[UInt8]>()
        var keptSize = 0
        /// How it ended, be it told or not.
        var end: Result<ExchangeMetrics, TransportError>?
        var observers: [Observer] = []
    }

    fileprivate enum Phase {
        /// No receiver yet.
        case keeping
        /// One thread hands over what was kept.
        case handingOver
        /// What comes goes to the receiver.
        case connected(any ResponseReceiver)
        /// Nobody wants it; so many bytes have come, for the sake of the connection.
        case draining(Int)
        /// The end was told.
        case over
    }

    /// Waits for the head, or for the reason why there is none.
    func head() async -> Result<HTTPResponse.Head, TransportError> {
        await withCheckedContinuation { continuation in
            let head = state.withLock { state in
                if state.head == nil { state.headWaiter = continuation }
                return state.head
            }
            if let head { continuation.resume(returning: head) }
        }
    }

    func observeEnd(
        _ observer: @escaping @Sendable (Result<ExchangeMetrics, TransportError>) -> Void
    ) {
        let end = state.withLock { state -> Result<ExchangeMetrics, TransportError>? in
            if case .over = state.phase { return state.end }
            state.observers.append(observer)
            return nil
        }
        if let end { observer(end) }
    }

    /// Keeps a response that is there already.
    func receive(_ response: HTTPResponse) {
        receiveHead(response.head)
        state.withLock { _ = $0.parts.append(response.body) }
        finish(.success(response.metrics))
    }

    /// Lets everything go unless somebody has taken it.
    ///
    /// A little of what is still on the way is read, so that its connection can be used again.
    func drop() {
        let (end, observers) = state.withLock {
            state -> (Result<ExchangeMetrics, TransportError>?, [State.Observer]) in
            guard case .keeping = state.phase else { return (nil, []) }
            state.phase = .draining(state.keptSize)
            state.parts = FIFO()
            guard let end = state.end else { return (nil, []) }
            return (end, state.finish(end))
        }
        if let end { for observer in observers { observer(end) } }
    }

    /// Hands over what was kept, and connects the receiver to what comes.
    func connect(
        to receiver: any ResponseReceiver, head: HTTPResponse.Head, exchange: (any Exchange)?
    ) {
        let end = handover.withLock { _ in handOver(to: receiver, head, exchange) }
        guard let end else { return }
        for observer in end.observers { observer(end.result) }
        receiver.finish(end.result)
    }

    /// Returns the end when it has come; the receiver is connected otherwise.
    private func handOver(
        to receiver: any ResponseReceiver, _ head: HTTPResponse.Head, _ exchange: (any Exchange)?
    ) -> State.End? {
        guard state.withLock({ $0.take() }) else {
            let error = TransportError(.other, "a middleware returned a response it had used")
            return State.End(result: .failure(error), observers: [])
        }
        receiver.receiveHead(head)
        while let step = state.withLock({ $0.next(receiver) }) {
            switch step {
            case .part(let bytes):
                if bytes.isEmpty || receiver.receiveBody(bytes.span.bytes) { continue }
                let error = TransportError(.refusedByReceiver, "the receiver wanted no more")
                let observers = state.withLock { $0.finish(.failure(error)) }
                exchange?.cancel()
                return State.End(result: .failure(error), observers: observers)
            case .end(let end):
                return end
            }
        }
        return nil
    }

    func receiveHead(_ head: HTTPResponse.Head) {
        settle(.success(head))
    }

    func receiveBody(_ bytes: RawSpan) -> Bool {
        switch state.withLock({ $0.receive(bytes) }) {
        case .done(let goesOn):
            return goesOn
        case .pass(let receiver):
            return receiver.receiveBody(bytes)
        case .wait:
            handover.withLock { _ in }
            return receiveBody(bytes)
        }
    }

    func finish(_ result: Result<ExchangeMetrics, TransportError>) {
        let (receiver, observers) = state.withLock {
            state -> ((any ResponseReceiver)?, [State.Observer]) in
            switch state.phase {
            case .connected(let receiver): return (receiver, state.finish(result))
            case .draining: return (nil, state.finish(result))
            case .over: return (nil, [])
            case .keeping, .handingOver:
                state.end = result
                return (nil, [])
            }
        }
        let error: TransportError =
            switch result {
            case .failure(let error): error
            case .success: TransportError(.invalidResponse, "the exchange brought no response")
            }
        // Does nothing when a head has come.
        settle(.failure(error))
        for observer in observers { observer(result) }
        receiver?.finish(result)
    }

    private func settle(_ head: Result<HTTPResponse.Head, TransportError>) {
        let waiter = state.withLock { state -> HeadWaiter? in
            guard state.head == nil else { return nil }
            state.head = head
            return state.headWaiter.take()
        }
        waiter?.resume(returning: head)
    }
}

extension BodyRelay.State {
    fileprivate typealias Observer = @Sendable (Result<ExchangeMetrics, TransportError>) -> Void

    /// How much is kept while nobody has decided about a response.
    private static let limit = defaultBodyLimit

    /// What to do with a part of the body.
    fileprivate enum Reception {
        /// Nothing more; whether others are wanted.
        case done(Bool)
        case pass(any ResponseReceiver)
        /// Ask again after the hand-over.
        case wait
    }

    fileprivate mutating func receive(_ bytes: RawSpan) -> Reception {
        switch phase {
        case .handingOver: return .wait
        case .connected(let receiver): return .pass(receiver)
        case .over: return .done(false)
        case .draining(let count):
            guard count + bytes.byteCount <= BodySink.unwantedLimit else { return .done(false) }
            phase = .draining(count + bytes.byteCount)
            return .done(true)
        case .keeping:
            guard keptSize + bytes.byteCount <= Self.limit else { return .done(false) }
            keptSize += bytes.byteCount
            parts.append(bytes.withUnsafeBytes { Array($0) })
            return .done(true)
        }
    }

    /// Begins to hand over; returns whether it was there to be taken.
    fileprivate mutating func take() -> Bool {
        guard case .keeping = phase else { return false }
        phase = .handingOver
        return true
    }

    fileprivate enum Step {
        case part([UInt8])
        case end(End)
    }

    /// The end, and who wants to be told of it beside the receiver.
    fileprivate struct End {
        let result: Result<ExchangeMetrics, TransportError>
        let observers: [Observer]
    }

    /// What is to be handed over next; `nil` once there is nothing, and the receiver is connected.
    fileprivate mutating func next(_ receiver: any ResponseReceiver) -> Step? {
        guard case .handingOver = phase else { return nil }
        if let part = parts.popFirst() { return .part(part) }
        if let end { return .end(End(result: end, observers: finish(end))) }
        phase = .connected(receiver)
        return nil
    }

    /// Returns those who want to be told of the end, once.
    fileprivate mutating func finish(
        _ end: Result<ExchangeMetrics, TransportError>
    ) -> [Observer] {
        phase = .over
        self.end = end
        parts = FIFO()
        defer { observers = [] }
        return observers
    }
}
