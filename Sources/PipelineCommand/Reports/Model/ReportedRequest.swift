import PipelineCore
import PipelineJSON

/// What reports tell about one request of a run; no text in it holds a secret.
struct ReportedRequest: Sendable {
    /// Its place in the file, from 0.
    let position: Int
    let name: String
    let method: String
    /// The address as the file writes it, with its placeholders.
    let url: String
    /// Whether it belongs to `finally`.
    let isFinally: Bool
    let outcome: RequestResult.Outcome
    /// Why it was cancelled; `nil` when it was not.
    let cancellation: ReportedCancellation?
    /// Why it failed; `nil` when it did not.
    let error: ReportedError?
    /// When it was started; `nil` when it never was.
    let startedAt: UTCTime?
    /// From the start of the file to its own; `nil` when it was never started.
    let offset: Duration?
    /// From its start to its end, waits included; `nil` when it was never started.
    let duration: Duration?
    /// How often it was tried; more than there are ``attempts`` when not all were kept.
    let attemptCount: Int
    /// What was tried, the last one last.
    let attempts: [ReportedAttempt]
    /// What came back to be judged, with its body; `nil` when nothing did, or when it holds a secret
    /// that cannot be masked.
    let response: ReportedResponse?
    let captures: [ReportedCapture]
    let warnings: [String]
    /// Whether the certificate of its server was verified, or would have been.
    let isVerified: Bool
    /// The curl command that sends the same, made when it is read; `nil` when nothing could be sent.
    var curlCommand: String? { makeCurlCommand() }

    let makeCurlCommand: @Sendable () -> String?
}

/// Why a request was cancelled.
struct ReportedCancellation: Sendable {
    /// What brought it about; `nil` for a file that was not started.
    let reason: Cancellation.Reason?
    /// The request whose failure it was; `nil` for none.
    let culprit: String?
    /// For people: `cancelled by profile`.
    let message: String
}

/// Why a request failed.
struct ReportedError: Sendable {
    let code: RequestError.Code
    let transportCode: TransportError.Code?
    /// The number that libcurl gave it; `nil` for none.
    let libraryCode: Int?
    let message: String
    /// Everything that was wrong, one at least.
    let findings: [ReportedFinding]

    /// Whether a check or a capture did not hold, as opposed to a request that was not completed.
    var isUnmet: Bool { code == .expectation || code == .capture }
}

/// One thing that is wrong, with its place in the file.
struct ReportedFinding: Sendable {
    let message: String
    /// `home-screen.json:31:29`, or the file alone.
    let location: String
    /// From 1 on; `nil` where there is no place.
    let line: Int?
    let column: Int?
    /// The keys that lead there: `requests[2].expect.status`; empty for none.
    let path: String
    /// The line of the file and a caret; empty for none.
    let excerpt: [String]
    /// What is missing, extra or changed, a line each.
    let difference: [String]
}

/// A value that was taken along.
struct ReportedCapture: Sendable {
    let name: String
    /// `***` for a secret.
    let value: JSONValue
    let isSecret: Bool
}
