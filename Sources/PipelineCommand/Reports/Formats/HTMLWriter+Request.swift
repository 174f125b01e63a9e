import PipelineCore

// A request of the page: a line that unfolds.
extension HTMLWriter {
    mutating func row(_ request: ReportedRequest, in file: ReportedFile) {
        let outcome = request.outcome
        // Where there is nothing to unfold, nothing is promised.
        let hasDetails = !request.attempts.isEmpty || request.error != nil
        let element: StaticString = hasDetails ? "details" : "div"
        let line: StaticString = hasDetails ? "summary" : "div"
        markup(
            """
            <\(element) class="r \(outcome.htmlClass)" id="f\(file.number)r\(request.position)"\
            \(outcome == .failed ? " open" : "")><\(line) class="l"><i>\(outcome.htmlMark)</i>
            """)
        text(request.name, in: "<bdi class=\"n\">", "</bdi>")
        text(request.method, in: "<span class=\"m\">", "</span>")
        text(request.url, in: "<bdi class=\"u\">", "</bdi>")
        text(status(of: request), in: "<span class=\"s\">", "</span>")
        text(
            request.duration.map(HTMLTime.shown) ?? "", in: "<span class=\"t\">", "</span>")
        if let offset = request.offset, !request.attempts.isEmpty {
            // As wide as the run of the file, which is not known yet: the style scales it.
            markup(
                """
                <svg class="w" viewBox="0 0 1000 10" preserveAspectRatio="none" aria-hidden="true">\
                <g>
                """)
            for attempt in request.attempts {
                for exchange in attempt.exchanges {
                    bars(exchange, in: attempt, from: offset + exchange.offset)
                }
            }
            markup("</g></svg>")
        }
        markup("</\(line)>\n")
        if hasDetails { details(of: request) }
        markup("</\(element)>\n")
    }

    private func status(of request: ReportedRequest) -> String {
        if let cancellation = request.cancellation { return cancellation.message }
        if request.outcome == .skipped { return "left out" }
        if let response = request.response { return String(response.status) }
        return request.error?.transportCode?.rawValue ?? request.error?.code.rawValue ?? ""
    }

    private mutating func details(of request: ReportedRequest) {
        markup("<div class=\"d\">\n")
        for finding in request.error?.findings ?? [] { self.finding(finding) }
        if let code = request.error?.libraryCode {
            markup("<p>libcurl error \(code)</p>\n")
        }
        for warning in request.warnings {
            text(warning, in: "<p class=\"warning\">", "</p>\n")
        }
        if !request.isVerified {
            markup("<p class=\"warning\">Certificates were not verified.</p>\n")
        }
        captures(request.captures)
        let length = request.attempts.map { $0.offset + $0.duration }.max() ?? .zero
        for attempt in request.attempts {
            if request.attemptCount > 1 { heading(of: attempt) }
            for exchange in attempt.exchanges {
                self.exchange(
                    exchange, in: attempt, length: max(length, request.duration ?? .zero),
                    isOpen: request.outcome == .failed && attempt.number == request.attemptCount)
            }
        }
        if let command = request.curlCommand {
            fold("curl command", isOpen: request.outcome == .failed)
            lines([command], class: "curl")
            markup("</details>\n")
        }
        markup("</div>\n")
    }

    private mutating func heading(of attempt: ReportedAttempt) {
        markup("<h3>Attempt \(attempt.number)")
        if attempt.wait > .zero {
            text(", after \(HTMLTime.shown(attempt.wait))", in: "<span>", "</span>")
        }
        if let error = attempt.error { text(error, in: ": <bdi>", "</bdi>") }
        markup("</h3>\n")
    }

    private mutating func captures(_ captures: [ReportedCapture]) {
        guard !captures.isEmpty else { return }
        markup("<dl class=\"captures\">\n")
        for capture in captures {
            text(capture.name, in: "<dt>", "</dt>")
            text(String(capture.value.plainText.prefix(2_000)), in: "<dd>", "</dd>\n")
        }
        markup("</dl>\n")
    }

    /// One thing that is wrong.
    mutating func finding(_ finding: ReportedFinding) {
        markup("<div class=\"finding\">\n")
        text(finding.message, in: "<p><bdi>", "</bdi></p>\n")
        let path = finding.path.isEmpty ? "" : " · \(finding.path)"
        text(finding.location + path, in: "<p class=\"place\">", "</p>\n")
        lines(finding.excerpt, class: "source")
        lines(finding.difference, class: "difference")
        markup("</div>\n")
    }

    /// Begins a part that unfolds; the end is up to the caller.
    mutating func fold(_ title: String, isOpen: Bool = false) {
        markup("<details\(isOpen ? " open" : "")>")
        text(title, in: "<summary>", "</summary>\n")
    }
}
