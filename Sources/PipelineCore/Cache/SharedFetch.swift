import Synchronization

/// One answer for all who ask for the same: looks into the cache, asks the server if need be, and
/// hands what comes to each waiter and to the cache.
///
/// What is done with a response is decided by ``CachePolicy``; this performs it.
final class SharedFetch: ResponseReceiver {
    let request: HTTPRequest
    private let context: CachingTransport.Context
    private let state: Mutex<State>
    /// The cache's when this began, which is before anything was looked at.
    private let generation: Int

    init(_ request: HTTPRequest, _ waiter: FetchWaiter, _ context: CachingTransport.Context) {
        self.request = request
        self.context = context
        generation = context.cache.generation(of: request.url)
        state = Mutex(State(waiter))
    }

    /// Looks into the cache first.
    func begin() {
        attachFirst()
        // Not here: the caller may be the main thread, and files are looked at.
        Task { lookUp() }
    }

    /// Asks the server without looking.
    private func beginAsking() {
        attachFirst()
        send(request, isValidating: false)
    }

    private func attachFirst() {
        for waiter in state.withLock(\.waiters) {
            waiter.attach(self)
            // One that another fetch has handed over may have been cancelled on the way.
            if waiter.isOver { leave(waiter) }
        }
    }

    private func lookUp() {
        let stored = context.cache.response(for: request, user: context.user)
        state.withLock { $0.stored = stored }
        switch CachePolicy.decision(for: request, stored: stored?.head, now: context.now()) {
        case .serve: serveStored(.stored)
        case .validate(let request): send(request, isValidating: true)
        case .fetch: send(request, isValidating: false)
        case .unavailable:
            let head = HTTPResponse.Head(status: 504)
            for waiter in end() {
                waiter.receiveHead(head)
                waiter.finish(.success(ExchangeMetrics()))
            }
        }
    }

    private func send(_ request: HTTPRequest, isValidating: Bool) {
        let now = context.now()
        let number = state.withLock { state -> Int? in
            // Everybody may have left meanwhile.
            guard !state.isOver else { return nil }
            state.phase = .asking
            state.isValidating = isValidating
            state.requestedAt = now
            state.exchangeNumber += 1
            return state.exchangeNumber
        }
        guard let number else { return }
        let exchange = context.transport.start(request, receiver: self)
        let isOver = state.withLock { state in
            if state.exchangeNumber == number { state.exchange = exchange }
            return state.isOver
        }
        // It may have ended already, which is no harm, or nobody wants it any more.
        if isOver { exchange.cancel() }
    }
}

// Who waits.
extension SharedFetch {
    /// Adds a waiter, if it can still have the whole of an answer that is good for it.
    func join(_ waiter: FetchWaiter) -> Bool {
        // What began before its address was forgotten is as it was before a change.
        guard context.cache.generation(of: request.url) == generation else { return false }
        let now = context.now()
        switch state.withLock({ $0.join(waiter, request, now: now) }) {
        case .refused:
            return false
        case .joined:
            waiter.attach(self)
        case .late(let head, let writer):
            waiter.attach(self)
            Task { await catchUp(waiter, head, writer) }
        }
        return true
    }

    /// Forgets a waiter that has had its end; with the last one the exchange ends.
    func leave(_ waiter: FetchWaiter) {
        let (isLast, exchange) = state.withLock { ($0.leave(waiter), $0.exchange) }
        guard isLast else { return }
        context.fetches.remove(self)
        exchange?.cancel()
    }

    /// Hands a late waiter what came before it, until it has as much as the others.
    private func catchUp(_ waiter: FetchWaiter, _ head: CachedHead, _ writer: CacheWriter) async {
        waiter.receiveHead(CachePolicy.servedHead(head, now: context.now()))
        var offset = 0
        while !waiter.isOver {
            switch state.withLock({ $0.nextStep(for: waiter, at: offset) }) {
            case .read(let count):
                guard let part = writer.part(at: offset, limit: count), !part.isEmpty else {
                    waiter.finish(.failure(FetchWaiter.unreadable))
                    return leave(waiter)
                }
                waiter.receiveBody(part.span.bytes)
                offset += part.count
            case .finish(let result):
                waiter.finish(result.map { $0.used(.shared) })
                return
            case .goOn:
                return
            }
            await Task.yield()
        }
    }
}

// Taking what the transport brings.
extension SharedFetch {
    func receiveHead(_ head: HTTPResponse.Head) {
        let now = context.now()
        let (stored, isValidating, requestedAt, isOver) = state.withLock {
            ($0.stored, $0.isValidating, $0.requestedAt, $0.isOver)
        }
        // Everybody left while it came.
        guard !isOver else { return }
        let answer = CachedHead(head, requestedAt: requestedAt, receivedAt: now)
        if isValidating, head.status == 304, let stored {
            let isMeant = CachePolicy.confirms(head, stored.head)
            return state.withLock { $0.enter(isMeant ? .confirmed(answer) : .misunderstood) }
        }
        if let stored, CachePolicy.isServerTrouble(head.status),
            CachePolicy.mayServeOnError(stored.head, for: request, now: now)
        {
            return state.withLock { $0.enter(.replaced(unwanted: 0)) }
        }
        deliver(head, answer)
    }

    private func deliver(_ head: HTTPResponse.Head, _ answer: CachedHead) {
        let isShareable = CachePolicy.isShareable(head)
        if !isShareable { context.fetches.remove(self) }
        let writer =
            CachePolicy.isStorable(answer, for: request)
            ? context.cache.writer(for: request, user: context.user, answer) : nil
        let (waiters, others) = state.withLock {
            $0.deliver(answer, to: writer, isShareable: isShareable)
        }
        for other in others { SharedFetch(request, other, context).beginAsking() }
        for waiter in waiters { waiter.receiveHead(head) }
    }

    func receiveBody(_ bytes: RawSpan) -> Bool {
        let writer = state.withLock(\.writer)
        let isWritten = writer?.append(bytes) ?? true
        let isTooLarge = writer?.isTooLarge ?? false
        let (waiters, goesOn) = state.withLock {
            $0.received(bytes.byteCount, isWritten: isWritten, isTooLarge: isTooLarge)
        }
        for waiter in waiters { waiter.receiveBody(bytes) }
        return goesOn
    }

    func finish(_ result: Result<ExchangeMetrics, TransportError>) {
        let phase = state.withLock(\.phase)
        switch (phase, result) {
        case (.confirmed(let head), .success(let metrics)):
            // Not here: files are read and written, and the transport has others to serve.
            Task { serveConfirmed(head, metrics) }
        case (.misunderstood, .success):
            send(request, isValidating: false)
        case (.replaced, _):
            serveStored(.stale)
        case (.delivering(_, let writer?), .success):
            // Not here either: the file gets its name, and others may have to go.
            Task {
                // Before the waiters hear of the end: what they ask for next may be stored.
                context.cache.commit(writer, for: request.url, since: generation)
                tellEnd(result)
            }
        case (.delivering, _):
            tellEnd(result)
        case (_, .failure(let error)):
            conclude(error)
        // A response without a head is none; a transport that says so has told nothing.
        case (.asking, .success(let metrics)):
            tellEnd(.success(metrics))
        // Everybody has left, and the transport has just noticed.
        case (.over, _):
            break
        }
    }

    private func conclude(_ error: TransportError) {
        let stored = state.withLock(\.stored)
        if let stored, error.code != .cancelled,
            CachePolicy.mayServeOnError(stored.head, for: request, now: context.now())
        {
            return serveStored(.stale)
        }
        tellEnd(.failure(error))
    }

    private func tellEnd(_ result: Result<ExchangeMetrics, TransportError>) {
        for (index, waiter) in end(result).enumerated() {
            waiter.finish(index == 0 ? result : result.map { $0.used(.shared) })
        }
    }

    /// Ends the fetch; those who waited for it are told by the caller.
    private func end(_ result: Result<ExchangeMetrics, TransportError>? = nil) -> [FetchWaiter] {
        context.fetches.remove(self)
        return state.withLock { $0.end(result) }
    }
}

// Answering from the cache.
extension SharedFetch {
    private func serveConfirmed(_ answer: CachedHead, _ metrics: ExchangeMetrics) {
        guard var stored = state.withLock(\.stored) else { return }
        stored.head = stored.head.updated(by: answer)
        context.cache.update(stored, for: request, user: context.user, since: generation)
        serve(stored, stored.head.head, metrics.used(.validated))
    }

    private func serveStored(_ use: ExchangeMetrics.CacheUse) {
        guard let stored = state.withLock(\.stored) else { return }
        let head = CachePolicy.servedHead(stored.head, now: context.now())
        serve(stored, head, ExchangeMetrics().used(use))
    }

    private func serve(
        _ stored: StoredResponse, _ head: HTTPResponse.Head, _ metrics: ExchangeMetrics
    ) {
        var metrics = metrics
        metrics.decodedBodySize = stored.body.size
        for waiter in end() {
            Task { [metrics] in await waiter.serve(stored.body, head, metrics) }
        }
    }
}
