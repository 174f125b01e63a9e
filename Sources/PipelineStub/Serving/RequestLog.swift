import Synchronization

/// The requests that came, written by the server's thread and read from any.
final class RequestLog: Sendable {
    private let received = Mutex<[StubRequest]>([])

    var requests: [StubRequest] { received.withLock { $0 } }

    func append(_ request: StubRequest) {
        received.withLock { $0.append(request) }
    }
}
