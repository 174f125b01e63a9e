import Synchronization

/// Stands between an exchange and a receiver that is known only later.
///
/// What comes before is kept. While the kept parts are handed over, later ones join them, so that
/// the receiver's calls neither overlap nor change their order; after that they go straight on.
final class BodyRelay: ResponseReceiver {
    fileprivate typealias HeadWaiter = CheckedContinuation<
        Result<HTTPResponse.Head, TransportError>, Never
    >

    private let state = Mutex(State())

    fileprivate struct State {
        var phase = Phase.keeping
        var head: Result<HTTPResponse.Head, TransportError>?
        var headWaiter: HeadWaiter?
        var parts = FIFO<[UInt8]>()
        var keptSize = 0
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

    /// How much is kept while nobody has decided about a response.
    private static let limit = defaultBodyLimit

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
        state.withLock { $0.observers.append(observer) }
    }

    /// Keeps a response that is there already.
    func receive(_ response: HTTPResponse) {
        receiveHead(response.head)
        state.withLock { _ = $0.parts.append(response.body) }
        finish(.success(response.metrics))
    }

    /// Lets everything go unless somebody has taken it; returns whether it did.
    ///
    /// A little of what is still on the way is read, so that its connection can be used again.
    func drop() -> Bool {
        let (isDropped, end, observers) = state.withLock {
            state -> (Bool, Result<ExchangeMetrics, TransportError>?, [State.Observer]) in
            guard case .keeping = state.phase else { return (false, nil, []) }
            state.phase = .draining(state.keptSize)
            state.parts = FIFO()
            return (true, state.end, state.end == nil ? [] : state.finish())
        }
        if let end { for observer in observers { observer(end) } }
        return isDropped
    }

    /// Hands over what was kept, and connects the receiver to what comes.
    func connect(
        to receiver: any ResponseReceiver, head: HTTPResponse.Head, exchange: (any Exchange)?
    ) {
        let isFirst = state.withLock { state in
            guard case .keeping = state.phase else { return false }
            state.phase = .handingOver
            return true
        }
        guard isFirst else {
            let error = TransportError(.other, "a middleware returned a response it had used")
            return receiver.finish(.failure(error))
        }
        receiver.receiveHead(head)
        while let step = state.withLock({ $0.next(receiver) }) {
            switch step {
            case .part(let bytes):
                if bytes.isEmpty || receiver.receiveBody(bytes.span.bytes) { continue }
                let end = TransportError(.refusedByReceiver, "the receiver wanted no more")
                let observers = state.withLock { $0.finish() }
                exchange?.cancel()
                for observer in observers { observer(.failure(end)) }
                receiver.finish(.failure(end))
            case .end(let end, let observers):
                for observer in observers { observer(end) }
                receiver.finish(end)
            }
        }
    }

    func receiveHead(_ head: HTTPResponse.Head) {
        settle(.success(head))
    }

    func receiveBody(_ bytes: RawSpan) -> Bool {
        let (isWanted, receiver) = state.withLock { state in
            switch state.phase {
            case .connected(let receiver): return (true, receiver as (any ResponseReceiver)?)
            case .over: return (false, nil)
            case .draining(let count):
                guard count + bytes.byteCount <= BodySink.unwantedLimit else { return (false, nil) }
                state.phase = .draining(count + bytes.byteCount)
                return (true, nil)
            case .keeping, .handingOver:
                guard state.keptSize + bytes.byteCount <= Self.limit else { return (false, nil) }
                state.keptSize += bytes.byteCount
                state.parts.append(bytes.withUnsafeBytes { Array($0) })
                return (true, nil)
            }
        }
        return receiver?.receiveBody(bytes) ?? isWanted
    }

    func finish(_ result: Result<ExchangeMetrics, TransportError>) {
        let (receiver, observers) = state.withLock {
            state -> ((any ResponseReceiver)?, [State.Observer]) in
            switch state.phase {
            case .connected(let receiver): return (receiver, state.finish())
            case .draining: return (nil, state.finish())
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

    fileprivate enum Step {
        case part([UInt8])
        case end(Result<ExchangeMetrics, TransportError>, [Observer])
    }

    /// What is to be handed over next; `nil` once there is nothing, and the receiver is connected.
    fileprivate mutating func next(_ receiver: any ResponseReceiver) -> Step? {
        guard case .handingOver = phase else { return nil }
        if let part = parts.popFirst() {
            keptSize -= part.count
            return .part(part)
        }
        if let end { return .end(end, finish()) }
        phase = .connected(receiver)
        return nil
    }

    /// Returns those who want to be told of the end, once.
    fileprivate mutating func finish() -> [Observer] {
        phase = .over
        parts = FIFO()
        defer { observers = [] }
        return observers
    }
}
