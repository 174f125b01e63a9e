public import PipelineCore

/// A transport over libcurl: HTTP/1.1, and HTTP/2 over TLS, on one thread of its own.
///
/// Connections are kept alive and shared by all exchanges, and so are the cookies that servers set:
/// one jar in memory for each transport. Cookies that a request names itself go out after those of
/// the jar, in the same line. The thread starts with the first exchange and ends with the
/// transport.
///
/// Requests that give names other addresses than those under way (`ConnectionOptions.resolutions`)
/// wait for the end of these, and those started after them wait, too: libcurl keeps one set of
/// addresses and connections. Their time limits begin afterwards.
///
/// Where a request has no `HTTPRequest.connectTimeout`, connecting may take 30 seconds.
///
/// An idempotent request (RFC 9110, section 9.2.2) that meets a kept-alive connection which the
/// server has just given up is sent once more, on another connection. Any other request is sent
/// once only and fails then; to make that rare, it takes no connection that was idle for long.
public final class CurlTransport: Transport {
    /// What holds for all exchanges of a transport.
    public struct Options: Sendable, Hashable {
        /// The `User-Agent` of requests that have none of their own (RFC 9110, section 10.1.5):
        /// `PipelineCore`; empty for none.
        public var userAgent = "PipelineCore"

        /// The options as they are when nothing is said.
        public init() {}
    }

    private let thread: CurlThread

    /// A transport that has not connected to anything yet.
    public init(_ options: Options = Options()) {
        thread = CurlThread(options: options)
    }

    /// Exchanges under way go on to their end, and the thread ends after the last of them.
    deinit {
        thread.end(.whenIdle)
    }

    /// Starts one exchange and returns without waiting for it.
    ///
    /// May be called from any thread. Cheapest from inside a call to a receiver of this transport:
    /// nothing is locked or woken then. A request that cannot be sent fails through its receiver,
    /// with `TransportError.Code.invalidRequest`.
    public func start(_ request: HTTPRequest, receiver: any ResponseReceiver) -> any Exchange {
        let exchange = CurlExchange(thread: thread)
        thread.start(CurlExchange.Order(exchange, request, receiver))
        return exchange
    }

    /// Cancels what is under way and waits until the transport's thread and connections are gone.
    ///
    /// May be called from any thread, any number of times, also at once: each call waits. From
    /// inside a call to a receiver it does not. Exchanges started afterwards end with
    /// `TransportError.Code.cancelled`.
    public func shutDown() {
        thread.end(.now)
    }
}
