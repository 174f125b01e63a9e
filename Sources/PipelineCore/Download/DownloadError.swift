/// Why nothing was downloaded.
public struct DownloadError: Error, Sendable {
    /// What kind of failure it was, for programs.
    public let code: Code
    /// What happened, for people: one sentence without a full stop.
    public let message: String
    /// The head of the response that failed it; `nil` when none had come.
    public let head: HTTPResponse.Head?
    /// The transport's own account; `nil` unless the code is ``Code/transport``.
    public let transportError: TransportError?

    /// The kinds of failure.
    public enum Code: String, Sendable, Hashable, CaseIterable {
        /// It was cancelled.
        case cancelled
        /// The exchange was not completed; ``DownloadError/transportError`` tells why.
        case transport
        /// The status is not one of 200 to 299, or 206 for a request without a `Range`: a part.
        case status
        /// A redirect could not be followed: there were too many, or its address is not one.
        case redirect
        /// The body is empty, and that was not allowed.
        case empty
        /// The body is larger than the limit for bodies in memory.
        case tooLarge
        /// The file cannot be written.
        case notSaved
    }

    init(
        _ code: Code, _ message: String, head: HTTPResponse.Head? = nil,
        transportError: TransportError? = nil
    ) {
        self.code = code
        self.message = message
        self.head = head
        self.transportError = transportError
    }

    static let cancelled = DownloadError(.cancelled, "the download was cancelled")
}

extension DownloadError: CustomStringConvertible {
    /// The message.
    public var description: String { message }
}
