import PipelineCore
import PipelineJSON

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
        let shard: Shard?
        do throws(UsageError) {
            if let given = settings.shard { shard = given } else { shard = try Shard.given() }
        } catch {
            console.report(error: error.message)
            return .usage
        }
        let all = PipelineFile.load(settings.operands, fileRoot: settings.fileRoot)
        // Of all files: a name may be for those of another part.
        if let stray = undeclaredName(all) {
            console.report(error: stray)
            return .usage
        }
        let files = shard?.part(of: all) ?? all
        if let shard, shard.count > 1, !settings.isQuiet {
            console.print([
                Line(
                    "part \(shard.index) of \(shard.count): \(files.count) of \(all.count) files",
                    .dim)
            ])
        }
        let due = prepare(files)
        var told: Set<PipelineError> = []
        for failure in due.compactMap(\.failure) where told.insert(failure).inserted {
            console.report(failure.lines)
        }
        if settings.isDryRun { return show(due) }
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
        if due.count > 1, !settings.isQuiet {
            // A file may run several times.
            let noun = due.count == files.count ? "files" : "runs"
            console.print([Line(), total(codes, noun)])
        }
        let code = codes.compactMap(\.self).reduce(console.exitCode) { $0.or($1) }
        return finish(reports, code, until: interruption)
    }

    /// Every run of every file.
    private func prepare(_ files: [PipelineFile]) -> [PreparedFile] {
        files.flatMap { file -> [PreparedFile] in
            // What is wrong with a file is wrong each time.
            guard case .success = file.content else {
                return [PreparedFile(file, values, settings.selection)]
            }
            return (1...settings.repeatCount).flatMap { number in
                let turn = settings.repeatCount > 1 ? ["run \(number)"] : []
                guard let rows = values.data?.rows else {
                    return [PreparedFile(file, values, settings.selection, turn)]
                }
                return rows.enumerated().map { index, row in
                    PreparedFile(
                        file, values, settings.selection, turn + ["row \(index + 1)"], row)
                }
            }
        }
    }

    /// Shows what would be sent.
    private func show(_ files: [PreparedFile]) -> ExitCode {
        var code = console.exitCode
        for (number, file) in files.enumerated() {
            guard let inputs = file.inputs else {
                code = code.or(.usage)
                continue
            }
            let run = DryRun(
                name: file.name, inputs: inputs, settings: settings, console: console,
                isFirst: number == 0)
            code = code.or(run.perform())
        }
        return code.or(console.exitCode)
    }

    private func makeReports(_ files: [PreparedFile]) throws(UsageError) -> Reports? {
        let pipelines = files.map { file in
            let requests = file.inputs.map { $0.pipeline.requests + $0.pipeline.finally }
            return (name: file.name, itemCount: requests?.count ?? 1)
        }
        return try Reports(
            settings, pipelines: pipelines,
            inputs: files.map(\.path) + settings.variableFiles
                + [settings.dataPath].compactMap(\.self),
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
        let first = files.firstIndex { $0.inputs != nil }
        let queue = FileQueue(count: files.count, console: console) {
            [settings] number, console, hasFailure in
            let file = files[number]
            guard let inputs = file.inputs else {
                if let failure = file.failure { reports?.refuse(number, failure) }
                return .usage
            }
            let isInterrupted = interruption.signal != nil
            if isInterrupted || settings.stopsAfterFailedFile && hasFailure {
                reports?.leave(
                    number, inputs,
                    because: isInterrupted
                        ? "not started: interrupted" : "not started after a failed file")
                return nil
            }
            return FileRun(
                name: file.name, inputs: inputs, settings: settings, console: console,
                isFirst: number == first, number: number, reports: reports
            ).perform(until: interruption)
        }
        return queue.run(width: settings.fileLimit)
    }

    /// A name that only a broken file declares cannot be told from a misspelt one.
    private func undeclaredName(_ files: [PipelineFile]) -> String? {
        let pipelines = files.compactMap { try? $0.content.get() }
        return pipelines.count == files.count ? values.undeclaredName(in: pipelines) : nil
    }

    private func total(_ codes: [ExitCode?], _ noun: String) -> Line {
        let counts = Counts([
            ("succeeded", codes.count { $0 == .success }),
            ("failed", codes.count { $0 != nil && $0 != .success && $0 != .usage }),
            ("invalid", codes.count { $0 == .usage }),
            ("not started", codes.count { $0 == nil }),
        ])
        return Line("\(codes.count) \(noun): \(counts.text)", .bold)
    }
}

/// A file that is ready to be run, or why it is not.
private struct PreparedFile {
    /// What messages and reports call this run of the file.
    let name: String
    /// What the command line calls the file.
    let path: String
    private let content: Result<PipelineInputs, PipelineError>

    /// - Parameters:
    ///   - turn: What tells this run of the file from its others.
    ///   - row: The values that only this run has.
    init(
        _ file: PipelineFile, _ values: GivenValues, _ selection: RequestSelection,
        _ turn: [String] = [], _ row: [String: JSONValue] = [:]
    ) {
        path = file.name
        name = turn.isEmpty ? file.name : "\(file.name) [\(turn.joined(separator: ", "))]"
        content = Result { () throws(PipelineError) in
            let inputs = try values.bind(try file.content.get(), row: row)
            guard !(try inputs.pipeline.positions(of: selection)).isEmpty else {
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
