import PipelineCore
import Synchronization

/// The caller's end of an exchange.
///
/// It knows neither request nor receiver, so that a receiver which keeps it makes no cycle.
final class CurlExchange: Exchange {
    /// All that is needed to carry out an exchange.
    ///
    /// A class because it is handed on often, and holds a dozen references.
    final class Order: Sendable {
        let exchange: CurlExchange
        let request: HTTPRequest
        let receiver: any ResponseReceiver

        init(_ exchange: CurlExchange, _ request: HTTPRequest, _ receiver: any ResponseReceiver) {
            self.exchange = exchange
            self.request = request
            self.receiver = receiver
        }
    }

    private let thread: CurlThread
    private let cancellation = Atomic(false)

    init(thread: CurlThread) {
        self.thread = thread
    }

    /// Whether ``cancel()`` was called; it may have been too late.
    var isCancelled: Bool { cancellation.load(ordering: .relaxed) }

    func cancel() {
        guard !cancellation.exchange(true, ordering: .relaxed) else { return }
        thread.noteCancellation()
    }
}
