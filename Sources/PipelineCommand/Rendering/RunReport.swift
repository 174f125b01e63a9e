import PipelineCore
import Synchronization

/// What a run shows on the console, from its first line to its last.
final class RunReport: Sendable {
    private let title: Line
    private let table: StepTable
    private let safe: SafeText
    private let source: SourceText
    private let console: Console
    private let width: Int?
    private let verbosity: Int
    /// The first request whose response set cookies.
    private let cookieSource = Mutex<RequestRecord?>(nil)

    /// - Parameter verbosity: 1 to show the heads of messages, 2 for their bodies too.
    init(
        name: String, inputs: PipelineInputs, isStub: Bool, verbosity: Int = 0, console: Console
    ) {
        self.verbosity = verbosity
        let pipeline = inputs.pipeline
        title =
            Line(pipeline.name, .bold) + Line(" · \(name)")
            + Line(isStub ? " · answered from its examples" : "", .dim)
        safe = SafeText(inputs.redactor)
        source = pipeline.source
        table = StepTable((pipeline.requests + pipeline.finally).map { StepLine($0) }, safe: safe)
        self.console = console
        width = StandardStream.output.isTerminal ? StandardStream.output.width : nil
    }

    /// - Parameter isFirst: Whether no other run was shown before.
    func begin(isFirst: Bool) {
        console.print(isFirst ? [title] : [Line(), title])
    }

    /// A request is in flight: what progress shows of it.
    func running(_ request: RequestResult) -> ProgressState.Step {
        let step = StepLine(request.definition)
        return ProgressState.Step(
            position: request.position, name: safe(step.name), tableStart: table.start(of: step),
            startedAt: .now
        ) { [record = request.record] in record?.progress }
    }

    /// No request of the pipeline is started, for this reason.
    func leave(_ pipeline: Pipeline, because reason: String) {
        console.print(
            (pipeline.requests + pipeline.finally).map { definition in
                var step = StepLine(definition)
                step.ending = .cancelled(reason, nil)
                return table.line(step, width: width)
            })
    }

    /// A request has ended: keeps in mind what its response, which is not kept, means for later ones.
    func note(_ request: RequestResult) {
        guard let record = request.record, request.response?.head.hasField("Set-Cookie") ?? false
        else { return }
        cookieSource.withLock { $0 = $0 ?? record }
    }

    /// A request has ended, or will not be started.
    func show(_ request: RequestResult) {
        let warnings = request.warnings.map { warning in
            Line("      ") + Line("warning: ", .accent) + Line(safe(warning, width: 200))
        }
        let messages =
            verbosity > 0
            ? MessageLines(showsBodies: verbosity > 1, redact: safe.redact).lines(of: request)
            : []
        console.print([table.line(StepLine(request), width: width)] + messages + warnings)
    }

    /// The failures and the summary; the failures alone when quiet.
    func end(_ result: RunResult, isQuiet: Bool) {
        var lines: [Line] = []
        var hasCookies = false
        let cookieSource = cookieSource.withLock(\.self)
        for request in result.requests {
            let block = FailureBlock(request, in: source, safe: safe, hasCookies: hasCookies)
            if let block { lines += block.lines + (isQuiet ? [] : [Line()]) }
            if let record = request.record, record === cookieSource { hasCookies = true }
        }
        if !isQuiet { lines = [Line()] + lines + [Summary(result).line] }
        if !lines.isEmpty { console.print(lines) }
    }
}
