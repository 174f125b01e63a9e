import PipelineCore
import PipelineJSON

/// What reports tell about one request of a run; no text in it holds a secret.
///
/// What not every report wants is worked out when it is first read. Used by one thread at a time.
final class ReportedRequest {
    private let snapshot: RequestSnapshot
    private let reporter: RequestReporter
    private let mask: Mask
    /// Why it was not started, when that is not the doing of its own run.
    private let reason: String?

    init(_ snapshot: RequestSnapshot, _ reporter: RequestReporter, notStarted reason: String?) {
        self.snapshot = snapshot
        self.reporter = reporter
        self.reason = reason
        mask = Mask(reporter.redactor)
    }

    /// Its place in the file, from 0.
    var position: Int { snapshot.position }
    private(set) lazy var name = mask(snapshot.definition.name)
    var method: String { snapshot.definition.method }
    /// The address as the file writes it, with its placeholders.
    private(set) lazy var url = mask(snapshot.definition.address.text)
    /// Whether it belongs to `finally`.
    var isFinally: Bool { snapshot.isFinally }
    var outcome: RequestResult.Outcome { snapshot.outcome }
    /// Why it was cancelled; `nil` when it was not.
    private(set) lazy var cancellation = reporter.cancellation(snapshot, reason, mask)
    /// Why it failed; `nil` when it did not.
    private(set) lazy var error = reporter.error(snapshot, mask)
    /// When it was started; `nil` when it never was.
    var startedAt: UTCTime? { snapshot.startedAt }
    /// From the start of the file to its own; `nil` when it was never started.
    var offset: Duration? { snapshot.offset }
    /// From its start to its end, waits included; `nil` when it was never started.
    var duration: Duration? { snapshot.duration }
    /// How often it was tried; more than there are ``attempts`` when not all were kept.
    var attemptCount: Int { snapshot.attemptCount }
    /// What was tried, the last one last.
    private(set) lazy var attempts = reporter.attempts(snapshot, response: response, mask)
    /// What came back to be judged, with its body; `nil` when nothing did, or when it holds a secret
    /// that cannot be masked.
    private(set) lazy var response = reporter.response(snapshot, mask)
    /// What became of each expectation; none when nothing could be judged.
    private(set) lazy var expectations = reporter.expectations(snapshot, mask)
    private(set) lazy var captures = snapshot.captures.map { reporter.capture($0, mask) }
    private(set) lazy var warnings = snapshot.warnings.map { mask($0) }
    /// Whether the certificate of its server was verified, or would have been.
    var isVerified: Bool { !reporter.isInsecure && snapshot.definition.isVerified }
    /// The curl command that sends the same; `nil` when nothing could be sent.
    private(set) lazy var curlCommand = reporter.curlCommand(snapshot)
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
    /// What was compared with what; `nil` where nothing was.
    let comparison: ReportedComparison?
    /// What is missing, extra or changed, a line each.
    let difference: [String]
}

/// The two sides of a check that does not hold; a value that holds a secret is a text, masked.
struct ReportedComparison: Sendable {
    /// What was looked at: `$.user.id`.
    let subject: String
    /// What it must be: `to be 8 (number)`.
    let requirement: String
    /// The value that it is compared with; `nil` where there is none.
    let expected: JSONValue?
    /// What was found; empty for nothing.
    let actual: [JSONValue]
}

/// What became of an expectation.
struct ReportedExpectation: Sendable {
    /// What it is about: `the status`.
    let subject: String
    let isMet: Bool
}

/// A value that was taken along.
struct ReportedCapture: Sendable {
    let name: String
    /// `***` for a secret.
    let value: JSONValue
    let isSecret: Bool
}
