/// Why a request was cancelled, and which request caused it.
public struct Cancellation: Sendable {
    /// What brought it about.
    public let reason: Reason
    /// The request whose failure cancelled this one; `nil` unless the reason is ``Reason/failure``
    /// or ``Reason/missingCapture``.
    public let culprit: RequestRecord?

    init(_ reason: Reason, culprit: RequestRecord? = nil) {
        self.reason = reason
        self.culprit = culprit
    }

    /// What can cancel a request; reports keep these names.
    public enum Reason: String, Sendable, Hashable, CaseIterable {
        /// An earlier request failed.
        case failure
        /// Somebody cancelled the request, its queue or its run.
        case requested
        /// The queue was reset.
        case reset
        /// The deadline of the run came.
        case deadline
        /// The process was asked to end, by SIGINT or SIGTERM.
        case interrupted
        /// It needs a value that the culprit would have captured.
        case missingCapture
    }
}

extension Cancellation: CustomStringConvertible {
    /// What reports say: `cancelled by profile`, `cancelled at the deadline` and so on.
    public var description: String {
        switch reason {
        case .failure, .missingCapture: "cancelled by \(culprit?.name ?? "an earlier request")"
        case .requested: "cancelled"
        case .reset: "cancelled by a reset"
        case .deadline: "cancelled at the deadline"
        case .interrupted: "interrupted"
        }
    }
}
