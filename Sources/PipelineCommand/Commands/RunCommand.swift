import PipelineCore
import PipelineJSON

/// Runs pipelines, one after the other or several side by side, and reports what became of them.
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
        if let configured = settings.configured, settings.verbosity > 0 || settings.isDryRun {
            console.report([Line("options from \(configured.path)", .dim)])
        }
        do throws(UsageError) {
            let files = try chosenFiles()
            let due = prepare(files)
            reportFailures(of: due)
            if settings.isDryRun { return show(due) }
            // A file may run several times.
            let noun = due.count == files.count ? "files" : "runs"
            return try run(due, noun, until: interruption)
        } catch {
            console.report(error: error.message)
            return .usage
        }
    }

    /// The files of the command line, or those of them that are this machine's part.
    private func chosenFiles() throws(UsageError) -> [PipelineFile] {
        let shard = if let given = settings.shard { given } else { try Shard.given() }
        let all = PipelineFile.load(settings.operands, fileRoot: settings.fileRoot)
        // Of all files: a name may be for those of another part.
        if let stray = undeclaredName(all) { throw UsageError(stray) }
        guard let shard else {
            if let gap = Shard.gap() { console.report([.warning(gap)]) }
            return all
        }
        guard shard.count > 1 else { return all }
        let files = shard.part(of: all)
        if !settings.isQuiet {
            let text = "part \(shard.index) of \(shard.count): \(files.count) of \(all.count) files"
            console.print([Line(text, .dim)])
        }
        return files
    }

    /// Every run of every file.
    private func prepare(_ files: [PipelineFile]) -> [PreparedFile] {
        let turns = turns
        return files.flatMap { file in
            // What is wrong with a file is wrong each time.
            guard case .success = file.content else {
                return [PreparedFile(file, values, settings.selection)]
            }
            return turns.map { PreparedFile(file, values, settings.selection, $0.name, $0.row) }
        }
    }

    /// A run of a file: what tells it from the others, and the values that it alone has.
    private typealias Turn = (name: [String], row: [String: JSONValue])

    /// The runs of each file.
    private var turns: [Turn] {
        (1...settings.repeatCount).flatMap { number -> [Turn] in
            let name = settings.repeatCount > 1 ? ["run \(number)"] : []
            guard let rows = values.data?.rows else { return [(name: name, row: [:])] }
            return rows.enumerated().map { (name: name + ["row \($0 + 1)"], row: $1) }
        }
    }

    /// Says once what is wrong with a file, also with one that is given several times.
    private func reportFailures(of files: [PreparedFile]) {
        var told: Set<PipelineError> = []
        for failure in files.compactMap(\.failure) where told.insert(failure).inserted {
            console.report(failure.lines)
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

    /// Runs what can be run, and writes the reports.
    private func run(
        _ files: [PreparedFile], _ noun: String, until interruption: Interruption
    ) throws(UsageError) -> ExitCode {
        let reports = try makeReports(files)
        reports?.heed(interruption)
        reports?.begin(on: console)
        if settings.connection.isInsecure {
            console.report([.warning("certificates are not verified (--insecure)")])
        }
        let codes = codes(of: files, reporting: reports, until: interruption)
        if files.count > 1, !settings.isQuiet {
            console.print([Line(), total(codes, noun)])
        }
        let code = codes.compactMap(\.self).reduce(console.exitCode) { $0.or($1) }
        return finish(reports, code, until: interruption)
    }

    private func makeReports(_ files: [PreparedFile]) throws(UsageError) -> Reports? {
        let pipelines = files.map { file in
            let requests = file.inputs.map { $0.pipeline.requests + $0.pipeline.finally }
            return (name: file.name, itemCount: requests?.count ?? 1)
        }
        return try Reports(
            settings, pipelines: pipelines,
            input: files.lazy.compactMap(\.input).first, redactor: values.redactor)
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

    /// Runs the files; the code of each, `nil` for one that was not started.
    private func codes(
        of files: [PreparedFile], reporting reports: Reports?, until interruption: Interruption
    ) -> [ExitCode?] {
        let progress =
            showsProgress ? LiveProgress(on: console, fileCount: files.count) : nil
        let first = files.firstIndex { $0.inputs != nil }
        let queue = FileQueue(count: files.count, console: console) {
            [settings] number, console, failed in
            let file = files[number]
            guard let inputs = file.inputs else {
                if let failure = file.failure { reports?.refuse(number, failure) }
                progress?.note { $0.end(number, hasFailed: true) }
                return .usage
            }
            let run = FileRun(
                name: file.name, inputs: inputs, settings: settings, console: console,
                isFirst: number == first, number: number, reports: reports, progress: progress)
            let culprit = settings.stopsAfterFailedFile ? failed.map { files[$0].name } : nil
            let obstacle =
                interruption.signal != nil ? "interrupted" : culprit.map { "\($0) failed" }
            if let obstacle {
                run.leave(because: "not started: \(obstacle)")
                return nil
            }
            progress?.note {
                $0.begin(number, name: SafeText(inputs.redactor)(file.name), at: .now)
            }
            let code = run.perform(until: interruption)
            progress?.note { $0.end(number, hasFailed: code != .success) }
            return code
        }
        guard let progress else { return queue.run(width: settings.fileLimit) }
        interruption.performLast { [console] in console.eraseForGood() }
        return progress.show { queue.run(width: settings.fileLimit) }
    }

    private var showsProgress: Bool {
        // What a report or events write to the terminal would be drawn over.
        let isShared = settings.usesStandardOutput && StandardStream.output.isTerminal
        return !settings.isQuiet && !isShared && settings.progress.allowsProgress(on: .error)
    }

    /// A name that only a broken file declares cannot be told from a misspelt one.
    private func undeclaredName(_ files: [PipelineFile]) -> String? {
        let pipelines = files.compactMap { try? $0.content.get() }
        return pipelines.count == files.count ? values.undeclaredName(in: pipelines) : nil
    }

    private func total(_ codes: [ExitCode?], _ noun: String) -> Line {
        let counts = Counts([
            ("succeeded", codes.count { $0 == .success }),
            ("failed", codes.count { [.failure, .incomplete, .output].contains($0) }),
            ("invalid", codes.count { $0 == .usage }),
            ("interrupted", codes.count { $0?.isInterrupted ?? false }),
            ("not started", codes.count { $0 == nil }),
        ])
        return Line("\(codes.count) \(noun): \(counts.text)", .bold)
    }
}
