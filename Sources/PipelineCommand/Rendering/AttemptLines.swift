import PipelineCore

/// What was tried before a request failed: each attempt, and the redirects of the last one.
///
/// ```
///   attempts  1  status 503 Service Unavailable, 12 ms
///             2  connection refused at 127.0.0.1:8080, 1 ms, after waiting 500 ms
/// ```
struct AttemptLines {
    private let request: RequestResult
    private let safe: SafeText

    /// Of many attempts, the latest are shown.
    private static let limit = 10
    private static let width = 160

    init(_ request: RequestResult, safe: SafeText) {
        self.request = request
        self.safe = safe
    }

    /// Nothing for a request that was sent once.
    var lines: [Line] { attempts + redirects }

    private var attempts: [Line] {
        let count = request.attemptCount
        guard count > 1 else { return [] }
        let all = request.attempts
        let shown = all.suffix(Self.limit)
        return shown.indices.map { index in
            let number = count - all.count + 1 + index
            let label = index == shown.startIndex ? "attempts" : ""
            return Line("  \(label.padded(toWidth: 10))", .dim)
                + Line("\(number)  \(safe(described(all[index]), width: Self.width))")
        }
    }

    private func described(_ attempt: RequestAttempt) -> String {
        let what = attempt.error?.message ?? "as expected"
        let wait =
            attempt.wait > .zero ? ", after waiting \(DurationText.shown(attempt.wait))" : ""
        return "\(what), \(DurationText.shown(attempt.duration))\(wait)"
    }

    private var redirects: [Line] {
        let exchanges = request.attempts.last?.exchanges ?? []
        return zip(exchanges, exchanges.dropFirst()).enumerated().map { index, pair in
            let label = index == 0 ? "redirects" : ""
            let status = pair.0.head.map { "\($0.status)" } ?? "–"
            return Line("  \(label.padded(toWidth: 10))", .dim)
                + Line(
                    safe(
                        "\(status) to \(pair.1.request.method) \(pair.1.request.url)",
                        width: Self.width))
        }
    }
}
