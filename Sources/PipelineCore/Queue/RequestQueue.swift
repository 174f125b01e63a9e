import Synchronization

/// Sends requests one after the other, and cancels everything left when one fails.
///
/// Each start suspends the queue, each success resumes it, and the first failure cancels what is
/// left; then the queue can be used again. Every method may be called from any thread, also from
/// inside a completion, and returns without waiting for a request.
///
/// ```swift
/// let queue = RequestQueue(transport: CurlTransport())
/// for page in ["config", "profile", "news"] {
///     queue.enqueue(RequestRecord(request: try .get("https://example.com/\(page)"))) {
///         state, result in  // on the main actor
///         show(page, state, result)
///     }
/// }
/// ```
///
/// An app that wants one queue for all its screens gives it a name of its own, and so decides which
/// transport, and with it which cookies and connections, they share:
///
/// ```swift
/// extension RequestQueue {
///     static let shared = RequestQueue(transport: CurlTransport())
/// }
/// ```
///
/// Plain completions and the observer are called one at a time, in the order in which things
/// happened, on whichever thread brought the news (the transport's own, as a rule). They hold up the
/// queue, so they should return soon. There is no call that blocks a thread until a request ends:
/// nothing here can deadlock.
public final class RequestQueue: Sendable {
    private let transport: any Transport
    private let time: Timekeeper
    private let observer: (@Sendable (Event) -> Void)?
    private let streams = EventStreams<Event>()
    private let state: Mutex<State>

    typealias Machine = QueueStateMachine<RequestRecord, Answer>

    private struct State {
        var machine: Machine
        /// Whether some thread is performing the machine's actions.
        var isDraining = false
        var waiters: WaitList?

        /// The next thing to do.
        ///
        /// Those who wait for idleness are taken with it, under the lock: whoever begins to wait
        /// later waits for what was enqueued later.
        mutating func next() -> Work? {
            let action = machine.next()
            isDraining = action != nil
            guard let action else { return nil }
            guard case .idle = action else { return Work(action: action, waiters: nil) }
            defer { waiters = nil }
            return Work(action: action, waiters: waiters)
        }
    }

    private struct Work {
        let action: Machine.Action
        let waiters: WaitList?
    }

    /// What a record's execution reports.
    struct Answer {
        var transcript: Transcript
        var error: RequestError?
    }

    /// What happens on a queue, in order.
    public enum Event: Sendable {
        /// It is in flight.
        case started(RequestRecord)
        /// It was answered as expected.
        case succeeded(RequestRecord)
        /// It failed, or was cancelled in flight.
        case failed(RequestRecord)
        /// It was cancelled before its turn.
        case cancelled(RequestRecord)
        /// Nothing is left to do; something new may be enqueued.
        case idle
    }

    /// A queue that sends through this transport.
    ///
    /// - Parameters:
    ///   - transport: What performs the exchanges.
    ///   - concurrency: How many requests may be in flight at once, 1 at least; 1 by default.
    ///   - stopsOnFailure: Whether a failure cancels everything left; `true` by default.
    ///   - observer: Told of every event before the completion of its record is called.
    public convenience init(
        transport: any Transport, concurrency: Int = 1, stopsOnFailure: Bool = true,
        observer: (@Sendable (Event) -> Void)? = nil
    ) {
        self.init(
            transport: transport, time: Timekeeper(), concurrency: concurrency,
            stopsOnFailure: stopsOnFailure, observer: observer)
    }

    /// A queue whose waits are timed by others.
    init(
        transport: any Transport, time: Timekeeper, concurrency: Int = 1,
        stopsOnFailure: Bool = true, observer: (@Sendable (Event) -> Void)? = nil
    ) {
        self.transport = transport
        self.time = time
        self.observer = observer
        self.state = Mutex(
            State(machine: Machine(concurrency: concurrency, stopsOnFailure: stopsOnFailure)))
    }

    deinit {
        // A queue that is let go while suspended still ends every record.
        tell { $0.cancelled(.requested) }
        streams.finish()
    }

    /// Adds a request after the others.
    ///
    /// - Parameters:
    ///   - record: A record that was never enqueued before.
    ///   - completion: Called exactly once, when the request succeeded, failed or was cancelled.
    public func enqueue(
        _ record: RequestRecord, completion: (@Sendable (RequestRecord) -> Void)? = nil
    ) {
        record.enqueue(completion: completion)
        tell { $0.enqueued(record) }
    }

    /// Adds requests after the others, in this order and with nothing in between.
    public func enqueue(_ records: some Sequence<RequestRecord>) {
        enqueue(Array(records), prerequisites: [:])
    }

    /// Adds requests, some of which start only when others before them have ended.
    func enqueue(_ records: [RequestRecord], prerequisites: [Int: [RequestRecord]]) {
        for record in records { record.enqueue(completion: nil) }
        tell { machine in
            for (index, record) in records.enumerated() {
                machine.enqueued(record, after: prerequisites[index] ?? [])
            }
        }
    }

    /// Starts no further request until ``resume()``; those in flight go on.
    public func suspend() {
        tell { $0.suspended() }
    }

    /// Starts requests again after ``suspend()``; what was cancelled stays cancelled.
    public func resume() {
        tell { $0.resumed() }
    }

    /// Cancels everything that waits or is in flight, and resumes: the queue is as new.
    public func reset() {
        tell { $0.reset() }
    }

    /// Cancels everything that waits or is in flight; a suspended queue stays suspended.
    ///
    /// What is enqueued afterwards is sent as usual.
    public func cancelAll() {
        cancel(.requested)
    }

    /// Cancels one request, waiting or in flight; the others go on.
    ///
    /// One that has ended stays as it is.
    public func cancel(_ record: RequestRecord) {
        tell { $0.cancelled(record, .requested) }
    }

    /// How many requests wait for their turn.
    public var pendingCount: Int { state.withLock { $0.machine.pendingCount } }

    /// Waits until nothing is left to do; returns at once when nothing is.
    ///
    /// - Throws: `CancellationError` when the waiting task is cancelled; the requests go on.
    public func waitUntilIdle() async throws(CancellationError) {
        let waiters = state.withLock { state -> WaitList? in
            if state.machine.isIdle { return nil }
            let waiters = state.waiters ?? WaitList()
            state.waiters = waiters
            return waiters
        }
        try await waiters?.wait()
    }

    /// The events from now on, as a stream that ends with the queue.
    ///
    /// Events that are not read are kept; take a stream only to read it.
    public func events() -> AsyncStream<Event> { streams.add() }

    /// Cancels everything for that reason.
    func cancel(_ reason: Cancellation.Reason) {
        tell { $0.cancelled(reason) }
    }

    /// Cancels one request because the culprit failed, on another queue.
    package func cancel(_ record: RequestRecord, becauseOf culprit: RequestRecord) {
        tell { $0.cancelled(record, .failure, by: culprit) }
    }

    /// Cancels one request that needs what the culprit would have brought.
    func cancel(_ record: RequestRecord, missingCaptureOf culprit: RequestRecord) {
        tell { $0.cancelled(record, .missingCapture, by: culprit) }
    }

    /// A record is about to succeed and to do what outlives it; `false` when it was cancelled.
    func claim(_ record: RequestRecord) -> Bool {
        state.withLock { $0.machine.claimed(record) }
    }

    /// Whether a record is still to be answered; `false` once it was cancelled, also before its
    /// transfer was told so.
    func isInFlight(_ record: RequestRecord) -> Bool {
        state.withLock { $0.machine.isInFlight(record) }
    }

    /// A record's execution came to its end; dropped when the record had ended before.
    func finished(_ record: RequestRecord, _ answer: Answer) {
        tell { machine in
            if answer.error == nil {
                machine.succeeded(record, answer)
            } else {
                machine.failed(record, answer)
            }
        }
    }
}

// Taking the lock, asking the machine, and acting outside the lock.
extension RequestQueue {
    /// Tells the machine what happened, then performs what follows from it.
    ///
    /// One thread at a time performs actions, in the machine's order. A call that comes meanwhile,
    /// from another thread or from inside an action, leaves its actions to that thread: no chain of
    /// completions grows the stack, and no completion overtakes another.
    func tell(_ happened: (inout sending Machine) -> Void) {
        var work = state.withLock { state -> Work? in
            happened(&state.machine)
            return state.isDraining ? nil : state.next()
        }
        while let current = work {
            perform(current)
            work = state.withLock { $0.next() }
        }
    }

    private func perform(_ work: Work) {
        switch work.action {
        case .start(let record): start(record)
        case .abort(let record): record.abort()
        case .end(let record, let ending): end(record, ending)
        case .idle:
            report(.idle)
            work.waiters?.finish()
        }
    }

    private func start(_ record: RequestRecord) {
        record.start()
        report(.started(record))
        let execution = RequestExecution(record, queue: self, transport: transport, time: time)
        record.attach(execution)
        execution.start()
    }

    private func end(_ record: RequestRecord, _ ending: Machine.Ending) {
        let event: Event
        let callers: RequestRecord.Callers
        switch ending {
        case .succeeded(let answer):
            event = .succeeded(record)
            callers = record.end(.success, answer.transcript)
        case .failed(let answer):
            event = .failed(record)
            callers = record.end(.failed, answer.transcript, error: answer.error)
        case .aborted(let reason, let culprit):
            let cancellation = Cancellation(reason, culprit: culprit)
            event = .failed(record)
            callers = record.end(
                .failed, error: RequestError(cancellation, wasSent: record.wasSent),
                cancellation: cancellation)
        case .cancelled(let reason, let culprit):
            event = .cancelled(record)
            callers = record.end(.new, cancellation: Cancellation(reason, culprit: culprit))
        }
        report(event)
        callers.call(with: record)
    }

    private func report(_ event: Event) {
        observer?(event)
        streams.yield(event)
    }
}
