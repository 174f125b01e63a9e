import Synchronization

/// A response whose head has come, while its body may still be on the way.
///
/// A ``Middleware`` returns it, and the body then goes to whoever sent the request; until then it
/// is kept here.
public final class IncomingResponse: Sendable {
    /// Status, version and header fields.
    public let head: HTTPResponse.Head

    private let body: BodyRelay
    private let exchange: (any Exchange)?

    /// A response of the middleware's own, instead of one that came over the network.
    public init(_ response: HTTPResponse) {
        head = response.head
        body = BodyRelay()
        exchange = nil
        body.receive(response)
    }

    /// Starts an exchange and waits for its head.
    ///
    /// - Throws: Why none came; ``TransportError/Code/cancelled`` when the task is cancelled.
    init(
        _ request: HTTPRequest, through transport: any Transport,
        onStart: (any Exchange) -> Void = { _ in }
    ) async throws(TransportError) {
        let relay = BodyRelay()
        body = relay
        guard !Task.isCancelled else { throw TransportError(.cancelled, "cancelled") }
        let exchange = transport.start(request, receiver: relay)
        self.exchange = exchange
        onStart(exchange)
        let result = await withTaskCancellationHandler {
            await relay.head()
        } onCancel: {
            exchange.cancel()
        }
        head = try result.get()
    }

    deinit {
        // Does nothing when somebody took it.
        body.drop()
    }

    /// Calls a closure once, when the response has come whole or was cut off.
    ///
    /// - Parameter body: Called on whichever thread brings the news, before whoever sent the
    ///   request is told; also for a response that is dropped, and at once when the end was told.
    public func onEnd(
        _ body: @escaping @Sendable (Result<ExchangeMetrics, TransportError>) -> Void
    ) {
        self.body.observeEnd(body)
    }

    /// Reads the whole body into memory: for the middleware's own requests, such as for a token.
    ///
    /// The response cannot be returned from the middleware afterwards.
    ///
    /// - Parameter limit: The largest body to accept, in bytes; 64 MiB by default.
    /// - Throws: Why it did not come whole.
    public func collect(limit: Int = 64 << 20) async throws(TransportError) -> HTTPResponse {
        let collector = BodyCollector(limit: limit)
        relay(to: collector)
        let exchange = exchange
        let result = await withTaskCancellationHandler {
            await collector.end()
        } onCancel: {
            exchange?.cancel()
        }
        let (body, metrics) = try result.get()
        return HTTPResponse(head: head, body: body, metrics: metrics)
    }

    /// Sends what came, and what comes from now on, to a receiver.
    func relay(to receiver: any ResponseReceiver) {
        body.connect(to: receiver, head: head, exchange: exchange)
    }

    /// Ends what is still on the way.
    func cancel() {
        exchange?.cancel()
    }
}
