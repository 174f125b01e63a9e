/// Sends one request and brings back one response: the seam between the engine and the network.
///
/// A transport performs **one exchange** and has no policy: it follows no redirect, retries nothing
/// and judges no status. Those are decisions of the engine, so that every transport behaves the
/// same. It verifies TLS, undoes content codings, keeps the request's timeouts, and tells the
/// receiver what came.
///
/// A complete transport for a test:
///
/// ```swift
/// struct Canned: Transport {
///     var body: String
///
///     func start(_ request: HTTPRequest, receiver: any ResponseReceiver) -> any Exchange {
///         receiver.receiveHead(HTTPResponse.Head(status: 200))
///         _ = receiver.receiveBody(Array(body.utf8).span.bytes)
///         receiver.finish(.success(ExchangeMetrics()))
///         return self
///     }
/// }
///
/// extension Canned: Exchange {
///     func cancel() {}
/// }
/// ```
public protocol Transport: Sendable {
    /// Starts one exchange and returns without waiting for it.
    ///
    /// May be called from any thread, also from inside a call to a receiver. The receiver is
    /// retained until ``ResponseReceiver/finish(_:)`` was called, exactly once, possibly before
    /// `start` returns.
    func start(_ request: HTTPRequest, receiver: any ResponseReceiver) -> any Exchange
}

/// An exchange under way.
public protocol Exchange: Sendable {
    /// Ends the exchange as soon as possible, whatever the server does, and returns at once.
    ///
    /// The receiver's ``ResponseReceiver/finish(_:)`` is still called, once, with
    /// ``TransportError/Code/cancelled`` unless the exchange had ended already. May be called from
    /// any thread, any number of times.
    func cancel()
}

/// Takes what a transport brings, in this order: heads, body, finish.
///
/// The calls of one exchange never overlap. They come on the transport's own thread and should
/// return soon: other exchanges may wait for them.
public protocol ResponseReceiver: AnyObject, Sendable {
    /// The head of the response has come. Interim responses (1xx) are not reported.
    func receiveHead(_ head: HTTPResponse.Head)

    /// Part of the decoded body has come; the bytes are valid during the call only.
    ///
    /// Returning `false` ends the exchange with ``TransportError/Code/refusedByReceiver``.
    func receiveBody(_ bytes: RawSpan) -> Bool

    /// The exchange is over: a response came whole, or it failed. Nothing is called afterwards.
    func finish(_ result: Result<ExchangeMetrics, TransportError>)
}
