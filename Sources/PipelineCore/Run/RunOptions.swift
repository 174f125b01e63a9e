/// How a pipeline is run, beside what its file says.
public struct RunOptions: Sendable {
    /// What relative addresses are joined to, instead of the file's `baseURL`; one that cannot be
    /// used is refused before anything is sent.
    public var baseURL: String?
    /// The limit of each attempt, instead of the file's.
    public var timeout: Duration?
    /// The limit for connecting, instead of the file's.
    public var connectTimeout: Duration?
    /// The limit of the whole run, instead of the file's.
    public var deadline: Duration?
    /// How many further attempts each request may have, instead of the file's `retry.max`.
    ///
    /// A request whose file says nothing about retries gets the waits and reasons of
    /// ``RetryPolicy``; with 0 none is sent again.
    public var retryLimit: Int?
    /// Header fields that replace those of the file.
    public var fieldOverrides = FieldOverrides()
    /// Whether the first failure cancels everything left; `true` by default.
    public var stopsOnFailure = true
    /// Which requests take part; all by default.
    ///
    /// A run whose selection cannot work, such as one of a request that needs what a request left
    /// out captures, is refused before anything is sent.
    public var selection = RequestSelection()
    /// Changes how connections are made, after the file had its say; `nil` for nothing to change.
    ///
    /// ```swift
    /// options.adjustConnection = { $0.tls.authorities = "staging-ca.pem" }
    /// ```
    public var adjustConnection: (@Sendable (inout ConnectionOptions) -> Void)?
    /// Whether what has the origin of ``baseURL`` is reached directly, whatever else is said about
    /// connections: it is a server of this process.
    package var ownsBaseURL = false
    /// Whether the request and the response of a success are kept for the result; `true` by default.
    ///
    /// Without them, memory hardly grows with the length of a run. An observer sees them in any
    /// case, and those of failures are kept in any case.
    public var keepsMessages = true

    /// What the file says.
    public init() {}
}
