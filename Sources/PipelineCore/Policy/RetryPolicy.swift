/// When a request is tried again, and how long to wait before (RFC 9110,
/// sections 9.2.2 and 10.2.3).
///
/// Off by default. A failure is transient when the same request may well succeed a little later: the
/// network failed, the time ran out, or the server said so. A certificate that is not trusted, an
/// answer that is not HTTP and a 404 are the same the next time.
///
/// ```swift
/// let policy = RetryPolicy(limit: 3, interval: .milliseconds(500))   // waits 0.5 s, 1 s, 2 s
/// ```
public struct RetryPolicy: Sendable, Hashable {
    /// How many extra tries there may be; 0 by default, which is none.
    public var limit: Int
    /// The wait before the first extra try; 1 s by default.
    public var interval: Duration
    /// What each wait is multiplied by to give the next one; 2 by default, a negative one is as 1.
    public var backoff: Double
    /// The longest wait, 30 s by default; jitter and `Retry-After` may lengthen it.
    public var intervalLimit: Duration
    /// The fraction, 0 to 1, that a wait is lengthened by at most, and never shortened; 0 by default.
    ///
    /// It keeps many clients that failed together from coming back together.
    public var jitter: Double
    /// What is tried again.
    public var conditions: Conditions
    /// Whether a request is repeated although its method does not promise that twice is as once
    /// (RFC 9110, section 9.2.2); `false` by default.
    ///
    /// What failed before anything was sent may always be repeated.
    public var retriesNonIdempotent: Bool

    /// A policy of so many extra tries.
    public init(
        limit: Int = 0, interval: Duration = .seconds(1), backoff: Double = 2,
        intervalLimit: Duration = .seconds(30), jitter: Double = 0,
        conditions: Conditions = Conditions(), retriesNonIdempotent: Bool = false
    ) {
        self.limit = limit
        self.interval = interval
        self.backoff = backoff
        self.intervalLimit = intervalLimit
        self.jitter = jitter
        self.conditions = conditions
        self.retriesNonIdempotent = retriesNonIdempotent
    }

    /// What is tried again.
    public struct Conditions: Sendable, Hashable {
        /// Whether failures of the network are: no address, no connection, a connection lost, a
        /// body cut short.
        public var network: Bool
        /// Whether timeouts are.
        public var timeout: Bool
        /// The statuses that are; by default those by which a server says that it is busy, down or
        /// being restarted: 408, 429, 500, 502, 503 and 504.
        ///
        /// Not 501 by default: a method that is not implemented will not be in a second.
        public var statuses: [ClosedRange<Int>]

        /// Both kinds of failure and the usual statuses, unless said otherwise.
        public init(
            network: Bool = true, timeout: Bool = true,
            statuses: [ClosedRange<Int>] = [408...408, 429...429, 500...500, 502...504]
        ) {
            self.network = network
            self.timeout = timeout
            self.statuses = statuses
        }
    }
}
