import Synchronization

/// An exchange that a middleware performs.
final class InterceptedExchange: Exchange {
    /// The exchange whose middleware runs, in its task and in those made there, but for detached
    /// ones.
    @TaskLocal private static var current: InterceptedExchange?

    private let time: Timekeeper
    private let state: Mutex<State>

    private struct State {
        /// Who is to be told; `nil` once a response was found, or the end was told.
        var receiver: (any ResponseReceiver)?
        var response: IncomingResponse?
        var task: Task<Void, Never>?
        /// Ends the exchange when its time is over.
        var timer: Task<Void, Never>?
        /// What was begun for the middleware; its responses may have been dropped.
        var exchanges: [any Exchange] = []
        /// How many of them have brought no head yet.
        var waitingCount = 0
        /// Why it was ended before it came to its own end.
        var reason: TransportError?
        /// Whether a server may have acted on something that was sent.
        var mayHaveSent = false
    }

    init(receiver: any ResponseReceiver, time: Timekeeper) {
        self.time = time
        state = Mutex(State(receiver: receiver))
    }

    func run(_ body: @escaping @Sendable () async throws -> IncomingResponse) {
        let task = Self.$current.withValue(self) {
            Task {
                do {
                    let response = try await body()
                    if let receiver = take(response) {
                        response.relay(to: receiver)
                    } else {
                        // Ended meanwhile.
                        response.cancel()
                    }
                } catch {
                    let mayHaveSent = state.withLock(\.mayHaveSent)
                    let error = TransportError(intercepting: error, mayHaveSent: mayHaveSent)
                    take(nil)?.finish(.failure(error))
                }
            }
        }
        let timer = time.limit.map { limit in
            // Waits for the request's own timeout, and is cancelled when the exchange ends before.
            Task { if await time.sleep(for: limit) { timeRanOut() } }
        }
        let (isEnded, isDecided) = state.withLock { state in
            state.task = task
            state.timer = timer
            return (state.reason != nil, state.receiver == nil)
        }
        if isEnded { task.cancel() }
        if isDecided { timer?.cancel() }
    }

    /// Ends the exchange, at once when no response has been found yet.
    func cancel() {
        end(TransportError(.cancelled, "cancelled"))
    }

    private func end(_ reason: TransportError) {
        let (ended, receiver) = state.withLock { state in
            state.reason = state.reason ?? reason
            return (state, state.receiver.take())
        }
        for exchange in ended.exchanges { exchange.cancel() }
        ended.response?.cancel()
        ended.task?.cancel()
        ended.timer?.cancel()
        receiver?.finish(.failure(reason))
    }

    /// Takes the receiver, which is told of this response or that there is none.
    private func take(_ response: IncomingResponse?) -> (any ResponseReceiver)? {
        let (receiver, timer) = state.withLock { state in
            if state.receiver != nil { state.response = response }
            return (state.receiver.take(), state.timer)
        }
        timer?.cancel()
        return receiver
    }
}

// What the middleware sends.
extension InterceptedExchange {
    /// Sends a request on for the middleware, within the time that is left, and keeps in mind if it
    /// may have reached a server.
    ///
    /// One that a detached task sends is not part of this exchange.
    func send(
        _ request: HTTPRequest, through transport: any Transport
    ) async throws(TransportError) -> IncomingResponse {
        guard Self.current === self else {
            return try await IncomingResponse(request, through: transport)
        }
        if let reason = state.withLock(\.reason) { throw reason }
        state.withLock { $0.waitingCount += 1 }
        do {
            let response = try await IncomingResponse(
                limited(request), through: transport, onStart: began)
            waited(for: nil)
            return response
        } catch {
            waited(for: error)
            throw error
        }
    }

    private func limited(_ request: HTTPRequest) -> HTTPRequest {
        guard let timeLeft = time.timeLeft else { return request }
        var request = request
        request.timeout = min(request.timeout ?? timeLeft, max(timeLeft, .nanoseconds(1)))
        request.timeSpent += time.elapsed
        return request
    }

    private func began(_ exchange: any Exchange) {
        let isEnded = state.withLock { state in
            state.exchanges.append(exchange)
            return state.reason != nil
        }
        if isEnded { exchange.cancel() }
    }

    /// One of the exchanges has brought its head, or has failed.
    private func waited(for failure: TransportError?) {
        let mayHaveSent = state.withLock { state in
            defer { if failure?.isBeforeSending != true { state.mayHaveSent = true } }
            state.waitingCount -= 1
            return state.mayHaveSent
        }
        guard let timeLeft = time.timeLeft, timeLeft <= .zero else { return }
        if let failure {
            end(TransportError(intercepting: failure, mayHaveSent: mayHaveSent))
        } else {
            timeRanOut()
        }
    }

    private func timeRanOut() {
        let (isWaiting, mayHaveSent) = state.withLock { ($0.waitingCount > 0, $0.mayHaveSent) }
        // The transport keeps the time, too, and knows better what it was spent on.
        guard !isWaiting, let limit = time.limit else { return }
        end(
            TransportError(
                .timedOut, "timed out after \(limit.shown), waiting for a middleware",
                isBeforeSending: !mayHaveSent))
    }
}

extension TransportError {
    /// What a middleware threw; nothing comes before sending when an earlier request was sent.
    fileprivate init(intercepting error: any Error, mayHaveSent: Bool) {
        switch error {
        case let error as TransportError:
            self.init(
                error.code, error.message, libraryCode: error.libraryCode,
                isBeforeSending: error.isBeforeSending && !mayHaveSent)
        case is CancellationError: self.init(.cancelled, "cancelled")
        default: self.init(.other, "\(error)")
        }
    }
}
