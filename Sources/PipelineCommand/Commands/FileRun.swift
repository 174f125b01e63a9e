import PipelineCore
import PipelineCurl
import PipelineStub

/// The run of one file: its server of examples, its events on the terminal, its exit code.
struct FileRun {
    let name: String
    let inputs: PipelineInputs
    let settings: Settings
    let console: Console
    let isFirst: Bool

    func perform(until interruption: Interruption) -> ExitCode {
        console.mask(with: inputs.redactor)
        let server: StubServer?
        do {
            server =
                inputs.needsStub ? try inputs.startStub(answering: inputs.examples()) : nil
        } catch {
            console.report(error.lines)
            return .usage
        }
        defer { server?.stop() }
        let report = RunReport(name: name, inputs: inputs, isStub: server != nil, console: console)
        let showsProgress = !settings.isQuiet && settings.progress.allowsProgress(on: .error)
        if !settings.isQuiet { report.begin(isFirst: isFirst) }
        let transport = CurlTransport()
        let end = Latch<RunResult>()
        let run: PipelineRun
        do {
            run = try inputs.prepare(
                transport: transport, options: options(stub: server),
                observer: observer(report, showsProgress: showsProgress, end: end))
        } catch {
            transport.shutDown()
            console.report(error.lines)
            return .usage
        }
        interruption.perform { run.cancel(.interrupted) }
        run.start()
        let ticker = showsProgress ? Task { await redraw() } : nil
        let result = end.wait()
        ticker?.cancel()
        // Nothing is left to cancel, but what is left of the command is still brought to its end.
        interruption.perform {}
        transport.shutDown()
        console.show(nil)
        report.end(result, isQuiet: settings.isQuiet)
        return ExitCode(result)
    }

    private func options(stub: StubServer?) -> RunOptions {
        var options = RunOptions()
        options.baseURL = stub?.baseURL
        options.timeout = settings.timeout
        options.connectTimeout = settings.connectTimeout
        options.deadline = settings.deadline
        options.stopsOnFailure = !settings.keepsGoing
        options.adjustConnection = { [tls = settings.tls] in
            $0.tls = tls
            // A proxy could not reach the server of examples, which is on this machine's loopback.
            if stub != nil { $0.proxy = .none }
        }
        options.keepsMessages = false
        return options
    }

    /// Shows each step, unless nothing is to be shown, and tells of the end.
    private func observer(
        _ report: RunReport, showsProgress: Bool, end: Latch<RunResult>
    ) -> @Sendable (RunEvent) -> Void {
        let isQuiet = settings.isQuiet
        return { event in
            switch event {
            case .started(let request): if showsProgress { report.start(request) }
            case .succeeded(let request), .failed(let request), .cancelled(let request),
                .skipped(let request):
                report.note(request)
                if !isQuiet { report.show(request) }
            case .finished(let result): end.open(result)
            }
        }
    }

    /// Shows the elapsed time anew ten times a second, until its task is cancelled, which is what
    /// the sleep throws for.
    private func redraw() async {
        while (try? await Task.sleep(for: .milliseconds(100))) != nil { console.redraw() }
    }
}

extension ExitCode {
    /// The code of a run, the most serious of its requests' codes.
    init(_ result: RunResult) {
        var code: ExitCode = result.interruption == nil ? .success : .incomplete
        for request in result.requests where request.outcome == .failed {
            switch request.error?.code {
            case .expectation, .capture: code = code.or(.failure)
            case .invalidRequest, .transport, .bodyTooLarge, .redirect, .notSaved, .deadline,
                .cancelled, nil:
                code = code.or(.incomplete)
            }
        }
        self = code
    }
}
