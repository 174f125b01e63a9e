import PipelineCore
import PipelineJSON
import Synchronization

/// Tells what happens while it happens: one JSON object a line, written at once.
///
/// Every object has `version`, `event` and `time`. With several files at once their lines alternate;
/// `file` and `number` tell them apart.
final class EventStream: Sendable {
    private let target: ReportTarget
    private let state: Mutex<State>

    private struct State {
        var output: Output
        var timeText = TimeText()
        /// Kept from line to line for its room.
        var line: [UInt8] = []
    }

    /// What readers can rely on: within a version, members are only ever added.
    static let version = 1

    init(_ target: ReportTarget) throws(UsageError) {
        self.target = target
        state = Mutex(State(output: Output(try target.openDirectly())))
    }

    /// Gives up, once that has come, on a reader who does not read.
    func heed(_ interruption: Interruption) {
        state.withLock { $0.output.interruption = interruption }
    }

    /// A file begins.
    func began(_ file: ReportedFile) {
        write("fileStarted", at: file.startedAt, file) { writer in
            writer.member("title", file.title)
            writer.member("requests", file.itemCount)
        }
    }

    /// A request is in flight.
    func started(
        _ request: RequestResult, in file: ReportedFile, at time: UTCTime,
        _ reporter: RequestReporter
    ) {
        let redact = reporter.redactor.redact
        write("started", at: time, file) { writer in
            writer.member("request", redact(request.name))
            writer.member("position", request.position)
            writer.member("method", request.method)
            writer.member("url", redact(request.url))
        }
    }

    /// A request has ended, or will not be started; also tells of its attempts when it had several.
    func ended(
        _ snapshot: RequestSnapshot, in file: ReportedFile, notStarted reason: String?,
        _ reporter: RequestReporter
    ) {
        let redact = reporter.redactor.redact
        let time = UTCTime.now
        let name = redact(snapshot.definition.name)
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
                writer.member("message", (snapshot.error?.message).map(redact))
            case .cancelled:
                let message = snapshot.cancellation?.description ?? reason
                writer.member("reason", snapshot.cancellation?.reason.rawValue)
                writer.member("culprit", (snapshot.cancellation?.culprit?.name).map(redact))
                writer.member("message", message.map(redact))
            case .succeeded, .skipped: break
            }
        }
    }

    /// A file has ended, was not started or is not valid.
    func ended(_ summary: ReportedSummary) {
        write("fileFinished", at: .now, summary.file) { writer in
            writer.members(of: summary)
        }
    }

    /// The command is done; returns why something could not be written.
    func finish(_ run: ReportedRun) -> String? {
        write("finished", at: .now, nil) { writer in
            writer.member("exitCode", Int(run.exitCode.status))
            writer.member("milliseconds", run.duration)
            writer.counts { run.count($0) }
        }
        guard case .failed(let reason) = state.withLock({ $0.output.state }) else { return nil }
        return "the events could not be written to \(target.path): \(reason)"
    }

    private func write(
        _ event: String, at time: UTCTime, _ file: ReportedFile?,
        _ members: (inout JSONWriter) -> Void
    ) {
        state.withLock { state in
            let room = state.line
            state.line = []
            var writer = JSONWriter(following: consume room)
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
            state.line = writer.finished()
            state.line.append(UInt8(ascii: "\n"))
            state.output.write(state.line)
            state.line.removeAll(keepingCapacity: true)
        }
    }
}
