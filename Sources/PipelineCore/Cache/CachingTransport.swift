/// A transport that answers from a cache what it may, and asks another transport for the rest.
///
/// It follows RFC 9111 as the cache of one user: a stored response is used while it is fresh, and
/// when it is stale the server is asked whether it holds still (`ETag`, `Last-Modified`). An answer
/// to POST, PUT, DELETE and their like makes what is stored for the address void. Only whole
/// responses to GET are stored.
///
/// Equal requests that are under way at the same time share one exchange: each gets all of it, and
/// cancelling one leaves the others alone; with the last the exchange ends. Those that come later
/// share it, too, while the response is being stored and is fresh; of the exchange they share, they
/// share the timeout. A response with `no-store` or `no-cache` is shared with nobody.
///
/// ``ExchangeMetrics/cacheUse`` tells what was done. It is no header field, so that fields are
/// always what a server said; only `Age` is written anew, as section 4 asks.
///
/// ```swift
/// let transport = CachingTransport(CurlTransport(), cache: .memory(), user: nil)
/// let queue = RequestQueue(transport: transport.using([authorization]))
/// ```
///
/// The fields of a request are part of what its response is found by, but for those that tell nobody
/// apart, such as `User-Agent`: what came for one token is never given to another. So whatever adds
/// credentials goes before the cache, as the ``TokenAuthorization`` of the example does; behind it,
/// the cache could not see them. Nor can it see the cookies that the wrapped transport adds from its
/// own jar: say who is signed in, and make a new `CachingTransport` for the next one.
public final class CachingTransport: Transport {
    private let context: Context

    /// What all fetches of a transport share.
    struct Context: Sendable {
        let transport: any Transport
        let cache: ResponseCache
        let user: String
        let now: @Sendable () -> Int
        let fetches = SharedFetches()
    }

    /// A transport in front of another.
    ///
    /// - Parameters:
    ///   - transport: Performs the exchanges that are needed.
    ///   - cache: Holds the responses; it may be given to several transports.
    ///   - user: Who is signed in by cookies of the wrapped transport's own jar, in any form: what
    ///     one user was told is never given to another. `nil` for nobody in particular; it has no
    ///     default, since a folder outlives whoever was signed in.
    public convenience init(
        _ transport: any Transport, cache: ResponseCache, user: String?
    ) {
        self.init(transport, cache: cache, user: user) { GeneratedValue.timestamp() }
    }

    /// The same with a time of day, in seconds since the beginning of 1970 in UTC.
    package init(
        _ transport: any Transport, cache: ResponseCache, user: String?,
        now: @escaping @Sendable () -> Int
    ) {
        context = Context(transport: transport, cache: cache, user: user ?? "", now: now)
    }

    /// Starts an exchange, joins one that is under way, or answers from the cache.
    ///
    /// Returns without waiting and without looking at the cache, from any thread. The receiver is
    /// called on the wrapped transport's thread or, for what was stored and for the end of what is
    /// being stored, on one of Swift's own.
    /// A request with `only-if-cached` for which nothing can be used is answered by a 504 (RFC 9111,
    /// section 5.2.1.7). A cancel ends the exchange for its own receiver at once, with
    /// ``TransportError/isBeforeSending`` `false`: others may have had it sent.
    public func start(_ request: HTTPRequest, receiver: any ResponseReceiver) -> any Exchange {
        if CachePolicy.concerns(request) {
            return context.fetches.join(request, FetchWaiter(receiver), context)
        }
        guard !CachePolicy.isSafe(request.method) else {
            return context.transport.start(request, receiver: receiver)
        }
        let invalidating = InvalidatingReceiver(request, receiver, context.cache)
        return context.transport.start(request, receiver: invalidating)
    }
}

/// Passes on the answer to an unsafe request, and forgets what it makes void (section 4.4).
private final class InvalidatingReceiver: ResponseReceiver {
    private let request: HTTPRequest
    private let receiver: any ResponseReceiver
    private let cache: ResponseCache

    init(_ request: HTTPRequest, _ receiver: any ResponseReceiver, _ cache: ResponseCache) {
        self.request = request
        self.receiver = receiver
        self.cache = cache
    }

    func receiveHead(_ head: HTTPResponse.Head) {
        for url in CachePolicy.invalidated(by: head, to: request) { cache.remove(url) }
        receiver.receiveHead(head)
    }

    func receiveBody(_ bytes: RawSpan) -> Bool {
        receiver.receiveBody(bytes)
    }

    func finish(_ result: Result<ExchangeMetrics, TransportError>) {
        receiver.finish(result)
    }
}
