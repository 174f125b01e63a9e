import PipelineCore

/// How a run ended, on one line: `failed at profile: 2 succeeded, 1 failed, 2 cancelled · 91 ms`.
struct Summary {
    private let ending: String
    private let counts: String
    private let duration: Duration

    init(_ result: RunResult) {
        let outcomes = RequestResult.Outcome.allCases
        counts = Counts(outcomes.map { ($0.rawValue, result.count($0)) }).text
        duration = result.duration
        let failed = result.requests.first { $0.outcome == .failed }
        let stopped = failed ?? result.requests.first { $0.outcome == .cancelled }
        let place = stopped.map { " at \($0.name)" } ?? ""
        switch result.interruption {
        case .interrupted?:
            ending = "interrupted" + place
        case .deadline?:
            ending = "deadline reached" + place
        case .failure?, .requested?, .reset?, .missingCapture?:
            ending = "cancelled" + place
        case nil:
            ending = failed.map { "failed at \($0.name)" } ?? ""
        }
    }

    var line: Line {
        let start = ending.isEmpty ? Line() : Line(ending, .failure) + Line(": ")
        return start + Line(counts, ending.isEmpty ? .success : .plain)
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
