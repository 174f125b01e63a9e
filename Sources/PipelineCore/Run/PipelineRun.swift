import Synchronization

/// A pipeline that is running, or has run.
///
/// Its requests are sent one after the other; the first failure cancels those that are left. Those
/// of `finally` follow in any case. Everything here may be called from any thread, and the run goes
/// on when nobody holds this value any more.
public final class PipelineRun: Sendable {
    /// The requests in the order of the file, those of `finally` last.
    package let requests: [RequestResult]

    private let inputs: PipelineInputs
    private let context: RunContext
    private let transport: any Transport
    private let observer: (@Sendable (RunEvent) -> Void)?
    private let clock: any Clock<Duration>
    private let startedAt = ContinuousClock.now
    private let ended = WaitList()
    private let state = Mutex(State())
    let log = RunLog()

    private struct State {
        var phase = Phase.requests
        var queue: RequestQueue?
        var timer: Task<Void, Never>?
        /// Why the run was ended from outside, if it was.
        var interruption: Cancellation.Reason?
        /// Whether somebody has asked for the end, which a second time ends `finally` too.
        var wasCancelled = false
        var result: RunResult?
    }

    private enum Phase { case requests, finally, over }

    /// Prepares a run; ``start()`` begins it.
    ///
    /// - Parameter observer: Told of each event as it happens, on the thread that brought it.
    init(
        _ inputs: PipelineInputs, transport: any Transport, options: RunOptions,
        clock: any Clock<Duration>, observer: (@Sendable (RunEvent) -> Void)?
    ) throws(PipelineError) {
        let selected = try inputs.pipeline.positions(of: options.selection)
        let context = RunContext(inputs, options)
        let main = inputs.pipeline.requests.count
        requests = (inputs.pipeline.requests + inputs.pipeline.finally).enumerated().map {
            position, definition in
            let step = PipelineStep(definition, context)
            return RequestResult(
                definition: definition,
                record: selected.contains(position)
                    ? RequestRecord(name: definition.name, work: step, position: position) : nil,
                isFinally: position >= main, position: position, values: context.values)
        }
        self.inputs = inputs
        self.context = context
        self.transport = transport
        self.observer = observer
        self.clock = clock
    }

    /// The records of the requests that take part, in order, those of `finally` last.
    public var records: [RequestRecord] { requests.compactMap(\.record) }

    /// A text without the secrets of the run.
    package func redacted(_ text: String) -> String { context.redactor.redact(text) }

    /// How the run went, once it is over.
    ///
    /// Cancelling the task that waits neither ends the wait nor the run.
    public var result: RunResult {
        get async {
            await ended.waitInAnyCase()
            guard let result = state.withLock({ $0.result }) else {
                preconditionFailure("the result is kept before the end is announced")
            }
            return result
        }
    }

    /// Cancels what is in flight and what is left; the requests of `finally` still run.
    ///
    /// Only a second call cancels those too. Returns at once; the run ends soon after.
    public func cancel() {
        cancel(.requested)
    }

    /// Cancels as ``cancel()`` does, for that reason.
    package func cancel(_ reason: Cancellation.Reason) {
        state.withLock { state -> RequestQueue? in
            let isRepeated = state.wasCancelled
            state.wasCancelled = true
            state.interruption = state.interruption ?? reason
            switch state.phase {
            case .requests: return state.queue
            case .finally: return isRepeated ? state.queue : nil
            case .over: return nil
            }
        }?.cancel(reason)
    }
}

// The course of a run.
extension PipelineRun {
    /// Begins the run; to be called once.
    package func start() {
        begin(.requests, limit: context.options.deadline ?? inputs.pipeline.deadline)
    }

    /// Sends the requests of one phase through a queue of their own.
    private func begin(_ phase: Phase, limit: Duration?) {
        // Cleaning up goes on after a failure: each request gets its chance.
        let stopsOnFailure = phase == .requests && context.options.stopsOnFailure
        // Cleaning up goes on in order, too.
        let concurrency = phase == .requests ? inputs.pipeline.concurrency : 1
        let time = Timekeeper(clock, limit: limit)
        let queue = RequestQueue(
            transport: transport, time: time, concurrency: concurrency,
            stopsOnFailure: stopsOnFailure
        ) { [self] in handle($0) }
        let due = requests.filter { $0.isFinally == (phase == .finally) && $0.record != nil }
        let records = due.compactMap(\.record)
        let uses = concurrency == 1 ? [] : due.map { CapturedValueUse($0.definition) }
        queue.suspend()
        queue.enqueue(
            records,
            prerequisites: CapturedValueUse.order(uses).mapValues { $0.map { records[$0] } })
        // Known to others only now: what cancels the queue must find its requests.
        let interruption = state.withLock { state in
            state.phase = phase
            state.queue = queue
            return phase == .requests ? state.interruption : nil
        }
        // Before anything can end the phase, which takes the timer away with it.
        startTimer(of: phase, time)
        if let interruption { queue.cancel(interruption) }
        if phase == .finally { cancelDependents(in: queue, of: requests.filter { !$0.isFinally }) }
        queue.resume()
        if records.isEmpty { end(phase) }
    }

    private func startTimer(of phase: Phase, _ time: Timekeeper) {
        guard let limit = time.limit else { return }
        let timer = Task { [self] in
            // Waits for the deadline; cancelled when the phase has ended before.
            guard await time.sleep(for: limit) else { return }
            reachDeadline(of: phase)
        }
        state.withLock { $0.timer = timer }
    }

    private func reachDeadline(of phase: Phase) {
        state.withLock { state -> RequestQueue? in
            guard state.phase == phase else { return nil }
            if phase == .requests { state.interruption = state.interruption ?? .deadline }
            return state.queue
        }?.cancel(.deadline)
    }

    private func handle(_ event: RequestQueue.Event) {
        switch event {
        case .started(let record): report(.started, record.position)
        case .succeeded(let record):
            report(.succeeded, record.position)
            if !context.options.keepsMessages { record.releaseMessages() }
        case .failed(let record):
            report(.failed, record.position)
            leave(record)
        case .cancelled(let record):
            report(.cancelled, record.position)
            leave(record)
        case .idle: end(state.withLock { $0.phase })
        }
    }

    /// Cancels the requests that wait for what this one would have captured.
    private func leave(_ record: RequestRecord) {
        guard let queue = state.withLock({ $0.queue }) else { return }
        cancelDependents(in: queue, of: [requests[record.position]])
    }

    private func cancelDependents(in queue: RequestQueue, of sources: [RequestResult]) {
        for source in sources {
            guard let culprit = source.record, culprit.hasEnded, culprit.state != .success
            else { continue }
            let missing = source.definition.captures.map(\.slot).filter {
                context.values[$0] == nil
            }
            guard !missing.isEmpty else { continue }
            for other in requests {
                guard let record = other.record, !record.hasEnded,
                    other.definition.neededSlots.contains(where: missing.contains)
                else { continue }
                queue.cancel(record, missingCaptureOf: culprit)
            }
        }
    }

    private func end(_ phase: Phase) {
        state.withLock { state in
            defer {
                state.timer = nil
                state.queue = nil
            }
            return state.timer
        }?.cancel()
        if phase == .requests, requests.contains(where: \.isFinally) {
            begin(.finally, limit: inputs.pipeline.finallyDeadline)
        } else {
            finish()
        }
    }

    private func finish() {
        reportSkipped(before: requests.count)
        // A cancellation that came when everything was done has changed nothing.
        let wasCut = requests.contains { $0.cancellation != nil }
        let result = RunResult(
            name: inputs.pipeline.name, requests: requests,
            duration: ContinuousClock.now - startedAt,
            interruption: wasCut ? state.withLock { $0.interruption } : nil,
            source: inputs.pipeline.source,
            variables: inputs.pipeline.variables, values: context.values)
        state.withLock { state in
            state.phase = .over
            state.result = result
        }
        report(.finished, requests.count)
        ended.finish()
    }
}

// Telling what happens.
extension PipelineRun {
    private func report(_ kind: RunLog.Moment.Kind, _ position: Int) {
        if kind == .started || kind == .cancelled { reportSkipped(before: position) }
        let moment = RunLog.Moment(kind: kind, position: Int32(position))
        log.append(moment)
        if let observer, let event = event(moment) { observer(event) }
    }

    /// Reports the requests that take no part when their turn would have come.
    private func reportSkipped(before position: Int) {
        let first = requests[..<position].lastIndex { $0.record != nil }.map { $0 + 1 } ?? 0
        for skipped in first..<position { report(.skipped, skipped) }
    }

    func event(_ moment: RunLog.Moment) -> RunEvent? {
        let position = Int(moment.position)
        switch moment.kind {
        case .started: return .started(requests[position])
        case .succeeded: return .succeeded(requests[position])
        case .failed: return .failed(requests[position])
        case .cancelled: return .cancelled(requests[position])
        case .skipped: return .skipped(requests[position])
        case .finished: return state.withLock { $0.result }.map { .finished($0) }
        }
    }
}
