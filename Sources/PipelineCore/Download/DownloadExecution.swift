import Synchronization

/// One download: sends its request, follows redirects, and puts the body where it belongs.
final class DownloadExecution: ResponseReceiver {
    private let transport: any Transport
    private let options: Downloader.Options
    private let destination: Downloader.Destination
    private let progress: Downloader.Progress
    private let state: Mutex<State>

    typealias Outcome = Result<Download, DownloadError>

    fileprivate struct State {
        var request: HTTPRequest
        var chain: RedirectChain
        var file: BodyFile?
        var answer = Answer.none
        var sink = BodySink.nowhere(0)
        var refusal: BodySink.Refusal?
        var progress: DownloadProgress?
        var exchange: (any Exchange)?
        /// Counts the exchanges: a transport may end one, and so begin the next, before it has
        /// returned from starting it.
        var exchangeNumber = 0
        var isCancelled = false
        /// Taken when the outcome is decided.
        var completion: (@Sendable (Outcome) -> Void)?
    }

    /// What the head of the last exchange means.
    fileprivate enum Answer {
        case none
        case redirect(HTTPRequest)
        case failure(DownloadError)
        case delivery(HTTPResponse.Head)
    }

    init(
        _ request: HTTPRequest, to destination: Downloader.Destination,
        transport: any Transport, options: Downloader.Options,
        progress: @escaping Downloader.Progress
    ) {
        self.transport = transport
        self.options = options
        self.destination = destination
        self.progress = progress
        let chain = RedirectChain(
            limit: options.redirectLimit, request: request,
            confidentialFields: options.confidentialFields
        ) { _ in false }
        state = Mutex(State(request: request, chain: chain))
    }

    /// Begins; the completion is called once, possibly before this returns.
    func start(completion: @escaping @Sendable (Outcome) -> Void) {
        let isCancelled = state.withLock { state in
            state.completion = completion
            return state.isCancelled
        }
        guard !isCancelled else { return end { _ in .failure(.cancelled) } }
        if case .file(let path) = destination {
            // Now, so that nothing is sent for what cannot be saved.
            do throws(BodyFile.Failure) {
                let file = try BodyFile(path: path)
                state.withLock { $0.file = file }
            } catch {
                return end { _ in .failure(DownloadError(.notSaved, error.message)) }
            }
        }
        send()
    }

    /// Ends the exchange; too late when the outcome is decided.
    func cancel() {
        let exchange = state.withLock { state in
            state.isCancelled = true
            return state.exchange
        }
        exchange?.cancel()
    }

    private func send() {
        let next = state.withLock { state -> (request: HTTPRequest, number: Int)? in
            guard !state.isCancelled else { return nil }
            state.answer = .none
            state.sink = .nowhere(0)
            state.refusal = nil
            state.exchangeNumber += 1
            return (state.request, state.exchangeNumber)
        }
        guard let next else { return end { _ in .failure(.cancelled) } }
        let exchange = transport.start(next.request, receiver: self)
        let isCancelled = state.withLock { state in
            if state.exchangeNumber == next.number { state.exchange = exchange }
            return state.isCancelled
        }
        if isCancelled { exchange.cancel() }
    }
}

// Taking what the transport brings.
extension DownloadExecution {
    func receiveHead(_ head: HTTPResponse.Head) {
        let expected = state.withLock { $0.received(head) }
        if let expected { progress(0, expected) }
    }

    func receiveBody(_ bytes: RawSpan) -> Bool {
        let limit = options.bodyLimit
        let taking = state.withLock { state in
            state.isCancelled
                ? nil : state.sink.take(bytes, limit: state.file == nil ? limit : .max)
        }
        guard let taking else { return false }
        if let refusal = taking.refusal(writing: bytes) {
            state.withLock { $0.refusal = refusal }
            return false
        }
        let news = state.withLock { state in
            state.progress?.add(bytes.byteCount) == true ? state.progress : nil
        }
        if let news { progress(news.received, news.expected) }
        return true
    }

    func finish(_ result: Result<ExchangeMetrics, TransportError>) {
        let answer = state.withLock(\.answer)
        if case .redirect(let next) = answer, result.isComplete {
            state.withLock { $0.request = next }
            return send()
        }
        if case .delivery = answer, case .success = result {
            let last = state.withLock { state in
                !state.isCancelled && state.progress?.tellAll() == true ? state.progress : nil
            }
            if let last { progress(last.received, last.expected) }
        }
        end { $0.outcome(of: result, self.options) }
    }

    /// Decides the outcome and tells it; whoever cancels after that is too late.
    private func end(_ outcome: (inout State) -> Outcome) {
        let (decided, file, completion) = state.withLock { state in
            let decided = state.isCancelled ? .failure(.cancelled) : outcome(&state)
            let file = if case .success = decided { state.file } else { nil as BodyFile? }
            defer {
                state.completion = nil
                state.exchange = nil
                // What is not kept is gone before anybody hears of it.
                state.file = nil
                state.sink = .nowhere(0)
            }
            return (decided, file, state.completion)
        }
        do throws(BodyFile.Failure) {
            try file?.keep()
            completion?(decided)
        } catch {
            completion?(.failure(DownloadError(.notSaved, error.message)))
        }
    }
}

extension DownloadExecution.State {
    /// Decides what a head means; returns what length to tell of, when a body begins that counts.
    fileprivate mutating func received(_ head: HTTPResponse.Head) -> Int?? {
        switch chain.next(after: head, to: request) {
        case .follow(let next): answer = .redirect(next)
        case .fail(let message): answer = .failure(DownloadError(.redirect, message, head: head))
        case .deliver where head.status == 206 && request.fields["Range"] == nil:
            let message = "status \(HTTPStatus.described(206)), though the whole was asked for"
            answer = .failure(DownloadError(.status, message, head: head))
        case .deliver where 200..<300 ~= head.status:
            answer = .delivery(head)
            sink = file.map { .file($0) } ?? .memory([])
            var begun = DownloadProgress(head)
            guard !isCancelled, begun.tellAll() else { return nil }
            progress = begun
            return .some(begun.expected)
        case .deliver:
            let status = HTTPStatus.described(head.status)
            answer = .failure(DownloadError(.status, "status \(status)", head: head))
        }
        return nil
    }

    /// What an exchange comes to that is the last.
    fileprivate mutating func outcome(
        of result: Result<ExchangeMetrics, TransportError>, _ options: Downloader.Options
    ) -> DownloadExecution.Outcome {
        if case .failure(let error) = answer, result.isComplete { return .failure(error) }
        let head = if case .delivery(let head) = answer { head } else { nil as HTTPResponse.Head? }
        switch (refusal, result) {
        case (.tooLarge, _):
            let limit = ByteSize(options.bodyLimit)
            return .failure(
                DownloadError(.tooLarge, "the body is larger than \(limit)", head: head))
        case (.notSaved(let failure), _):
            return .failure(DownloadError(.notSaved, failure.message, head: head))
        case (_, .failure(let error)):
            return .failure(
                DownloadError(.transport, error.message, head: head, transportError: error))
        case (_, .success(let metrics)):
            guard let head else {
                let error = TransportError(.invalidResponse, "no response came")
                return .failure(
                    DownloadError(.transport, error.message, transportError: error))
            }
            return delivery(head, metrics, options)
        }
    }

    private mutating func delivery(
        _ head: HTTPResponse.Head, _ metrics: ExchangeMetrics, _ options: Downloader.Options
    ) -> DownloadExecution.Outcome {
        if options.refusesEmpty, progress?.received ?? 0 == 0 {
            return .failure(DownloadError(.empty, "the body is empty", head: head))
        }
        var response = HTTPResponse(head: head, metrics: metrics)
        switch sink {
        case .memory(let body): response.body = body
        case .file(let file): response.savedBody = .init(path: file.path, size: file.size)
        case .nowhere: break
        }
        return .success(Download(url: request.url, response: response))
    }
}

extension Result<ExchangeMetrics, TransportError> {
    /// Whether all came that was wanted, of a body that nobody wants.
    fileprivate var isComplete: Bool {
        switch self {
        case .success: true
        case .failure(let error): error.code == .refusedByReceiver
        }
    }
}
