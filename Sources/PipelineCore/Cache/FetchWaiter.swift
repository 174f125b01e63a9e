import Synchronization

/// One request that waits for a ``SharedFetch``: hands on what comes until it has the end, or is
/// cancelled.
///
/// The calls that hand on come from one thread after the other, never at once; a cancel may come
/// from any thread, and ends the request then and there unless its receiver is being called.
final class FetchWaiter: Exchange {
    private let state: Mutex<State>

    private struct State {
        var receiver: (any ResponseReceiver)?
        var fetch: SharedFetch?
        var isCalling = false
        var isCancelled = false

        /// Takes what is needed for the end, which comes once.
        mutating func end() -> End {
            defer { (receiver, fetch) = (nil, nil) }
            return End(receiver: receiver, fetch: fetch)
        }
    }

    private struct End {
        var receiver: (any ResponseReceiver)?
        var fetch: SharedFetch?
    }

    init(_ receiver: any ResponseReceiver) {
        state = Mutex(State(receiver: receiver))
    }

    /// Says what it waits for; a request that is cancelled already waits for nothing.
    func attach(_ fetch: SharedFetch) {
        state.withLock { state in
            if state.receiver != nil { state.fetch = fetch }
        }
    }

    /// Whether it has had its end.
    var isOver: Bool { state.withLock { $0.receiver == nil } }

    func cancel() {
        let ended = state.withLock { state in
            state.isCancelled = true
            // The thread that calls the receiver ends it afterwards.
            return state.isCalling ? End() : state.end()
        }
        ended.receiver?.finish(.failure(Self.cancelled))
        ended.fetch?.leave(self)
    }

    func receiveHead(_ head: HTTPResponse.Head) {
        call { receiver in
            receiver.receiveHead(head)
            return true
        }
    }

    func receiveBody(_ bytes: RawSpan) {
        call { $0.receiveBody(bytes) }
    }

    func finish(_ result: Result<ExchangeMetrics, TransportError>) {
        state.withLock { $0.end() }.receiver?.finish(result)
    }

    private func call(_ body: (any ResponseReceiver) -> Bool) {
        let receiver = state.withLock { state in
            state.isCalling = state.receiver != nil
            return state.receiver
        }
        guard let receiver else { return }
        let goesOn = body(receiver)
        let (isCancelled, ended) = state.withLock { state in
            state.isCalling = false
            let isOver = state.isCancelled || !goesOn
            return (state.isCancelled, isOver ? state.end() : End())
        }
        ended.receiver?.finish(.failure(isCancelled ? Self.cancelled : Self.refused))
        ended.fetch?.leave(self)
    }

    private static let cancelled = TransportError(.cancelled, "cancelled")
    private static let refused = TransportError(.refusedByReceiver, "the body was refused")
}

extension FetchWaiter {
    /// Hands on a response that is stored.
    func serve(
        _ body: StoredResponse.Body, _ head: HTTPResponse.Head, _ metrics: ExchangeMetrics
    ) async {
        receiveHead(head)
        var offset = 0
        while offset < body.size, !isOver {
            guard let part = body.part(at: offset), !part.isEmpty else {
                return finish(.failure(Self.unreadable))
            }
            receiveBody(part.span.bytes)
            offset += part.count
            await Task.yield()
        }
        finish(.success(metrics))
    }

    /// What came before cannot be read from the cache any more.
    static let unreadable = TransportError(.other, "the cache's file cannot be read")
}

extension ExchangeMetrics {
    /// The same, with what a cache had to do with it.
    func used(_ use: CacheUse) -> ExchangeMetrics {
        var metrics = self
        metrics.cacheUse = use
        return metrics
    }
}
