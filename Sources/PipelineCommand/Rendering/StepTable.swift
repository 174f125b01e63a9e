import PipelineCore

/// The lines of a pipeline's requests, in columns that are as wide as the longest needs.
///
/// ```
///   ✓ login     POST /login      200    48 ms   token=***
///   ✓ report    GET  /report     200    91 ms   2 attempts   saved to report.pdf (1.4 MB)
/// ```
struct StepTable: Sendable {
    private let safe: SafeText
    private let nameWidth: Int
    private let methodWidth: Int
    private let pathWidth: Int

    private static let widestName = 32
    private static let widestPath = 48
    private static let widestValue = 40

    /// A table for these requests.
    init(_ steps: [StepLine], safe: SafeText) {
        self.safe = safe
        func widest(_ text: (StepLine) -> String) -> Int {
            steps.map { safe(text($0)).displayWidth }.max() ?? 0
        }
        nameWidth = min(Self.widestName, widest(\.name))
        methodWidth = widest(\.method)
        pathWidth = min(Self.widestPath, widest(\.path))
    }

    /// The line of a request that has ended.
    ///
    /// - Parameter width: How many columns there are for the captured values to fit in; `nil` for
    ///   any number.
    func line(_ step: StepLine, width: Int? = nil) -> Line {
        switch step.ending {
        case .succeeded(let status, let duration, let captures):
            let line =
                start("✓", .success, step) + measured(status, duration) + attempts(step)
                + saved(step)
            return captures.isEmpty
                ? line : line + Line("   ") + values(captures, after: line, width)
        case .failed(let status, let duration):
            return start("✗", .failure, step) + measured(status, duration) + attempts(step)
        case .cancelled(let reason, let duration):
            let time = duration.map { " after \(DurationText.shown($0))" } ?? ""
            return start("–", .dim, step) + Line(safe(reason) + time, .dim)
        case .skipped:
            return start("–", .dim, step) + Line("skipped", .dim)
        }
    }

    /// How the line of a request that is in flight begins.
    func start(of step: StepLine) -> String { start("…", .plain, step).text }

    private func start(_ mark: String, _ style: Line.Style, _ step: StepLine) -> Line {
        Line("  ") + Line(mark, style)
            + Line(" " + safe(step.name, width: nameWidth).padded(toWidth: nameWidth + 3))
            + Line(step.method.padded(toWidth: methodWidth + 1), .dim)
            + Line(safe(step.path, width: pathWidth).padded(toWidth: pathWidth + 4))
    }

    private func measured(_ status: Int?, _ duration: Duration?) -> Line {
        let code = status.map(String.init) ?? "–"
        guard let duration else { return Line(code) }
        return Line(code.padded(toWidth: 3))
            + Line("   " + DurationText.shown(duration).indented(toWidth: 6), .dim)
    }

    private func attempts(_ step: StepLine) -> Line {
        step.attemptCount > 1 ? Line("   \(step.attemptCount) attempts", .dim) : Line()
    }

    private func saved(_ step: StepLine) -> Line {
        guard let body = step.savedBody else { return Line() }
        let path = safe(Folder.shortened(body.path))
        return Line("   saved to \(path) (\(ByteSize(body.size).shown))", .accent)
    }

    private func values(
        _ captures: [StepLine.Capture], after line: Line, _ width: Int?
    ) -> Line {
        let text = captures.map { "\(safe($0.name))=\(safe($0.value, width: Self.widestValue))" }
            .joined(separator: " ")
        let room = width.map { max(8, $0 - line.text.displayWidth - 3) }
        return Line(room.map { text.cut(toWidth: $0) } ?? text, .accent)
    }
}
