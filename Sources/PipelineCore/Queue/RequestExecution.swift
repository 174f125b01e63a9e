import Synchronization

/// One record in flight: makes its request, takes what the transport brings, and has it judged.
final class RequestExecution: ResponseReceiver {
    private let record: RequestRecord
    private let queue: RequestQueue
    private let startedAt = ContinuousClock.now
    private let storage = Mutex(Storage())

    private struct Storage {
        var request: HTTPRequest?
        var head: HTTPResponse.Head?
        var body: [UInt8] = []
        var exchange: (any Exchange)?
    }

    init(_ record: RequestRecord, queue: RequestQueue) {
        self.record = record
        self.queue = queue
    }

    func start(on transport: any Transport) {
        let request: HTTPRequest
        do {
            request = try record.work.makeRequest()
        } catch {
            finish(error: error)
            return
        }
        storage.withLock { $0.request = request }
        let exchange = transport.start(request, receiver: self)
        storage.withLock { $0.exchange = exchange }
    }

    /// Ends the transfer; the queue has decided the outcome and drops the answer.
    ///
    /// Called after ``start(on:)`` has returned, since a queue performs one action at a time: the
    /// exchange is there, unless it was never started.
    func cancel() {
        storage.withLock { $0.exchange }?.cancel()
    }

    /// What is known so far.
    func transcript(response: HTTPResponse? = nil, warnings: [String] = []) -> Transcript {
        Transcript(
            messages: .init(
                request: storage.withLock { $0.request }, response: response, warnings: warnings),
            duration: ContinuousClock.now - startedAt)
    }

    func receiveHead(_ head: HTTPResponse.Head) {
        storage.withLock { $0.head = head }
    }

    func receiveBody(_ bytes: RawSpan) -> Bool {
        let limit = record.work.bodyLimit
        return storage.withLock { storage in
            guard storage.body.count + bytes.byteCount <= limit else { return false }
            bytes.withUnsafeBytes { storage.body.append(contentsOf: $0) }
            return true
        }
    }

    func finish(_ result: Result<ExchangeMetrics, TransportError>) {
        switch result {
        case .failure(let error) where error.code == .refusedByReceiver:
            let limit = record.work.bodyLimit
            finish(
                error: RequestError(
                    .bodyTooLarge, "the body is larger than the limit of \(ByteSize(limit))"))
        case .failure(let error):
            finish(error: RequestError(error))
        case .success(let metrics):
            let taken = storage.withLock { storage in
                defer { storage.body = [] }
                return (storage.request, storage.head, storage.body)
            }
            guard let request = taken.0, let head = taken.1 else {
                let error = TransportError(.invalidResponse, "the exchange brought no response")
                return finish(error: RequestError(error))
            }
            let response = HTTPResponse(head: head, body: taken.2, metrics: metrics)
            let judgement = record.work.judge(
                response, to: request, before: request.timeout.map { startedAt + $0 })
            finish(response, error: judgement.error, warnings: judgement.warnings)
        }
    }

    private func finish(
        _ response: HTTPResponse? = nil, error: RequestError? = nil, warnings: [String] = []
    ) {
        let transcript = transcript(response: response, warnings: warnings)
        let answer = RequestQueue.Answer(transcript: transcript, error: error)
        queue.finished(record, answer)
    }
}
