/// One attempt under way: which exchange it is at, and what the present answer means.
///
/// Told what the transport brings, it decides what comes next; it sends nothing itself. A class,
/// because it is large and would be copied.
final class AttemptState {
    /// How long was waited before it.
    let wait: Duration
    /// When its first exchange was dispatched, on the queue's clock.
    let startedAt: Duration
    /// As it was made or as a redirect changed it, without what an authenticator adds.
    private(set) var request: HTTPRequest
    private(set) var exchanges: [CompletedExchange] = []
    private let authenticator: (any RequestAuthenticator)?
    private let file: BodyFile?
    private let policy: RequestPolicy
    private let work: any RequestWork
    private var sent: HTTPRequest
    private var chain: RedirectChain?
    private var head: HTTPResponse.Head?
    private var course = Course.deliver
    private var sink: BodySink
    private var refusal: BodySink.Refusal?
    private var challengeCount = 0

    /// What the answer of the present exchange is good for.
    private enum Course {
        /// It is the one to be judged.
        case deliver
        /// It says to send this.
        case follow(HTTPRequest)
        /// It demands credentials that can be given.
        case authenticate
        /// It leads nowhere.
        case fail(RequestError)
    }

    /// What comes after an exchange.
    enum Step {
        /// One more exchange.
        case send
        /// The response, to be judged.
        case judge(AttemptResponse)
        /// The transport brought nothing that can be judged.
        case lost(TransportError)
        /// A failure that another attempt would not mend.
        case fail(RequestError)
    }

    init(
        _ plan: RequestPlan, _ work: any RequestWork, _ policy: RequestPolicy, wait: Duration,
        startedAt: Duration
    ) {
        authenticator = plan.authenticator
        file = plan.file
        self.work = work
        self.policy = policy
        self.wait = wait
        self.startedAt = startedAt
        request = plan.request
        sent = plan.request
        sink = plan.file.map { .file($0) } ?? .memory([])
    }

    /// The request of the exchange that is due, with credentials and with what is left of the time.
    func nextRequest(at now: Duration) throws(RequestError) -> HTTPRequest {
        var next = request
        if !exchanges.isEmpty {
            next.timeout = timeLeft(at: now)
            next.timeSpent = now - startedAt
        }
        if let authenticator, !(chain?.hasLeftOrigin ?? false) {
            try authenticator.authorize(&next)
        }
        sent = next
        return next
    }

    /// What was sent last, or is about to be sent.
    var lastRequest: HTTPRequest { exchanges.last?.request ?? request }

    func received(_ head: HTTPResponse.Head) {
        self.head = head
        course = course(after: head)
        guard case .deliver = course else {
            sink = .nowhere(0)
            return
        }
    }

    /// Takes a part of the body, unless it goes to a file.
    func received(_ bytes: RawSpan) -> BodySink.Taking {
        sink.take(bytes, limit: bodyLimit)
    }

    /// How much of the body has come.
    var reception: RequestProgress.Phase {
        .receiving(sink.size, of: head.flatMap(\.announcedBodySize))
    }

    /// No more of the body is taken.
    func refused(_ refusal: BodySink.Refusal) {
        self.refusal = refusal
    }

    func ended(
        _ result: Result<ExchangeMetrics, TransportError>, at now: Duration
    ) -> Step {
        let metrics = try? result.get()
        exchanges.append(CompletedExchange(request: sent, head: head, metrics: metrics))
        if case .failure(let error) = result {
            switch (error.code, refusal) {
            case (.refusedByReceiver, .unwanted?): break
            case (.refusedByReceiver, .tooLarge?):
                let limit = ByteSize(bodyLimit)
                return .fail(
                    RequestError(
                        .bodyTooLarge, "the body is larger than the limit of \(limit)"))
            case (.refusedByReceiver, .notSaved(let failure)?):
                return .fail(RequestError(.notSaved, failure.message))
            default: return .lost(exchanges.count > 1 ? error.after(chain?.count ?? 0) : error)
            }
        }
        guard let head else {
            return .lost(TransportError(.invalidResponse, "the exchange brought no response"))
        }
        switch course {
        case .fail(let error): return .fail(error)
        case .follow(let next): request = next
        case .authenticate: challengeCount += 1
        case .deliver:
            return .judge(response(head, metrics ?? ExchangeMetrics(), at: now))
        }
        self.head = nil
        refusal = nil
        course = .deliver
        sink = file.map { .file($0) } ?? .memory([])
        return .send
    }

    /// What is to be kept of it.
    func record(error: RequestError?, at now: Duration) -> RequestAttempt {
        RequestAttempt(
            exchanges: exchanges, error: error, wait: wait, duration: now - startedAt)
    }

    private var bodyLimit: Int {
        policy.bodyLimit ?? (file == nil ? defaultBodyLimit : .max)
    }

    private func timeLeft(at now: Duration) -> Duration? {
        request.timeout.map { max(.zero, $0 - (now - startedAt)) }
    }

    private func response(
        _ head: HTTPResponse.Head, _ metrics: ExchangeMetrics, at now: Duration
    ) -> AttemptResponse {
        var body: [UInt8] = []
        if case .memory(let bytes) = sink { body = bytes }
        sink = .nowhere(0)
        return AttemptResponse(
            request: sent, response: HTTPResponse(head: head, body: body, metrics: metrics),
            redirects: exchanges.count == 1
                ? [] : record(error: nil, at: now).redirects,
            duration: exchanges.count == 1
                ? .microseconds(metrics.timings.total) : now - startedAt,
            timeLeft: timeLeft(at: now), file: file)
    }

    private func course(after head: HTTPResponse.Head) -> Course {
        switch head.status {
        case 300..<400:
            var chain =
                chain
                ?? RedirectChain(
                    limit: policy.redirectLimit, request: request,
                    confidentialFields: policy.confidentialFields,
                    holdsSecret: work.holdsSecret)
            defer { self.chain = chain }
            switch chain.next(after: head, to: request) {
            case .deliver: return .deliver
            case .follow(let next): return .follow(next)
            case .fail(let message): return .fail(RequestError(.redirect, message))
            }
        case 401:
            // Twice at most: what was answered may have gone stale meanwhile.
            guard let authenticator, challengeCount < 2, !(chain?.hasLeftOrigin ?? false),
                authenticator.accepts(challenge: head, to: sent, isRepeated: challengeCount > 0)
            else { return .deliver }
            return .authenticate
        default: return .deliver
        }
    }
}

extension TransportError {
    /// The same, of an exchange that was not the first of its attempt: something was sent before,
    /// and the server may have acted on it.
    fileprivate func after(_ redirects: Int) -> TransportError {
        let isTimeout = code == .timedOut && redirects > 0
        let share = ", after \(redirects) redirect\(redirects == 1 ? "" : "s") in the same attempt"
        return TransportError(
            code, message + (isTimeout ? share : ""), libraryCode: libraryCode,
            isBeforeSending: false)
    }
}
