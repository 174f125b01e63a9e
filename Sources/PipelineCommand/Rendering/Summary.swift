import PipelineCore

/// How a run ended, on one line: `failed at profile: 2 succeeded, 1 failed, 2 cancelled · 91 ms`.
struct Summary {
    /// `nil` for a success.
    private let ending: String?
    private let counts: String
    private let duration: Duration

    init(_ result: RunResult) {
        let outcomes = RequestResult.Outcome.allCases
        counts = Counts(outcomes.map { ($0.rawValue, result.count($0)) }).text
        duration = result.duration
        let failed = result.requests.first { $0.outcome == .failed }
        let stopped = failed ?? result.requests.first { $0.outcome == .cancelled }
        // A signal that comes while `finally` runs interrupts nothing but its requests.
        let cause = result.interruption ?? (failed == nil ? stopped?.cancellation?.reason : nil)
        let what: String? =
            switch cause {
            case .interrupted: "interrupted"
            case .deadline: "deadline reached"
            case .failure, .requested, .reset, .missingCapture: "cancelled"
            case nil: failed == nil ? nil : "failed"
            }
        ending = what.map { what in stopped.map { "\(what) at \($0.name)" } ?? what }
    }

    var line: Line {
        let start = ending.map { Line($0, .failure) + Line(": ") } ?? Line()
        return start + Line(counts, ending == nil ? .success : .plain)
            + Line(" · \(DurationText.shown(duration))", .dim)
    }
}

/// Numbers with their names, those of 0 left out: `2 succeeded, 1 failed`.
struct Counts {
    let text: String

    init(_ counts: [(name: String, count: Int)]) {
        text = counts.filter { $0.count > 0 }.map { "\($0.count) \($0.name)" }
            .joined(separator: ", ")
    }
}
