import PipelineCore
import PipelineJSON
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Tells what happens while it happens: one JSON object a line, written within milliseconds.
///
/// Every object has `version`, `event` and `time`. With several files at once their lines alternate;
/// `file` and `number` tell them apart.
final class EventStream: Sendable {
    private let target: ReportTarget
    private let descriptor: Int32
    private let thread: SerialThread
    private let state: Mutex<State>
    private let queue = Monitor(Queue())

    private struct State {
        var output: Output
        var timeText = TimeText()
        /// The lines that are not written yet.
        var lines: [UInt8] = []
    }

    /// What happened and is not written yet.
    private struct Queue {
        var pieces: [@Sendable () -> Void] = []
        /// Whether the thread was asked to write them.
        var isDue = false
    }

    /// The thread is woken once for what comes within this time, too short for a person to notice:
    /// waking it for each event would cost more than writing the event.
    private static let collectingTime = Duration.milliseconds(10)
    /// With so many, it has to be asked again, which makes whoever brings more wait for a slow reader.
    private static let portion = 128

    /// What readers can rely on: within a version, members are only ever added.
    static let version = 1

    /// - Parameter thread: Writes the events.
    init(_ target: ReportTarget, on thread: SerialThread) throws(UsageError) {
        self.target = target
        self.thread = thread
        descriptor = try target.openDirectly()
        state = Mutex(State(output: Output(descriptor)))
    }

    /// Gives up, once that has come, on a reader who does not read.
    func heed(_ interruption: Interruption) {
        state.withLock { $0.output.interruption = interruption }
    }

    /// A file begins.
    func began(_ file: ReportedFile) {
        enqueue { [self] in
            write("fileStarted", at: file.startedAt, file) { writer in
                writer.member("title", file.title)
                writer.member("requests", file.itemCount)
            }
        }
    }

    /// A request is in flight.
    func started(
        _ request: RequestResult, in file: ReportedFile, at time: UTCTime,
        _ reporter: RequestReporter
    ) {
        let (definition, position) = (request.definition, request.position)
        enqueue { [self] in
            let mask = Mask(reporter.redactor)
            write("started", at: time, file) { writer in
                writer.member("request", mask(definition.name))
                writer.member("position", position)
                writer.member("method", definition.method)
                writer.member("url", mask(definition.address.text))
            }
        }
    }

    /// A request has ended, or will not be started; also tells of its attempts when it had several.
    func ended(
        _ snapshot: RequestSnapshot, in file: ReportedFile, notStarted reason: String?,
        _ reporter: RequestReporter
    ) {
        let time = UTCTime.now
        enqueue { [self] in write(snapshot, at: time, in: file, notStarted: reason, reporter) }
    }

    private func write(
        _ snapshot: RequestSnapshot, at time: UTCTime, in file: ReportedFile,
        notStarted reason: String?, _ reporter: RequestReporter
    ) {
        let mask = Mask(reporter.redactor)
        let name = mask(snapshot.definition.name)
        if snapshot.attemptCount > 1 {
            let request = ReportedRequest(snapshot, reporter, notStarted: reason)
            for attempt in request.attempts {
                write("attempt", at: time, file) { writer in
                    writer.member("request", name)
                    writer.member("position", snapshot.position)
                    writer.members(of: attempt)
                }
            }
        }
        write(snapshot.outcome.rawValue, at: time, file) { writer in
            writer.member("request", name)
            writer.member("position", snapshot.position)
            writer.member("status", snapshot.response?.status)
            writer.member("milliseconds", snapshot.duration)
            if snapshot.attemptCount > 1 { writer.member("attempts", snapshot.attemptCount) }
            switch snapshot.outcome {
            case .failed:
                writer.member("code", snapshot.error?.code.rawValue)
                writer.member("message", (snapshot.error?.message).map { mask($0) })
            case .cancelled:
                let message = snapshot.cancellation?.description ?? reason
                writer.member("reason", snapshot.cancellation?.reason.rawValue)
                writer.member("culprit", (snapshot.cancellation?.culprit?.name).map { mask($0) })
                writer.member("message", message.map { mask($0) })
            case .succeeded, .skipped: break
            }
        }
    }

    /// A file has ended, was not started or is not valid.
    func ended(_ summary: ReportedSummary) {
        let time = UTCTime.now
        enqueue { [self] in
            write("fileFinished", at: time, summary.file) { $0.members(of: summary) }
        }
    }

    /// The command is done, and so is the thread; returns why something could not be written.
    func finish(_ run: ReportedRun) -> String? {
        write("finished", at: .now, nil) { writer in
            writer.member("exitCode", Int(run.exitCode.status))
            writer.member("milliseconds", run.duration)
            writer.counts { run.count($0) }
        }
        flush()
        var failure: String?
        if case .failed(let reason) = state.withLock({ $0.output.state }) { failure = reason }
        // Some file systems tell only now that there is no room.
        if descriptor > StandardStream.error.rawValue, close(descriptor) != 0 {
            failure = failure ?? String(cString: strerror(errno))
        }
        return failure.map { "the events could not be written to \(target.path): \($0)" }
    }

    private func enqueue(_ piece: @escaping @Sendable () -> Void) {
        let mustAsk = queue.withLock { queue in
            queue.pieces.append(piece)
            defer { queue.isDue = true }
            return !queue.isDue || queue.pieces.count % Self.portion == 0
        }
        guard mustAsk else { return }
        queue.wake()
        thread.perform { [self] in drain() }
    }

    private func drain() {
        // Never for what is enough already, nor for nothing: whoever brings more may be waiting.
        queue.wait(upTo: Self.collectingTime) { !(1..<Self.portion ~= $0.pieces.count) }
        let pieces = queue.withLock { queue in
            defer { queue = Queue() }
            return queue.pieces
        }
        for piece in pieces { piece() }
        flush()
    }

    private func write(
        _ event: String, at time: UTCTime, _ file: ReportedFile?,
        _ members: (inout JSONWriter) -> Void
    ) {
        state.withLock { state in
            let before = state.lines
            state.lines = []
            var writer = JSONWriter(following: consume before)
            writer.beginObject()
            writer.member("version", Self.version)
            writer.member("event", event)
            writer.member("time", state.timeText(time))
            if let file {
                writer.member("file", file.name)
                writer.member("number", file.number)
            }
            members(&writer)
            writer.endObject()
            state.lines = writer.finished()
            state.lines.append(UInt8(ascii: "\n"))
        }
    }

    private func flush() {
        state.withLock { state in
            state.output.write(state.lines)
            state.lines.removeAll(keepingCapacity: true)
        }
    }
}
