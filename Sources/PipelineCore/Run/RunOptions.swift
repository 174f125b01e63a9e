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
    /// Whether the first failure cancels everything left; `true` by default.
    public var stopsOnFailure = true
    /// Changes how connections are made, after the file had its say; `nil` for nothing to change.
    ///
    /// ```swift
    /// options.adjustConnection = { $0.tls.authorities = "staging-ca.pem" }
    /// ```
    public var adjustConnection: (@Sendable (inout ConnectionOptions) -> Void)?
    /// Whether the request and the response of a success are kept for the result; `true` by default.
    ///
    /// Without them, memory hardly grows with the length of a run. An observer sees them in any
    /// case, and those of failures are kept in any case.
    public var keepsMessages = true

    /// What the file says.
    public init() {}
}
