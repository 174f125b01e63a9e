/// Something that every request of an app passes through: it adds a header, signs, logs, counts, or
/// sends again with a new token.
///
/// ```swift
/// struct ClientVersion: Middleware {
///     func intercept(_ request: HTTPRequest, next: Next) async throws -> IncomingResponse {
///         var request = request
///         request.fields["X-Client-Version"] = "4.2"
///         return try await next(request)
///     }
/// }
///
/// let transport = CurlTransport().using([ExchangeLog { print($0) }, ClientVersion()])
/// ```
///
/// The result is a ``Transport`` like any other, so queues, operations and pipelines behave the
/// same with it. Like a transport, a middleware sees one exchange at a time, and so each redirect
/// and each retry: whoever adds credentials has to look at the host first, as
/// ``TokenAuthorization`` does.
public protocol Middleware: Sendable {
    /// Sends the request on, changed or not, and returns the response that is to count.
    ///
    /// `next` returns as soon as the head of a response has come; it may be called again, or not at
    /// all. Of a response that is not returned, up to 256 KiB are read and dropped, so that its
    /// connection can be used again.
    ///
    /// Of one that is yet to be returned, up to 64 MiB are kept; a larger body ends its exchange with
    /// ``TransportError/Code/refusedByReceiver``. Once it is returned, a slow receiver slows the
    /// transport.
    ///
    /// Called on a task of its own, which is cancelled with the exchange, as is all that `next` has
    /// begun. The exchange ends at once then, whatever is done here, and so it does with
    /// ``TransportError/Code/timedOut`` when ``HTTPRequest/timeout`` has passed since its start: each
    /// request that `next` sends has what is left of it. What a detached task sends by `next` is
    /// another matter: it has its own timeout, and others may wait for it.
    ///
    /// - Throws: What ends the exchange. A ``TransportError`` is passed on; anything else becomes
    ///   one with the code ``TransportError/Code/other``.
    func intercept(
        _ request: HTTPRequest, next: @escaping Next
    ) async throws -> IncomingResponse

    /// Sends a request through the middleware that follows and the transport.
    typealias Next = @Sendable (HTTPRequest) async throws(TransportError) -> IncomingResponse
}

extension Transport {
    /// A transport that sends everything through these first.
    ///
    /// - Parameter middleware: In the order in which they see a request; they see its response in
    ///   the opposite order.
    public func using(_ middleware: [any Middleware]) -> any Transport {
        middleware.reversed().reduce(self as any Transport) { inner, middleware in
            InterceptedTransport(inner: inner, middleware: middleware)
        }
    }
}

/// A transport with a middleware before it.
struct InterceptedTransport: Transport {
    let inner: any Transport
    let middleware: any Middleware
    var clock: any Clock<Duration> = ContinuousClock()

    func start(_ request: HTTPRequest, receiver: any ResponseReceiver) -> any Exchange {
        let time = Timekeeper(clock, limit: request.timeout)
        let exchange = InterceptedExchange(receiver: receiver, time: time)
        exchange.run { [inner, middleware] () async throws -> IncomingResponse in
            try await middleware.intercept(request) {
                request async throws(TransportError) -> IncomingResponse in
                try await exchange.send(request, through: inner)
            }
        }
        return exchange
    }
}
