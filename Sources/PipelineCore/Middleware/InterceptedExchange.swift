import Synchronization

/// An exchange that a middleware performs.
final class InterceptedExchange: Exchange {
    private let state: Mutex<State>

    private struct State {
        /// Who is to be told; `nil` once a response was found, or the end was told.
        var receiver: (any ResponseReceiver)?
        var response: IncomingResponse?
        var task: Task<Void, Never>?
        var isCancelled = false
        /// Whether a server may have acted on something that was sent.
        var mayHaveSent = false
    }

    init(receiver: any ResponseReceiver) {
        state = Mutex(State(receiver: receiver))
    }

    func run(_ body: @escaping @Sendable () async throws -> IncomingResponse) {
        let task = Task {
            do {
                let response = try await body()
                if let receiver = take(response) {
                    response.relay(to: receiver)
                } else {
                    // Cancelled meanwhile.
                    response.cancel()
                }
            } catch {
                let mayHaveSent = state.withLock(\.mayHaveSent)
                let error = TransportError(intercepting: error, mayHaveSent: mayHaveSent)
                take(nil)?.finish(.failure(error))
            }
        }
        let isCancelled = state.withLock { state in
            state.task = task
            return state.isCancelled
        }
        if isCancelled { task.cancel() }
    }

    /// Sends a request on for the middleware, and keeps in mind if it may have reached a server.
    func send(
        _ request: HTTPRequest, through transport: any Transport
    ) async throws(TransportError) -> IncomingResponse {
        do {
            let response = try await IncomingResponse(request, through: transport)
            state.withLock { $0.mayHaveSent = true }
            return response
        } catch {
            if !error.isBeforeSending { state.withLock { $0.mayHaveSent = true } }
            throw error
        }
    }

    /// Ends the exchange, at once when no response has been found yet.
    func cancel() {
        let (task, response, receiver) = state.withLock { state in
            state.isCancelled = true
            return (state.task, state.response, state.receiver.take())
        }
        response?.cancel()
        task?.cancel()
        receiver?.finish(.failure(TransportError(.cancelled, "cancelled")))
    }

    /// Takes the receiver, which is told of this response or that there is none.
    private func take(_ response: IncomingResponse?) -> (any ResponseReceiver)? {
        state.withLock { state in
            guard let receiver = state.receiver.take() else { return nil }
            state.response = response
            return receiver
        }
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
