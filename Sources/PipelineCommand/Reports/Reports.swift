import PipelineCore
import Synchronization

/// All reports of one command, its stream of events, and what it tells a CI server.
///
/// Each file is told of once, in any order and several at the same time: run
/// (``begin(_:_:isStub:)``), not valid (``refuse(_:_:)``) or not started (``leave(_:_:because:)``).
final class Reports: Sendable {
    private let writers: [ReportWriter]
    private let events: EventStream?
    private let annotations: Annotations?
    private let thread = SerialThread()
    private let names: [String]
    private let itemCounts: [Int]
    private let isInsecure: Bool
    private let redactor: Redactor
    private let startedAt = UTCTime.now
    private let beganAt = ContinuousClock.now
    private let state: Mutex<State>

    private struct State {
        var sections: [[SectionWriter]]
        var summaries: [ReportedSummary?]
    }

    /// Checks that all of it can be written.
    ///
    /// - Parameters:
    ///   - pipelines: What the command line names, with how many items each has in a report: its
    ///     requests, or 1 for a file that is not valid.
    ///   - input: The pipeline that came through standard input; `nil` for none.
    ///   - redactor: Masks the secrets of the command line.
    /// - Throws: What cannot work, and which option asks for it.
    init?(
        _ settings: Settings, pipelines: [(name: String, itemCount: Int)],
        input: [UInt8]?, redactor: Redactor
    ) throws(UsageError) {
        annotations = Annotations(settings, fileCount: pipelines.count)
        guard !settings.reports.isEmpty || settings.eventsPath != nil || annotations != nil else {
            return nil
        }
        var targets: [(option: String, target: ReportTarget)] = []
        // What is read and written besides, which no report may replace.
        lazy var files = NamedFiles(settings, input: input)
        func target(_ path: String, _ option: String) throws(UsageError) -> ReportTarget {
            do throws(UsageError) {
                let target = try ReportTarget(path)
                if let other = targets.first(where: { $0.target.isSame(as: target) }) {
                    throw UsageError("\(path) is where \(other.option) writes")
                }
                if files.read.contains(where: target.isFile) {
                    throw UsageError("\(path) is a file that this run reads")
                }
                if files.written.contains(where: target.isFile) {
                    throw UsageError("\(path) is a file that this run saves a body to")
                }
                targets.append((option, target))
                return target
            } catch {
                throw UsageError("\(option): \(error.message)")
            }
        }
        var writers: [ReportWriter] = []
        for order in settings.reports {
            let target = try target(order.path, order.kind.option)
            writers.append(
                ReportWriter(
                    kind: order.kind, format: order.kind.format, target: target,
                    spool: try target.makeSpool()))
        }
        let eventsTarget = try settings.eventsPath.map { path throws(UsageError) in
            try target(path, "--events")
        }
        let thread = thread
        events = try eventsTarget.map { target throws(UsageError) in
            try EventStream(target, on: thread)
        }
        self.writers = writers
        names = pipelines.map(\.name)
        itemCounts = pipelines.map(\.itemCount)
        isInsecure = settings.connection.isInsecure
        self.redactor = redactor
        state = Mutex(
            State(
                sections: Array(repeating: [], count: pipelines.count),
                summaries: Array(repeating: nil, count: pipelines.count)))
    }

    /// Gives up, once that has come, on a reader who does not read.
    func heed(_ interruption: Interruption) {
        events?.heed(interruption)
    }

    /// Nothing was printed to the console so far.
    func begin(on console: Console) {
        annotations?.begin(on: console)
    }

    /// A file is about to be run.
    func begin(_ number: Int, _ inputs: PipelineInputs, isStub: Bool) -> FileReport {
        begin(
            number, title: inputs.pipeline.name, source: inputs.pipeline.source,
            redactor: inputs.redactor, isStub: isStub)
    }

    /// A file is not started, for this reason.
    func leave(_ number: Int, _ inputs: PipelineInputs, because reason: String) {
        begin(number, inputs, isStub: false)
            .leave(inputs.pipeline, because: inputs.redactor.redact(reason))
    }

    /// A file is not valid.
    func refuse(_ number: Int, _ error: PipelineError) {
        let file = file(
            number, title: names[number], isStub: false, redact: redactor.redact)
        let hidden = error.count - error.diagnostics.count
        var findings = error.diagnostics.map {
            RequestReporter.finding($0, redact: redactor.redact)
        }
        if hidden > 0 {
            let rest = Diagnostic("and \(hidden) more", file: names[number])
            findings.append(RequestReporter.finding(rest, redact: redactor.redact))
        }
        let summary = ReportedSummary(
            file: file, ending: .invalid(findings), duration: .zero, counts: [:], unmetCount: 0,
            exitCode: .usage)
        annotations?.note(findings, title: file.title, in: file)
        let sections = sections(of: file)
        events?.began(file)
        events?.ended(summary)
        state.withLock { $0.summaries[number] = summary }
        thread.perform { for section in sections { section.end(summary) } }
    }

    /// Writes all reports; nothing follows on the console but what could not be written.
    ///
    /// - Returns: What could not be written, a sentence each.
    func finish(
        _ code: ExitCode, on console: Console, until interruption: Interruption
    ) -> [String] {
        thread.finish()
        let (sections, summaries) = state.withLock { ($0.sections, $0.summaries) }
        let run = ReportedRun(
            startedAt: startedAt, duration: ContinuousClock.now - beganAt,
            files: summaries.compactMap(\.self), exitCode: code, signal: interruption.signal,
            isInsecure: isInsecure)
        var failures: [String] = []
        for (index, writer) in writers.enumerated() {
            let parts = sections.filter { !$0.isEmpty }.map { $0[index] }
            if let failure = writer.write(parts, of: run, until: interruption) {
                failures.append(failure)
            }
        }
        // Written last: it can tell what became of the others.
        if let failure = events?.finish(failures.isEmpty ? run : run.failingToWrite) {
            failures.append(failure)
        }
        if let failure = annotations?.finish(run, on: console, until: interruption) {
            failures.append(failure)
        }
        return failures
    }

    private func begin(
        _ number: Int, title: String, source: SourceText, redactor: Redactor, isStub: Bool
    ) -> FileReport {
        let file = file(number, title: title, isStub: isStub, redact: redactor.redact)
        return FileReport(
            file, source: source, redactor: redactor, events: events,
            annotations: annotations, thread: thread,
            sections: sections(of: file)
        ) { [self] summary in state.withLock { $0.summaries[number] = summary } }
    }

    private func file(
        _ number: Int, title: String, isStub: Bool, redact: (String) -> String
    ) -> ReportedFile {
        ReportedFile(
            number: number, name: redact(names[number]), title: redact(title),
            precedingCount: itemCounts[..<number].reduce(0, +), itemCount: itemCounts[number],
            isStub: isStub, isInsecure: isInsecure, startedAt: .now,
            offset: ContinuousClock.now - beganAt)
    }

    private func sections(of file: ReportedFile) -> [SectionWriter] {
        let sections = writers.map { $0.section(of: file) }
        state.withLock { $0.sections[file.number] = sections }
        return sections
    }
}

/// One report: what makes it, and where it goes.
private struct ReportWriter: Sendable {
    let kind: ReportKind
    let format: any ReportFormat
    let target: ReportTarget
    let spool: ReportSpool

    func section(of file: ReportedFile) -> SectionWriter {
        SectionWriter(
            format.section(of: file), itemSeparator: format.itemSeparator, spool: spool)
    }

    /// Returns why it could not be written; `nil` when it was.
    func write(
        _ sections: [SectionWriter], of run: ReportedRun, until interruption: Interruption
    ) -> String? {
        func failure(_ reason: String) -> String {
            "the \(kind.title) report could not be written to \(target.path): \(reason)"
        }
        if let reason = spool.failure { return failure(reason) }
        let reason = target.write(until: interruption) { output in
            output.write(format.beginning(of: run))
            for (index, section) in sections.filter({ !$0.isEmpty }).enumerated() {
                if index > 0 { output.write(format.sectionSeparator.utf8) }
                section.join(into: &output)
            }
            output.write(format.end(of: run))
            if let reason = spool.failure { output.fail(reason) }
        }
        return reason.map(failure)
    }
}
