import PipelineCore
import PipelineJSON

// A request of the page: a line that unfolds.
extension HTMLWriter {
    mutating func row(_ request: ReportedRequest, in file: ReportedFile) {
        let outcome = request.outcome
        // Where there is nothing to unfold, nothing is promised.
        let hasDetails = !request.attempts.isEmpty || request.error != nil
        let element: StaticString = hasDetails ? "details" : "div"
        let line: StaticString = hasDetails ? "summary" : "div"
        markup("<")
        markup(element)
        markup(" class=\"r ")
        markup(outcome.htmlClass)
        number(file.number, in: "\" id=\"f", "r")
        number(request.position, in: "", outcome == .failed ? "\" open><" : "\"><")
        markup(line)
        markup(" class=\"l\"><i>")
        markup(outcome.htmlMark)
        markup("</i>")
        text(request.name, in: "<bdi class=\"n\">", "</bdi>")
        text(request.method, in: "<span class=\"m\">", "</span>")
        text(request.url, in: "<bdi class=\"u\">", "</bdi>")
        text(status(of: request), in: "<span class=\"s\">", "</span><span class=\"t\">")
        if let duration = request.duration { time(Int(duration.wholeMicroseconds)) }
        markup("</span>")
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
        end(line)
        if hasDetails { details(of: request) }
        end(element)
    }

    private mutating func end(_ element: StaticString) {
        markup("</")
        markup(element)
        markup(">\n")
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
            number(code, in: "<p>libcurl error ", "</p>\n")
        }
        for warning in request.warnings {
            text(warning, in: "<p class=\"warning\">", "</p>\n")
        }
        if !request.isVerified {
            markup("<p class=\"warning\">Certificates were not verified.</p>\n")
        }
        expectations(request.expectations)
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
            beginFold(isOpen: request.outcome == .failed)
            markup("curl command</summary>\n")
            lines([command], class: "curl")
            markup("</details>\n")
        }
        markup("</div>\n")
    }

    private mutating func heading(of attempt: ReportedAttempt) {
        number(attempt.number, in: "<h3>Attempt ", "")
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
        if let comparison = finding.comparison, !Self.isInMessage(comparison) {
            self.comparison(comparison)
        }
        lines(finding.difference, class: "difference")
        markup("</div>\n")
    }

    /// Whether the message has all that there is to see: one short value on each side.
    private static func isInMessage(_ comparison: ReportedComparison) -> Bool {
        guard comparison.actual.count <= 1 else { return false }
        return ([comparison.expected].compactMap(\.self) + comparison.actual).allSatisfy { value in
            value.kind != .object && value.kind != .array && value.sourceRange.count <= 60
        }
    }

    /// Both sides, beside each other where there is room.
    private mutating func comparison(_ comparison: ReportedComparison) {
        var expected = comparison.expected.map(Self.shown)
        var actual = comparison.actual.map(Self.shown)
        if let text = expected, actual.count == 1 {
            (expected, actual[0]) = HTMLDifference.marked(text, actual[0])
        }
        markup("<div class=\"sides\"><div><p>Expected</p>\n")
        if let expected {
            preformatted(expected, class: "side")
        } else {
            text(comparison.requirement, in: "<p>", "</p>\n")
        }
        markup("</div><div><p>Actual</p>\n")
        if actual.isEmpty { markup("<p>nothing was found</p>\n") }
        for value in actual { preformatted(value, class: "side") }
        markup("</div></div>\n")
    }

    private static func shown(_ value: JSONValue) -> [UInt8] {
        let text = value.serialized()
        return JSONIndentation.of(text) ?? text
    }

    /// Each with a mark, so that colours are not needed.
    private mutating func expectations(_ expectations: [ReportedExpectation]) {
        guard !expectations.isEmpty else { return }
        markup("<ul class=\"expectations\">")
        for expectation in expectations {
            markup(expectation.isMet ? "<li class=\"ok\">✓ " : "<li class=\"no\">✗ ")
            text(expectation.subject, in: "<bdi>", "</bdi></li>")
        }
        markup("</ul>\n")
    }

    /// Begins a part that unfolds, and its title; the end of both is up to the caller.
    mutating func beginFold(isOpen: Bool = false) {
        markup(isOpen ? "<details open><summary>" : "<details><summary>")
    }
}
