import Synchronization

/// One record in flight: makes its request, takes what the transport brings, sends again where
/// redirects and its policy say so, and has the last answer judged.
///
/// What comes next is decided by ``AttemptState`` and ``RetryPolicy``; this performs it.
final class RequestExecution: ResponseReceiver {
    private let record: RequestRecord
    private let queue: RequestQueue
    private let transport: any Transport
    private let time: Timekeeper
    private let policy: RequestPolicy
    private let startedAt: Duration
    private let storage = Mutex(Storage())

    private struct Storage {
        var plan: RequestPlan?
        var attempt: AttemptState?
        var history = AttemptHistory()
        var exchange: (any Exchange)?
        /// Counts the exchanges: a transport may end one, and so begin the next, before it has
        /// returned from starting it.
        var exchangeNumber = 0
        var pause: Task<Void, Never>?
        var isCancelled = false
    }

    init(
        _ record: RequestRecord, queue: RequestQueue, transport: any Transport, time: Timekeeper
    ) {
        self.record = record
        self.queue = queue
        self.transport = transport
        self.time = time
        policy = record.work.policy
        startedAt = time.elapsed
    }

    func start() {
        do throws(RequestError) {
            let plan = try record.work.prepare()
            storage.withLock { $0.plan = plan }
        } catch {
            return end(error: error)
        }
        if policy.delay > .zero {
            pause(policy.delay)
        } else {
            beginAttempt(waited: .zero)
        }
    }

    /// Ends the transfer or the wait; the queue has decided the outcome and drops the answer.
    func cancel() {
        let (exchange, pause) = storage.withLock { storage in
            storage.isCancelled = true
            return (storage.exchange, storage.pause)
        }
        exchange?.cancel()
        pause?.cancel()
    }

    /// What is known so far.
    func transcript(
        response: HTTPResponse? = nil, error: RequestError? = nil, warnings: [String] = []
    ) -> Transcript {
        let now = time.elapsed
        let messages = storage.withLock { storage in
            // Looked at where it is: an attempt is large, and this is done once for each request.
            let isSimple =
                storage.history.isEmpty && storage.attempt?.exchanges.count ?? 0 <= 1
            return RequestRecord.Messages(
                request: storage.attempt?.lastRequest ?? storage.plan?.request,
                response: response, warnings: warnings,
                attempts: isSimple
                    ? []
                    : storage.history.attempts
                        + [storage.attempt?.record(error: error, at: now)]
                        .compactMap(\.self),
                attemptCount: storage.attempt?.number ?? 0)
        }
        return Transcript(messages: messages, duration: now - startedAt)
    }
}

// Taking what the transport brings.
extension RequestExecution {
    func receiveHead(_ head: HTTPResponse.Head) {
        storage.withLock { $0.attempt?.received(head) }
    }

    func receiveBody(_ bytes: RawSpan) -> Bool {
        storage.withLock { $0.attempt?.received(bytes) ?? false }
    }

    func finish(_ result: Result<ExchangeMetrics, TransportError>) {
        let now = time.elapsed
        switch storage.withLock({ $0.attempt?.ended(result, at: now) }) {
        case .send: send()
        case .judge(let response): conclude(response)
        case .lost(let error): conclude(error)
        case .fail(let error): end(error: error)
        case nil: break
        }
    }
}

// Attempts, and the waits between them.
extension RequestExecution {
    private func beginAttempt(waited: Duration) {
        let now = time.elapsed
        let failure = storage.withLock { storage -> RequestError? in
            storage.pause = nil
            guard !storage.isCancelled, let plan = storage.plan else { return nil }
            storage.attempt = AttemptState(
                plan, record.work, number: (storage.attempt?.number ?? 0) + 1, wait: waited,
                startedAt: now)
            do throws(BodyFile.Failure) {
                try plan.file?.empty()
                return nil
            } catch {
                return RequestError(.notSaved, error.message)
            }
        }
        if let failure { return end(error: failure) }
        send()
    }

    private func send() {
        let now = time.elapsed
        let next: (request: HTTPRequest, number: Int)?
        do throws(RequestError) {
            next = try storage.withLock { storage throws(RequestError) in
                guard !storage.isCancelled, let request = try storage.attempt?.nextRequest(at: now)
                else { return nil }
                storage.exchangeNumber += 1
                return (request, storage.exchangeNumber)
            }
        } catch {
            return end(error: error)
        }
        // Cancelled: the queue has ended the record.
        guard let next else { return }
        let exchange = transport.start(next.request, receiver: self)
        let isCancelled = storage.withLock { storage in
            if storage.exchangeNumber == next.number { storage.exchange = exchange }
            return storage.isCancelled
        }
        if isCancelled { exchange.cancel() }
    }

    /// Waits, then begins another attempt.
    private func pause(_ duration: Duration) {
        let pause = Task {
            guard await time.sleep(for: duration) else { return }
            beginAttempt(waited: duration)
        }
        let isCancelled = storage.withLock { storage in
            storage.pause = pause
            return storage.isCancelled
        }
        if isCancelled { pause.cancel() }
    }

    /// Tries again or gives up after an exchange that brought no response.
    private func conclude(_ error: TransportError) {
        let failure = RequestError(error)
        switch decision(after: .failed(error), head: nil) {
        case .wait(let duration): retry(after: duration, because: failure)
        case .stop(let reason): end(error: failure, warnings: reason.warnings)
        }
    }

    /// Tries again, or has the response judged.
    private func conclude(_ response: AttemptResponse) {
        let deadline = response.timeLeft.map { ContinuousClock.now + $0 }
        let unmet = record.work.unmet(response, before: deadline)
        var warnings: [String] = []
        if let (outcome, error) = failure(of: response, unmet) {
            switch decision(after: outcome, head: response.response.head) {
            case .wait(let duration): return retry(after: duration, because: error)
            case .stop(let reason): warnings = reason.warnings
            }
        }
        end(response, record.work.judge(response, unmet: unmet, before: deadline), warnings)
    }

    /// What of a response is a reason to try again; `nil` for nothing.
    private func failure(
        of response: AttemptResponse, _ unmet: [Finding]
    ) -> (RetryPolicy.Outcome, RequestError)? {
        if !unmet.isEmpty { return (.unsatisfied, RequestError(.expectation, findings: unmet)) }
        let status = response.response.status
        guard policy.retry != nil, !record.work.isPolling, !record.work.expects(status: status)
        else { return nil }
        return (
            .answered(status: status),
            RequestError(.expectation, "status \(HTTPStatus.described(status))")
        )
    }

    private func decision(
        after outcome: RetryPolicy.Outcome, head: HTTPResponse.Head?
    ) -> RetryPolicy.Decision {
        guard let retry = policy.retry else { return .stop(.notRetryable) }
        let (number, method) = storage.withLock {
            ($0.attempt?.number ?? 1, $0.plan?.request.method ?? "")
        }
        let wanted = head.flatMap {
            RetryAfter.wait($0.fields.values(of: "Retry-After"), now: GeneratedValue.timestamp())
        }
        return retry.decision(
            after: outcome, attempt: number, method: method, retryAfter: wanted,
            timeLeft: time.timeLeft, random: .random(in: 0..<1))
    }

    private func retry(after wait: Duration, because error: RequestError) {
        let now = time.elapsed
        storage.withLock { storage in
            guard let attempt = storage.attempt else { return }
            storage.history.append(attempt.record(error: error, at: now))
        }
        pause(wait)
    }
}

// The end.
extension RequestExecution {
    private func end(_ answer: AttemptResponse, _ judgement: Judgement, _ warnings: [String]) {
        var response = answer.response
        if let file = answer.file {
            if judgement.error == nil {
                do throws(BodyFile.Failure) {
                    try file.keep()
                } catch {
                    return end(error: RequestError(.notSaved, error.message))
                }
                response.savedBody = .init(path: file.path, size: file.size)
            } else {
                response.body = file.prefix(Self.excerptSize)
            }
        }
        end(response, error: judgement.error, warnings: judgement.warnings + warnings)
    }

    private func end(
        _ response: HTTPResponse? = nil, error: RequestError? = nil, warnings: [String] = []
    ) {
        let transcript = transcript(response: response, error: error, warnings: warnings)
        queue.finished(record, RequestQueue.Answer(transcript: transcript, error: error))
    }

    /// How much of a body is kept for messages that was to be saved and is not: 64 KiB.
    private static let excerptSize = 65_536
}

/// The attempts that were not enough, as many as are worth keeping.
private struct AttemptHistory {
    private(set) var attempts: [RequestAttempt] = []

    /// Polling may go on for long: of more than a hundred, the first and the latest are kept.
    private static let limit = 100

    var isEmpty: Bool { attempts.isEmpty }

    mutating func append(_ attempt: RequestAttempt) {
        if attempts.count == Self.limit { attempts.remove(at: 1) }
        attempts.append(attempt)
    }
}

extension RetryPolicy.StopReason {
    fileprivate var warnings: [String] {
        self == .deadline ? ["not sent again: the wait for it would exceed the deadline"] : []
    }
}
