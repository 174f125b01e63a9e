import Synchronization

/// One request in a queue, from before it is sent until it has ended.
///
/// A record is used once: it is enqueued on one queue, and its state only moves forward; to enqueue
/// it a second time is a fault of the program, which traps. Everything here may be read from any
/// thread, also from inside a completion; what is read is consistent at that moment.
public final class RequestRecord: Sendable {
    /// What reports and messages call it.
    public let name: String

    package let work: any RequestWork
    /// Its place in the run it belongs to; 0 for a record of its own.
    package let position: Int
    private let storage = Mutex(Storage())

    // Small, because a run may have very many records: what most never have is boxed.
    private struct Storage {
        var state = RequestState.new
        var isEnqueued = false
        var hasEnded = false
        var execution: RequestExecution?
        var messages: Messages?
        var duration: Duration?
        var failure: Failure?
        var completion: (@Sendable (RequestRecord) -> Void)?
        var waiters: WaitList?
    }

    /// What was sent and what came back.
    final class Messages: Sendable {
        let request: HTTPRequest?
        let response: HTTPResponse?
        let warnings: [String]
        /// Empty when there was one attempt of one exchange.
        let attempts: [RequestAttempt]
        let attemptCount: Int

        init(
            request: HTTPRequest?, response: HTTPResponse?, warnings: [String],
            attempts: [RequestAttempt], attemptCount: Int
        ) {
            self.request = request
            self.response = response
            self.warnings = warnings
            self.attempts = attempts
            self.attemptCount = attemptCount
        }
    }

    private final class Failure: Sendable {
        let error: RequestError?
        let cancellation: Cancellation?

        init(error: RequestError?, cancellation: Cancellation?) {
            self.error = error
            self.cancellation = cancellation
        }
    }

    /// A record for a request that is known from the start; any status of 2xx is a success.
    ///
    /// - Parameters:
    ///   - name: What reports call it; by default the method and the address without its query,
    ///     which may hold a secret.
    ///   - request: What is sent when its turn comes.
    ///   - policy: How redirects, failures and large bodies are dealt with.
    public convenience init(
        name: String? = nil, request: HTTPRequest, policy: RequestPolicy = RequestPolicy()
    ) {
        self.init(
            name: name ?? "\(request.method) \(request.url.text.prefix { $0 != "?" })",
            work: FixedRequest(request: request, policy: policy))
    }

    /// A record for a request that is made when its turn comes, such as from the response before.
    ///
    /// ```swift
    /// let login = RequestRecord(request: try .post("https://example.com/login", form: form))
    /// let profile = RequestRecord(name: "profile") {
    ///     let token = try login.decode(Session.self).token  // with PipelineFoundation
    ///     return try .get("https://example.com/me", fields: ["Authorization": "Bearer \(token)"])
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - name: What reports call it.
    ///   - policy: How redirects, failures and large bodies are dealt with.
    ///   - request: Makes the request, once, on the thread that starts it; what it throws becomes a
    ///     ``RequestError`` with the code ``RequestError/Code/invalidRequest``.
    public convenience init(
        name: String, policy: RequestPolicy = RequestPolicy(),
        request: @escaping @Sendable () throws -> HTTPRequest
    ) {
        self.init(name: name, work: DeferredRequest(make: request, policy: policy))
    }

    package init(name: String, work: any RequestWork, position: Int = 0) {
        self.name = name
        self.work = work
        self.position = position
    }

    /// Where the request stands.
    public var state: RequestState { storage.withLock { $0.state } }

    /// Why it was cancelled, before its turn or in flight; `nil` when it was not.
    public var cancellation: Cancellation? { storage.withLock { $0.failure }?.cancellation }

    /// Whether it has ended: succeeded, failed or cancelled.
    public var hasEnded: Bool { storage.withLock { $0.hasEnded } }

    /// How often the request was tried; 0 before the end, and when nothing was sent.
    public var attemptCount: Int { storage.withLock { $0.messages }?.attemptCount ?? 0 }

    /// What was tried, the last attempt last; empty before the end, and when nothing was sent.
    ///
    /// Of more than a hundred attempts, the first and the latest.
    public var attempts: [RequestAttempt] {
        let (messages, error, duration) = storage.withLock {
            ($0.messages, $0.failure?.error, $0.duration)
        }
        guard let messages, messages.attempts.isEmpty else { return messages?.attempts ?? [] }
        guard let request = messages.request, messages.attemptCount > 0 else { return [] }
        let exchange = CompletedExchange(
            request: request, head: messages.response?.head, metrics: messages.response?.metrics)
        return [
            RequestAttempt(
                exchanges: [exchange], error: error, wait: .zero, duration: duration ?? .zero)
        ]
    }

    /// What was sent, after a redirect the last request; `nil` before the end and when it could not be put together.
    public var request: HTTPRequest? { storage.withLock { $0.messages }?.request }

    /// What came back, whole; `nil` when nothing did.
    public var response: HTTPResponse? { storage.withLock { $0.messages }?.response }

    /// What was odd about the response without being wrong, a sentence each.
    public var warnings: [String] { storage.withLock { $0.messages }?.warnings ?? [] }

    /// Why it failed; `nil` unless ``state`` is ``RequestState/failed``.
    public var error: RequestError? { storage.withLock { $0.failure }?.error }

    /// What became of it: the response of a success, or why there is none; `nil` before the end.
    ///
    /// Of a request that was cancelled before its turn, an error with the code
    /// ``RequestError/Code/cancelled``.
    public var result: Result<HTTPResponse, RequestError>? {
        storage.withLock { storage in
            guard storage.hasEnded else { return nil }
            if let error = storage.failure?.error { return .failure(error) }
            if let cancellation = storage.failure?.cancellation {
                return .failure(RequestError(beforeItsTurn: cancellation))
            }
            // Only the runner releases the messages of a success, and only when nobody wants them.
            return (storage.messages?.response).map { .success($0) }
        }
    }

    /// From its start to its end, waits included; `nil` when it was never started or has not ended.
    public var duration: Duration? { storage.withLock { $0.duration } }

    /// Waits until the request has ended.
    ///
    /// Returns at once when it has. Cancelling the waiting task ends the wait, not the request.
    ///
    /// - Throws: `CancellationError` when the waiting task is cancelled.
    public func waitUntilEnded() async throws(CancellationError) {
        let waiters = storage.withLock { storage -> WaitList? in
            if storage.hasEnded { return nil }
            let waiters = storage.waiters ?? WaitList()
            storage.waiters = waiters
            return waiters
        }
        try await waiters?.wait()
    }
}

// The steps of its life, taken by the queue that it is on.
extension RequestRecord {
    /// Claims the record for a queue.
    func enqueue(completion: (@Sendable (RequestRecord) -> Void)?) {
        storage.withLock { storage in
            precondition(!storage.isEnqueued, "the record \(name) was enqueued before")
            storage.isEnqueued = true
            storage.completion = completion
        }
    }

    func start() {
        storage.withLock { $0.state = .start }
    }

    func attach(_ execution: RequestExecution) {
        storage.withLock { $0.execution = execution }
    }

    /// What the request is at; `nil` while it is not in flight.
    package var progress: RequestProgress? { storage.withLock { $0.execution }?.currentProgress }

    /// Whether anything was sent since its start.
    var wasSent: Bool { storage.withLock { $0.execution }?.wasSent ?? false }

    func abort() {
        storage.withLock { $0.execution }?.cancel()
    }

    /// Keeps how it ended, and returns who is to be told, once the lock is released.
    func end(
        _ state: RequestState, _ transcript: Transcript? = nil, error: RequestError? = nil,
        cancellation: Cancellation? = nil
    ) -> Callers {
        let execution = storage.withLock { $0.execution }
        let transcript = transcript ?? execution?.transcript(error: error)
        return storage.withLock { storage in
            let callers = Callers(completion: storage.completion, waiters: storage.waiters)
            storage.messages = transcript?.messages
            storage.duration = transcript?.duration
            if error != nil || cancellation != nil {
                storage.failure = Failure(error: error, cancellation: cancellation)
            }
            storage.state = state
            storage.hasEnded = true
            storage.execution = nil
            storage.completion = nil
            storage.waiters = nil
            return callers
        }
    }

    /// Those who want to know that a record has ended.
    struct Callers {
        fileprivate let completion: (@Sendable (RequestRecord) -> Void)?
        fileprivate let waiters: WaitList?

        func call(with record: RequestRecord) {
            completion?(record)
            waiters?.finish()
        }
    }

    /// Forgets what was sent and what came back, once nobody will look at it any more.
    func releaseMessages() {
        storage.withLock { $0.messages = nil }
    }
}

extension RequestRecord: Hashable {
    /// Records are equal when they are the same one.
    public static func == (one: RequestRecord, other: RequestRecord) -> Bool { one === other }

    /// Which record it is.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(self))
    }
}

/// What happened between the start of a request and its end.
struct Transcript: Sendable {
    let messages: RequestRecord.Messages
    let duration: Duration
}
