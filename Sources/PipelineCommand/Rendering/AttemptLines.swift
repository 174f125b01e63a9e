import PipelineCore

/// What was tried before a request failed: each attempt, and the redirects of the last one.
///
/// ```
///   attempts   1  status 503 Service Unavailable, 12 ms
///                 … 8 more
///             10  connection refused at 127.0.0.1:8080, 1 ms, after waiting 500 ms
///   redirects 302 to GET http://127.0.0.1:8080/login
/// ```
struct AttemptLines {
    private let request: RequestResult
    private let safe: SafeText

    /// Of many attempts or redirects, the first and the latest are shown.
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
        let width = "\(count)".count
        let entries = all.indices.map { index in
            // Those that were not kept came after the first.
            let number = index == 0 ? 1 : count - all.count + 1 + index
            return "\(number)".indented(toWidth: width) + "  "
                + safe(described(all[index]), width: Self.width)
        }
        return block("attempts", entries, count: count, indentation: width + 2)
    }

    private func described(_ attempt: RequestAttempt) -> String {
        let what = attempt.error?.message ?? "as expected"
        let wait =
            attempt.wait > .zero ? ", after waiting \(DurationText.shown(attempt.wait))" : ""
        return "\(what), \(DurationText.shown(attempt.duration))\(wait)"
    }

    private var redirects: [Line] {
        let exchanges = request.attempts.last?.exchanges ?? []
        let entries = zip(exchanges, exchanges.dropFirst()).compactMap { answered, next in
            // What is sent again with credentials goes to the same place.
            answered.head.flatMap { head -> String? in
                guard 300..<400 ~= head.status else { return nil }
                let place = "\(head.status) to \(next.request.method) \(next.request.url)"
                return safe(place, width: Self.width)
            }
        }
        return block("redirects", entries, count: entries.count, indentation: 0)
    }

    /// The entries under a label, without those in the middle when there are too many.
    private func block(
        _ label: String, _ entries: [String], count: Int, indentation: Int
    ) -> [Line] {
        var shown = entries
        if entries.count > Self.limit {
            let latest = entries.suffix(Self.limit - 2)
            let hidden = count - 1 - latest.count
            shown = [entries[0], String(repeating: " ", count: indentation) + "… \(hidden) more"]
            shown += latest
        }
        return shown.enumerated().map { index, entry in
            Line("  " + (index == 0 ? label : "").padded(toWidth: 10), .dim) + Line(entry)
        }
    }
}
