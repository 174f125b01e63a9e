import Synchronization

/// A receiver that keeps a body, and can be waited for.
final class BodyCollector: ResponseReceiver {
    typealias End = Result<([UInt8], ExchangeMetrics), TransportError>

    private let limit: Int
    private let state = Mutex(State())

    private struct State {
        var body: [UInt8] = []
        var isTooLarge = false
        var end: End?
        var waiter: CheckedContinuation<End, Never>?
    }

    init(limit: Int) {
        self.limit = limit
    }

    func end() async -> End {
        await withCheckedContinuation { continuation in
            let end = state.withLock { state in
                if state.end == nil { state.waiter = continuation }
                return state.end
            }
            if let end { continuation.resume(returning: end) }
        }
    }

    func receiveHead(_ head: HTTPResponse.Head) {}

    func receiveBody(_ bytes: RawSpan) -> Bool {
        state.withLock { state in
            state.isTooLarge = state.body.count + bytes.byteCount > limit
            if !state.isTooLarge { bytes.withUnsafeBytes { state.body.append(contentsOf: $0) } }
            return !state.isTooLarge
        }
    }

    func finish(_ result: Result<ExchangeMetrics, TransportError>) {
        let (waiter, end) = state.withLock { state in
            let end: End =
                switch result {
                case .success(let metrics): .success((state.body, metrics))
                case .failure where state.isTooLarge:
                    .failure(
                        TransportError(
                            .refusedByReceiver,
                            "the body is larger than the limit of \(ByteSize(limit))"))
                case .failure(let error): .failure(error)
                }
            state.end = end
            return (state.waiter.take(), end)
        }
        waiter?.resume(returning: end)
    }
}
