import PipelineCore
import Synchronization

/// Reports the run of one file, to all reports and the stream of events at once.
///
/// Told of what happens on the thread that brought it, it takes what is needed and lets another
/// thread make the reports of it. May be used from any thread.
final class FileReport: Sendable {
    let file: ReportedFile
    private let reporter: RequestReporter
    private let events: EventStream?
    private let annotations: Annotations?
    private let thread: SerialThread
    private let sections: [SectionWriter]
    private let onEnd: @Sendable (ReportedSummary) -> Void
    private let beganAt = ContinuousClock.now
    private let state = Mutex(State())

    private struct State {
        /// When requests that are in flight were started, by their positions.
        var starts: [Int: (time: UTCTime, offset: Duration)] = [:]
        /// What the other thread has not been given yet.
        var batch: [RequestSnapshot] = []
        var batchSize = 0
        var counts: [RequestResult.Outcome: Int] = [:]
        var unmetCount = 0
    }

    /// Snapshots are handed on when there are so many, or when their bodies are so large: waking
    /// another thread costs about as much as making a report of one request.
    private static let batchLimit = 64
    private static let batchSizeLimit = 1 << 20

    init(
        _ file: ReportedFile, source: SourceText, redactor: Redactor, events: EventStream?,
        annotations: Annotations?, thread: SerialThread, sections: [SectionWriter],
        onEnd: @escaping @Sendable (ReportedSummary) -> Void
    ) {
        self.file = file
        reporter = RequestReporter(
            source: source, redactor: redactor, isInsecure: file.isInsecure)
        self.events = events
        self.annotations = annotations
        self.thread = thread
        self.sections = sections
        self.onEnd = onEnd
        events?.began(file)
    }

    /// Takes what is to be told of an event.
    func note(_ event: RunEvent) {
        switch event {
        case .started(let request):
            let time = UTCTime.now
            let offset = ContinuousClock.now - beganAt
            state.withLock { $0.starts[request.position] = (time, offset) }
            events?.started(request, in: file, at: time, reporter)
        case .succeeded(let request), .failed(let request), .cancelled(let request),
            .skipped(let request):
            let start = state.withLock { $0.starts.removeValue(forKey: request.position) }
            add(RequestSnapshot(request, startedAt: start?.time, offset: start?.offset))
        case .finished: break
        }
    }

    /// The file could not be run after all: its first request failed so, and the others were
    /// cancelled by that.
    func fail(_ pipeline: Pipeline, _ error: PipelineError) {
        let requests = pipeline.requests + pipeline.finally
        let first = requests.firstIndex(where: \.isEnabled)
        let message = error.diagnostics.first?.message ?? "it could not be run"
        for (position, definition) in requests.enumerated() {
            let isFirst = position == first
            add(
                RequestSnapshot(
                    definition, position: position,
                    isFinally: position >= pipeline.requests.count,
                    error: isFirst ? RequestError(.invalidRequest, message) : nil),
                notStarted: isFirst ? nil : first.map { "cancelled by \(requests[$0].name)" })
        }
        end(.ran(interruption: nil), .usage)
    }

    /// The file was not started, for this reason: its requests are told as cancelled.
    func leave(_ pipeline: Pipeline, because reason: String) {
        for (position, definition) in (pipeline.requests + pipeline.finally).enumerated() {
            add(
                RequestSnapshot(
                    definition, position: position,
                    isFinally: position >= pipeline.requests.count),
                notStarted: reason)
        }
        end(.notStarted(reason), .success)
    }

    /// The run is over: nothing more comes.
    func end(_ ending: ReportedSummary.Ending, _ code: ExitCode) {
        flush(notStarted: nil)
        let summary = state.withLock { state in
            ReportedSummary(
                file: file, ending: ending, duration: ContinuousClock.now - beganAt,
                counts: state.counts, unmetCount: state.unmetCount, exitCode: code)
        }
        events?.ended(summary)
        onEnd(summary)
        thread.perform { [sections] in
            for section in sections { section.end(summary) }
        }
    }

    private func add(_ snapshot: RequestSnapshot, notStarted reason: String? = nil) {
        if let events {
            events.ended(snapshot, in: file, notStarted: reason, reporter)
        }
        let isFull = state.withLock { state in
            state.counts[snapshot.outcome, default: 0] += 1
            if snapshot.outcome == .failed,
                snapshot.error?.code == .expectation || snapshot.error?.code == .capture
            {
                state.unmetCount += 1
            }
            let isAnnotated = annotations != nil && snapshot.outcome == .failed
            guard !sections.isEmpty || isAnnotated else { return false }
            state.batch.append(snapshot)
            state.batchSize += snapshot.response?.body.count ?? 0
            return state.batch.count >= Self.batchLimit || state.batchSize >= Self.batchSizeLimit
        }
        if isFull || reason != nil { flush(notStarted: reason) }
    }

    private func flush(notStarted reason: String?) {
        let batch = state.withLock { state in
            defer {
                state.batch.removeAll(keepingCapacity: true)
                state.batchSize = 0
            }
            return state.batch
        }
        guard !batch.isEmpty else { return }
        thread.perform { [file, reporter, annotations, sections] in
            for snapshot in batch {
                let request = ReportedRequest(snapshot, reporter, notStarted: reason)
                for section in sections { section.write(request) }
                if request.outcome == .failed { annotations?.note(request, in: file) }
            }
        }
    }
}
