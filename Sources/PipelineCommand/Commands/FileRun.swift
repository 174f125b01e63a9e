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
    /// Its place among the files of the command, from 0.
    let number: Int
    /// What reports it; `nil` when nothing does.
    let reports: Reports?
    /// What shows how far it is; `nil` when nothing does.
    let progress: LiveProgress?

    func perform(until interruption: Interruption) -> ExitCode {
        console.mask(with: inputs.redactor)
        let server: StubServer?
        do {
            server =
                inputs.needsStub ? try inputs.startStub(answering: inputs.examples()) : nil
        } catch {
            reports?.begin(number, inputs, isStub: true).fail(inputs.pipeline, error)
            console.report(error.lines)
            return .usage
        }
        defer { server?.stop() }
        let fileReport = reports?.begin(number, inputs, isStub: server != nil)
        let report = RunReport(
            name: name, inputs: inputs, isStub: server != nil, verbosity: settings.verbosity,
            console: console)
        if !settings.isQuiet { report.begin(isFirst: isFirst) }
        warnOfUnverified()
        let transport = CurlTransport(transportOptions)
        let end = Latch<RunResult>()
        let run: PipelineRun
        do {
            run = try inputs.prepare(
                transport: transport, options: options(stub: server),
                observer: observer(report, fileReport, end: end))
        } catch {
            transport.shutDown()
            fileReport?.fail(inputs.pipeline, error)
            console.report(error.lines)
            return .usage
        }
        interruption.perform(for: number) { run.cancel(.interrupted) }
        run.start()
        let result = end.wait()
        // Nothing is left to cancel, but what is left of the command is still brought to its end.
        interruption.perform(for: number) {}
        transport.shutDown()
        report.end(result, isQuiet: settings.isQuiet)
        let code = ExitCode(result)
        fileReport?.end(.ran(interruption: result.interruption), code)
        // Reports have it beside the code.
        guard result.interruption == .interrupted, let signal = interruption.signal else {
            return code
        }
        return .interrupted(by: signal)
    }

    /// Shows and reports that the file is not started, for this reason.
    func leave(because reason: String) {
        console.mask(with: inputs.redactor)
        reports?.leave(number, inputs, because: reason)
        guard !settings.isQuiet else { return }
        let report = RunReport(
            name: name, inputs: inputs, isStub: inputs.needsStub, console: console)
        report.begin(isFirst: isFirst)
        report.leave(inputs.pipeline, because: reason)
    }

    /// Says whose certificates are not verified because the file says so.
    private func warnOfUnverified() {
        guard !settings.connection.isInsecure else { return }
        let pipeline = inputs.pipeline
        let selected = (try? pipeline.positions(of: settings.selection)) ?? []
        let names = (pipeline.requests + pipeline.finally).enumerated()
            .filter { selected.contains($0.offset) && !$0.element.isVerified }.map(\.element.name)
        guard !names.isEmpty else { return }
        let whom = names.count > 3 ? "\(names.count) requests" : names.joined(separator: ", ")
        console.report([
            .warning("certificates are not verified for \(whom) (\"verify\" in \(name))")
        ])
    }

    /// Without a field `User-Agent` the program's own is sent, unless that is to be left out.
    private var transportOptions: CurlTransport.Options {
        var options = CurlTransport.Options()
        options.userAgent = settings.fieldOverrides.mentions("User-Agent") ? "" : "pipeline-run"
        return options
    }

    private func options(stub: StubServer?) -> RunOptions {
        var options = RunOptions(settings)
        options.baseURL = stub?.baseURL
        options.ownsBaseURL = stub != nil
        return options
    }

    /// Shows each step, unless nothing is to be shown, and tells of the end.
    private func observer(
        _ report: RunReport, _ fileReport: FileReport?, end: Latch<RunResult>
    ) -> @Sendable (RunEvent) -> Void {
        let isQuiet = settings.isQuiet
        return { [number, progress] event in
            fileReport?.note(event)
            switch event {
            case .started(let request):
                progress?.note { $0.start(report.running(request), in: number) }
            case .succeeded(let request), .failed(let request), .cancelled(let request),
                .skipped(let request):
                progress?.note { $0.end(request.position, in: number) }
                report.note(request)
                if !isQuiet { report.show(request) }
            case .finished(let result): end.open(result)
            }
        }
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
