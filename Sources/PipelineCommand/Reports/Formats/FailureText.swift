import PipelineCore

/// A failed request as plain text, for reports that have one place for all of it.
enum FailureText {
    /// How much of a body is shown.
    private static let excerptLength = 2_000

    /// What was wrong, what was tried, what came back, and how to try it.
    static func lines(of request: ReportedRequest) -> [String] {
        guard let error = request.error else { return [] }
        var lines = error.findings.flatMap(lines)
        if let code = error.libraryCode { lines.append("libcurl error \(code)") }
        if request.attemptCount > 1 {
            for attempt in request.attempts {
                let what = attempt.error ?? "as expected"
                let time = DurationText.shown(attempt.duration)
                lines.append("attempt \(attempt.number): \(what), \(time)")
            }
        }
        if let response = request.response {
            let name = HTTPStatus.described(response.status)
            lines.append("response: \(name)\(excerpt(of: response.message.body))")
        }
        if let command = request.curlCommand { lines.append("try: \(command)") }
        return lines
    }

    /// One thing that was wrong.
    static func lines(of finding: ReportedFinding) -> [String] {
        let place = finding.path.isEmpty ? "" : " · \(finding.path)"
        return [finding.message, "  \(finding.location)\(place)"]
            + finding.excerpt.map { "  \($0)" } + finding.difference.map { "    \($0)" }
    }

    private static func excerpt(of body: ReportedBody?) -> String {
        guard let body, body.size > 0 else { return "" }
        guard let text = body.text else {
            return ", \(ByteSize(body.size).shown) of \(body.mediaType ?? "binary data")"
        }
        let start = text.prefix(excerptLength)
        let isCut = body.isCut || start.endIndex < text.endIndex
        return "\n\(start)\(isCut ? "…" : "")"
    }
}
