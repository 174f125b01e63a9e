import PipelineCore

/// Runs pipelines, one after the other.
struct RunCommand: LastingCommand {
    private let settings: Settings
    private let console: Console
    private let values: GivenValues

    init(_ settings: Settings, _ console: Console) throws(UsageError) {
        self.settings = settings
        self.console = console
        values = try GivenValues(settings)
    }

    func perform(until interruption: Interruption) -> ExitCode {
        console.heed(interruption)
        console.mask(with: values.redactor)
        let files = PipelineFile.load(settings.operands, fileRoot: settings.fileRoot)
        let due = files.map { PreparedFile(file: $0, values: values) }
        for failure in due.compactMap(\.failure) { console.report(failure.lines) }
        if let stray = undeclaredName(files) {
            console.report(error: stray)
            return .usage
        }
        let reports: Reports?
        do throws(UsageError) {
            reports = try makeReports(due)
        } catch {
            console.report(error: error.message)
            return .usage
        }
        reports?.heed(interruption)
        reports?.begin(on: console)
        if settings.connection.isInsecure {
            console.report([.warning("certificates are not verified (--insecure)")])
        }
        let codes = run(due, reporting: reports, until: interruption)
        if due.count > 1, !settings.isQuiet { console.print([Line(), total(codes)]) }
        let code = codes.compactMap(\.self).reduce(console.exitCode) { $0.or($1) }
        return finish(reports, code, until: interruption)
    }

    private func makeReports(_ files: [PreparedFile]) throws(UsageError) -> Reports? {
        let pipelines = files.map { file in
            let requests = file.inputs.map { $0.pipeline.requests + $0.pipeline.finally }
            return (name: file.name, itemCount: requests?.count ?? 1)
        }
        return try Reports(
            settings, pipelines: pipelines, inputs: files.map(\.name) + settings.variableFiles,
            redactor: values.redactor)
    }

    /// Writes the reports; the code is that of everything.
    private func finish(
        _ reports: Reports?, _ code: ExitCode, until interruption: Interruption
    ) -> ExitCode {
        func overall() -> ExitCode {
            interruption.signal.map { code.or(.interrupted(by: $0)) } ?? code
        }
        guard let reports else { return overall() }
        let failures = reports.finish(overall(), on: console, until: interruption)
        for failure in failures { console.report(error: failure) }
        return failures.isEmpty ? overall() : overall().or(.output)
    }

    /// The code of each file; `nil` for one that was not started.
    private func run(
        _ files: [PreparedFile], reporting reports: Reports?, until interruption: Interruption
    ) -> [ExitCode?] {
        var codes: [ExitCode?] = []
        var hasRun = false
        for (number, file) in files.enumerated() {
            guard let inputs = file.inputs else {
                if let failure = file.failure { reports?.refuse(number, failure) }
                codes.append(.usage)
                continue
            }
            let hasFailed = codes.contains { $0 != .success }
            if interruption.signal != nil || settings.stopsAfterFailedFile && hasFailed {
                let isInterrupted = interruption.signal != nil
                reports?.leave(
                    number, inputs,
                    because: isInterrupted
                        ? "not started: interrupted" : "not started after a failed file")
                codes.append(nil)
                continue
            }
            let run = FileRun(
                name: file.name, inputs: inputs, settings: settings, console: console,
                isFirst: !hasRun, number: number, reports: reports)
            hasRun = true
            codes.append(run.perform(until: interruption))
        }
        return codes
    }

    /// A name that only a broken file declares cannot be told from a misspelt one.
    private func undeclaredName(_ files: [PipelineFile]) -> String? {
        let pipelines = files.compactMap { try? $0.content.get() }
        return pipelines.count == files.count ? values.undeclaredName(in: pipelines) : nil
    }

    private func total(_ codes: [ExitCode?]) -> Line {
        let counts = Counts([
            ("succeeded", codes.count { $0 == .success }),
            ("failed", codes.count { $0 != nil && $0 != .success && $0 != .usage }),
            ("invalid", codes.count { $0 == .usage }),
            ("not started", codes.count { $0 == nil }),
        ])
        return Line("\(codes.count) files: \(counts.text)", .bold)
    }
}

/// A file that is ready to be run, or why it is not.
private struct PreparedFile {
    let name: String
    private let content: Result<PipelineInputs, PipelineError>

    init(file: PipelineFile, values: GivenValues) {
        name = file.name
        content = Result { () throws(PipelineError) in
            let inputs = try values.bind(try file.content.get())
            guard inputs.pipeline.hasEnabledRequest else {
                throw PipelineError(
                    Diagnostic(
                        "there is nothing to run: no request is enabled", file: file.name))
            }
            return inputs
        }
    }

    var inputs: PipelineInputs? { try? content.get() }

    var failure: PipelineError? {
        if case .failure(let error) = content { error } else { nil }
    }
}

extension Pipeline {
    fileprivate var hasEnabledRequest: Bool { (requests + finally).contains(where: \.isEnabled) }
}
