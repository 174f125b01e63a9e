import PipelineCore

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// What GitHub shows on the page of a run: a table of the files, and one of what failed.
enum StepSummary {
    /// So many files have a row: GitHub takes no more than 1 MiB from a step.
    private static let fileLimit = 500

    /// - Parameter count: How many failures there are, those that were not kept included.
    static func text(of run: ReportedRun, _ annotations: [Annotation], of count: Int) -> String {
        let sign = run.exitCode == .success ? "✅" : "❌"
        var text = """
            ### \(sign) pipeline-run: \(counts(of: run)) · \(DurationText.shown(run.duration))

            | | File | Succeeded | Failed | Cancelled | Skipped | Time |
            |---|---|---:|---:|---:|---:|---:|

            """
        text += run.files.prefix(fileLimit).map(row).joined()
        let hiddenFiles = run.files.count - fileLimit
        if hiddenFiles > 0 { text += "\nand \(hiddenFiles) more files\n" }
        guard !annotations.isEmpty else { return text + "\n" }
        text += "\n| Failure | Place | Message |\n|---|---|---|\n"
        let shown = annotations.prefix(Annotations.limit)
        text += shown.map(row).joined()
        if count > shown.count { text += "\nand \(count - shown.count) more failures\n" }
        return text + "\n"
    }

    private static func counts(of run: ReportedRun) -> String {
        let outcomes = RequestResult.Outcome.allCases
        let counts = Counts(outcomes.map { ($0.rawValue, run.count($0)) }).text
        return counts.isEmpty ? "nothing was run" : counts
    }

    private static func row(_ summary: ReportedSummary) -> String {
        let numbers = [RequestResult.Outcome.succeeded, .failed, .cancelled, .skipped]
            .map { "\(summary.count($0))" }
        let (title, name) = (summary.file.title, summary.file.name)
        let shown = MarkdownText.cell(title == name ? name : "\(title) · \(name)")
        let cells = [sign(summary), shown] + numbers + [DurationText.shown(summary.duration)]
        return "| \(cells.joined(separator: " | ")) |\n"
    }

    private static func sign(_ summary: ReportedSummary) -> String {
        switch summary.ending {
        case .invalid: "❌ not valid"
        case .notStarted: "not started"
        case .ran: summary.exitCode == .success ? "✅" : "❌"
        }
    }

    private static func row(_ annotation: Annotation) -> String {
        let message = annotation.lines.map { MarkdownText.cell($0) }.joined(separator: "<br>")
        let cells = [
            MarkdownText.cell(annotation.title), MarkdownText.cell(annotation.location), message,
        ]
        return "| \(cells.joined(separator: " | ")) |\n"
    }

    /// Adds the text to the file that all commands of a step share.
    ///
    /// - Returns: Why it could not be written; `nil` when it was.
    static func append(
        _ text: String, to path: String, until interruption: Interruption
    ) -> String? {
        let descriptor = open(
            path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, 0o644)
        guard descriptor >= 0 else { return String(cString: strerror(errno)) }
        defer { close(descriptor) }
        var output = Output(descriptor)
        output.interruption = interruption
        output.write(Array(text.utf8))
        guard case .failed(let reason) = output.state else { return nil }
        return reason
    }
}
