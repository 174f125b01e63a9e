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
    private let progress = Mutex(Progress())
    /// Apart from the progress, so that a cancel waits for nothing.
    private let activity = Mutex(RequestActivity())

    /// What was sent and what came.
    private struct Progress {
        var plan: RequestPlan?
        var attempt: AttemptState?
        var attemptCount = 0
        var history = AttemptHistory()
        /// When the wait is over, on the queue's clock.
        var pauseEnd = Duration.zero
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
            progress.withLock { $0.plan = plan }
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
        switch activity.withLock({ $0.cancelled() }) {
        case .exchange(let exchange): exchange.cancel()
        case .pause(let pause): pause.cancel()
        case .none, .starting: break
        }
    }

    /// Whether an attempt has begun.
    var wasSent: Bool { progress.withLock { $0.attemptCount > 0 } }

    /// What it is at.
    var currentProgress: RequestProgress {
        let now = time.elapsed
        let retryLimit = min(max(0, policy.retry?.limit ?? 0), Int.max - 1)
        return progress.withLock { progress in
            RequestProgress(
                attempt: progress.attemptCount + (progress.attempt == nil ? 1 : 0),
                attemptLimit: retryLimit + 1,
                phase: progress.attempt?.reception ?? .waiting(max(.zero, progress.pauseEnd - now)))
        }
    }

    /// What is known so far.
    func transcript(
        response: HTTPResponse? = nil, error: RequestError? = nil, warnings: [String] = []
    ) -> Transcript {
        let now = time.elapsed
        let messages = progress.withLock { progress in
            let attempt = progress.attempt
            let isSimple = progress.history.isEmpty && attempt?.exchanges.count ?? 0 <= 1
            let present = isSimple ? nil : attempt?.record(error: error, at: now)
            return RequestRecord.Messages(
                request: attempt?.lastRequest ?? progress.plan?.request,
                response: response, warnings: warnings,
                attempts: isSimple ? [] : progress.history.attempts + [present].compactMap(\.self),
                attemptCount: progress.attemptCount)
        }
        return Transcript(messages: messages, duration: now - startedAt)
    }
}

// Taking what the transport brings.
extension RequestExecution {
    func receiveHead(_ head: HTTPResponse.Head) {
        progress.withLock { $0.attempt?.received(head) }
    }

    func receiveBody(_ bytes: RawSpan) -> Bool {
        guard let taking = progress.withLock({ $0.attempt?.received(bytes) }) else { return false }
        guard let refusal = taking.refusal(writing: bytes) else { return true }
        progress.withLock { $0.attempt?.refused(refusal) }
        return false
    }

    func finish(_ result: Result<ExchangeMetrics, TransportError>) {
        // Otherwise whoever started it goes on: a transport that answers at once does not grow the
        // stack.
        if activity.withLock({ $0.ended(result) }), proceed(after: result) { send() }
    }

    /// Does what follows from the end of an exchange; returns whether another one is to be sent.
    private func proceed(after result: RequestActivity.Outcome) -> Bool {
        let now = time.elapsed
        switch progress.withLock({ $0.attempt?.ended(result, at: now) }) {
        case .send: return true
        case .judge(let response): conclude(response)
        case .lost(let error): conclude(error)
        case .fail(let error): end(error: error)
        case nil: break
        }
        return false
    }
}

// Attempts, and the waits between them.
extension RequestExecution {
    private func beginAttempt(waited: Duration) {
        // Whoever makes the request, or hears of its start, may cancel it: it is not sent then, and
        // the queue has ended the record.
        guard queue.isInFlight(record) else { return }
        let now = time.elapsed
        let failure = progress.withLock { progress -> RequestError? in
            guard let plan = progress.plan else { return nil }
            progress.attemptCount += 1
            progress.attempt = AttemptState(
                plan, record.work, policy, wait: waited, startedAt: now)
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
        while true {
            let request: HTTPRequest?
            let now = time.elapsed
            do throws(RequestError) {
                request = try progress.withLock { progress throws(RequestError) in
                    try progress.attempt?.nextRequest(at: now)
                }
            } catch {
                return end(error: error)
            }
            // Once cancelled, the queue has ended the record and nothing more is sent.
            guard let request, activity.withLock({ $0.begun(.starting(nil)) }) != nil else {
                return
            }
            let exchange = transport.start(request, receiver: self)
            let (result, isUnwanted) = activity.withLock { $0.started(exchange) }
            if isUnwanted { return exchange.cancel() }
            guard let result, proceed(after: result) else { return }
        }
    }

    /// Waits, then begins another attempt.
    private func pause(_ duration: Duration) {
        guard let number = activity.withLock({ $0.begun(.none) }) else { return }
        let end = time.elapsed + duration
        progress.withLock { $0.pauseEnd = end }
        let pause = Task { [self] in
            // The wait that the policy asks for, which a cancel ends.
            if await time.sleep(for: duration) { beginAttempt(waited: duration) }
        }
        if activity.withLock({ $0.paused(pause, number: number) }) { pause.cancel() }
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
        let (number, method) = progress.withLock {
            ($0.attemptCount, $0.plan?.request.method ?? "")
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
        progress.withLock { progress in
            guard let attempt = progress.attempt else { return }
            progress.history.append(attempt.record(error: error, at: now))
            progress.attempt = nil
        }
        pause(wait)
    }
}

// The end.
extension RequestExecution {
    private func end(_ answer: AttemptResponse, _ judgement: Judgement, _ warnings: [String]) {
        var response = answer.response
        let warnings = judgement.warnings + warnings
        guard judgement.error == nil else {
            if let file = answer.file { response.body = file.prefix(Self.excerptSize) }
            return end(response, error: judgement.error, warnings: warnings)
        }
        // What outlives the request is done only when no cancellation can come any more.
        let hasEffects = answer.file != nil || judgement.commit != nil
        guard !hasEffects || queue.claim(record) else { return }
        if let file = answer.file {
            do throws(BodyFile.Failure) {
                try file.keep()
            } catch {
                return end(error: RequestError(.notSaved, error.message))
            }
            response.savedBody = .init(path: file.path, size: file.size)
        }
        judgement.commit?()
        end(response, warnings: warnings)
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
