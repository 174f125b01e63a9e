import PipelineCore
import Synchronization

/// Answers on other threads than the caller's.
struct ThreadedTransport: Transport {
    private let transport: ScriptedTransport

    init(_ transport: ScriptedTransport) {
        self.transport = transport
    }

    func start(_ request: HTTPRequest, receiver: any ResponseReceiver) -> any Exchange {
        let exchange = Later()
        Task { [transport] in
            let inner = transport.start(request, receiver: receiver)
            exchange.started(inner)
        }
        return exchange
    }

    private final class Later: Exchange {
        private let state = Mutex<(inner: (any Exchange)?, isCancelled: Bool)>((nil, false))

        func started(_ inner: any Exchange) {
            let isCancelled = state.withLock { state in
                state.inner = inner
                return state.isCancelled
            }
            if isCancelled { inner.cancel() }
        }

        func cancel() {
            state.withLock { state in
                state.isCancelled = true
                return state.inner
            }?.cancel()
        }
    }
}
