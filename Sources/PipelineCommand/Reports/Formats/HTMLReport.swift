import PipelineCore

/// A page for people: every request with all that is known of it, and when its parts happened.
///
/// One file that loads nothing and runs nothing; its policy (Content Security Policy, level 3) allows
/// this one style and forbids all else, so that text that became markup in spite of ``HTMLText``
/// could do nothing. Bars are drawn by attributes of SVG, which need no inline style.
struct HTMLReport: ReportFormat {
    func section(of file: ReportedFile) -> any ReportSection { HTMLSection(file: file) }

    func beginning(of run: ReportedRun) -> [UInt8] {
        let style = HTMLStyle(run)
        var writer = HTMLWriter()
        writer.markup("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n")
        writer.text(
            "default-src 'none'; style-src 'sha256-\(style.sum)'; base-uri 'none'; "
                + "form-action 'none'",
            in: "<meta http-equiv=\"Content-Security-Policy\" content=\"", "\">\n")
        writer.markup(
            """
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="color-scheme" content="light dark">
            <meta name="referrer" content="no-referrer">

            """)
        let verdict = Self.verdict(run)
        let others = run.files.count > 1 ? " and \(run.files.count - 1) more" : ""
        writer.text(
            "\(verdict) · \(run.files.first?.file.title ?? "pipeline-run")\(others)",
            in: "<title>", "</title>\n")
        writer.markup("<style>")
        writer.markup(style)
        writer.markup("</style>\n</head>\n<body>\n")
        writeHeader(run, verdict, to: &writer)
        return writer.finished()
    }

    func end(of run: ReportedRun) -> [UInt8] {
        var writer = HTMLWriter()
        writer.text(
            "pipeline-run \(Version.text) · secrets are masked · times in UTC",
            in: "<footer>", "</footer>\n</body>\n</html>\n")
        return writer.finished()
    }

    private func writeHeader(
        _ run: ReportedRun, _ verdict: String, to writer: inout HTMLWriter
    ) {
        let isGood = run.exitCode == .success && run.signal == nil
        writer.markup(isGood ? "<header class=\"good\">\n" : "<header class=\"bad\">\n")
        writer.text(verdict, in: "<h1>", "</h1>\n<p>")
        writer.text(
            "\(run.startedAt.description.prefix(19).replacing("T", with: " ")) UTC · "
                + "\(HTMLTime.shown(run.duration)) · exit code \(run.exitCode.status)")
        writer.markup("</p>\n<ul class=\"counts\">\n")
        for outcome in RequestResult.Outcome.allCases where run.count(outcome) > 0 {
            writer.markup("<li class=\"")
            writer.markup(outcome.htmlClass)
            writer.number(run.count(outcome), in: "\"><b>", "</b> ")
            writer.markup(outcome.htmlName)
            writer.markup("</li>\n")
        }
        writer.markup("</ul>\n")
        if run.isInsecure {
            writer.markup("<p class=\"warning\">Certificates were not verified.</p>\n")
        }
        if run.files.count > 1 { writeFiles(run, to: &writer) }
        writer.markup("<p class=\"legend\">")
        for phase in HTMLPhase.allCases {
            writer.markup("<span><svg width=\"10\" height=\"10\"><rect class=\"")
            writer.markup(phase.htmlClass)
            writer.markup("\" width=\"10\" height=\"10\"/></svg> ")
            writer.markup(phase.title)
            writer.markup("</span>")
        }
        writer.markup("</p>\n</header>\n")
    }

    private func writeFiles(_ run: ReportedRun, to writer: inout HTMLWriter) {
        writer.markup("<ol class=\"files\">\n")
        for summary in run.files {
            writer.markup(summary.isBad ? "<li class=\"bad\">" : "<li class=\"good\">")
            writer.number(summary.file.number, in: "<a href=\"#f", "\">")
            writer.text(summary.file.title, in: "<bdi>", "</bdi></a> ")
            writer.text(summary.result, in: "<span>", "</span></li>\n")
        }
        writer.markup("</ol>\n")
    }

    private static func verdict(_ run: ReportedRun) -> String {
        let total = run.files.reduce(0) { $0 + $1.file.itemCount }
        let invalid = run.files.count { $0.isInvalid }
        let failed = run.count(.failed)
        if run.signal != nil { return "Interrupted" }
        if failed > 0 { return "\(failed) of \(total) failed" }
        if invalid > 0 {
            return invalid == 1 ? "A file is not valid" : "\(invalid) files are not valid"
        }
        if total == 0 { return "Nothing was run" }
        return run.exitCode == .success ? "Passed" : "Not passed"
    }
}

extension ReportedSummary {
    var isInvalid: Bool {
        if case .invalid = ending { true } else { false }
    }

    /// Whether not all of it went well.
    var isBad: Bool {
        if case .ran(nil) = ending { count(.failed) > 0 || exitCode != .success } else { true }
    }

    /// How it went, in a few words.
    var result: String {
        switch ending {
        case .invalid(let findings):
            return findings.count == 1 ? "1 problem" : "\(findings.count) problems"
        case .notStarted(let reason): return reason
        case .ran(let interruption):
            let counts = RequestResult.Outcome.allCases.filter { count($0) > 0 }.map {
                "\(count($0)) \($0.rawValue)"
            }
            let ending = interruption.map { " · \($0.described)" } ?? ""
            return counts.joined(separator: ", ") + " · \(HTMLTime.shown(duration))" + ending
        }
    }
}

extension Cancellation.Reason {
    fileprivate var described: String { "ended early: \(rawValue)" }
}

extension RequestResult.Outcome {
    var htmlClass: StaticString {
        switch self {
        case .succeeded: "ok"
        case .failed: "no"
        case .cancelled: "ca"
        case .skipped: "sk"
        }
    }

    fileprivate var htmlName: StaticString {
        switch self {
        case .succeeded: "succeeded"
        case .failed: "failed"
        case .cancelled: "cancelled"
        case .skipped: "skipped"
        }
    }

    var htmlMark: StaticString {
        switch self {
        case .succeeded: "✓"
        case .failed: "✗"
        case .cancelled, .skipped: "–"
        }
    }
}
