public import PipelineJSON

/// How a run went: every request of the pipeline is in it, whatever happened.
public struct RunResult: Sendable {
    /// What the pipeline is called.
    public let name: String
    /// The requests in the order of the file, those of `finally` last.
    public let requests: [RequestResult]
    /// From the start of the run to its end.
    public let duration: Duration
    /// Why the run was ended from outside; `nil` when it ran to its end or to its first failure.
    public let interruption: Cancellation.Reason?
    let source: SourceText
    let variables: VariableTable
    let values: VariableValues

    /// Whether every request that takes part succeeded.
    public var isSuccess: Bool {
        interruption == nil
            && requests.allSatisfy { $0.outcome == .succeeded || $0.outcome == .skipped }
    }

    /// How many requests ended that way.
    public func count(_ outcome: RequestResult.Outcome) -> Int {
        requests.count { $0.outcome == outcome }
    }

    /// The request of that name.
    public subscript(name: String) -> RequestResult? {
        requests.first { $0.name == name }
    }

    /// The value that a variable had in the end, captured values included; `nil` for none.
    public func value(_ name: String) -> JSONValue? {
        variables.slot(of: name).flatMap { values[$0] }
    }

    /// The place of a finding in the file, with its line and a caret.
    public func diagnostic(_ finding: Finding) -> Diagnostic {
        guard let place = finding.place else { return Diagnostic(finding.message, file: name) }
        return source.diagnostic(finding.message, at: place)
    }
}

/// How one request of a run went.
public struct RequestResult: Sendable {
    package let definition: RequestDefinition
    /// Its record; `nil` when it was left out.
    public let record: RequestRecord?
    /// Whether it belongs to `finally`.
    public let isFinally: Bool
    private let place: Int32
    let values: VariableValues

    /// Its place in the order of the file, from 0.
    package var position: Int { Int(place) }

    init(
        definition: RequestDefinition, record: RequestRecord?, isFinally: Bool, position: Int,
        values: VariableValues
    ) {
        self.definition = definition
        self.record = record
        self.isFinally = isFinally
        self.values = values
        place = Int32(position)
    }

    /// What became of a request; each has exactly one.
    public enum Outcome: String, Sendable, Hashable, CaseIterable {
        /// It was answered as expected.
        case succeeded
        /// It failed.
        case failed
        /// It was cancelled, before its turn or in flight.
        case cancelled
        /// It does not take part.
        case skipped
    }

    /// What reports call it.
    public var name: String { definition.name }

    /// The method.
    public var method: String { definition.method }

    /// The address as the file writes it.
    public var url: String { definition.address.text }

    /// What became of it.
    public var outcome: Outcome {
        guard let record else { return .skipped }
        // One that the deadline cut off in flight is a failure of its own, not a consequence.
        if let cancellation = record.cancellation {
            return record.state == .failed && cancellation.reason == .deadline
                ? .failed : .cancelled
        }
        return record.state == .success ? .succeeded : .failed
    }

    /// Why it was cancelled; `nil` when it was not.
    public var cancellation: Cancellation? { record?.cancellation }

    /// Why it failed; `nil` when it did not.
    public var error: RequestError? { record?.error }

    /// What came back, whole; `nil` when nothing did.
    public var response: HTTPResponse? { record?.response }

    /// How often it was tried; 0 when nothing was sent.
    public var attemptCount: Int { record?.attemptCount ?? 0 }

    /// What was tried, the last attempt last; of more than a hundred, the first and the latest.
    public var attempts: [RequestAttempt] { record?.attempts ?? [] }

    /// What was odd about the response without being wrong, a sentence each.
    public var warnings: [String] { record?.warnings ?? [] }

    /// From its start to its end, waits included; `nil` when it was never started.
    public var duration: Duration? { record?.duration }
}
