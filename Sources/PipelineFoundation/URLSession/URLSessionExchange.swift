import Foundation
import PipelineCore
import Synchronization

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// One exchange, from its start to the single call of ``ResponseReceiver/finish(_:)``.
///
/// The receiver is called on the transport's queue only, which runs one operation at a time. The end
/// is decided by whoever comes first and takes the receiver out of the state: Foundation's own
/// completion, a cancel, the timer, or a failure before the task began. What comes later finds no
/// receiver, and never has to be waited for.
final class URLSessionExchange: Exchange {
    private let state: Mutex<State>
    private let queue: OperationQueue

    private struct State {
        let request: HTTPRequest
        /// `nil` after the end.
        var receiver: (any ResponseReceiver)?
        var isCancelled = false
        /// `nil` until the task has begun.
        var running: ExchangeTask?
        var timer: Task<Void, Never>?
        var progress: ExchangeProgress
        var metrics: URLSessionTaskMetrics?
    }

    init(_ request: HTTPRequest, receiver: any ResponseReceiver, queue: OperationQueue) {
        self.queue = queue
        state = Mutex(
            State(request: request, receiver: receiver, progress: ExchangeProgress(request)))
    }

    /// Has the body put together and the task made and begun, unless the exchange is over by then.
    func begin(in session: ExchangeSession, sending pieces: PieceList?) {
        startTimer()
        guard let pieces else { return beginTask(of: session, sending: nil) }
        // Away from the calls of receivers, which would have to wait for the disk.
        DispatchQueue.global().async { [self] in
            guard !isOver else { return }
            do throws(TransportError) {
                beginTask(of: session, sending: try pieces.upload())
            } catch {
                fail(error)
            }
        }
    }

    private var isOver: Bool { state.withLock { $0.receiver == nil || $0.isCancelled } }

    private func beginTask(of session: ExchangeSession, sending body: UploadFile?) {
        let request = state.withLock(\.request)
        queue.addOperation { [self] in
            guard !isOver else { return }
            do throws(TransportError) {
                let running = try session.task(for: request, body: body)
                state.withLock { $0.running = running }
                running.delegate.add(self, for: running.task)
                running.task.resume()
            } catch {
                end(error)
            }
        }
    }

    /// Ends an exchange that cannot begin.
    func fail(_ error: TransportError) {
        queue.addOperation { [self] in end(error) }
    }

    func cancel() {
        let isFirst = state.withLock { state in
            guard state.receiver != nil, !state.isCancelled else { return false }
            state.isCancelled = true
            return true
        }
        guard isFirst else { return }
        addUrgently { exchange in exchange.end(exchange.failure(.cancelled)) }
    }

    private func startTimer() {
        state.withLock { state in
            guard let timeout = state.request.timeout else { return }
            // Waits for the request's timeout; a session's own is for the time between two bytes. It
            // does not hold the exchange, whose end is what lets go of the timer.
            state.timer = Task { [weak self] in
                try? await Task.sleep(
                    for: min(timeout, Duration.longestWait), tolerance: .zero, clock: .continuous)
                guard !Task.isCancelled else { return }
                self?.addUrgently { exchange in exchange.end(exchange.failure(.timedOut)) }
            }
        }
    }

    /// Before the parts of a body that wait for their turn, which nobody wants any more.
    private func addUrgently(_ work: @escaping @Sendable (URLSessionExchange) -> Void) {
        let operation = BlockOperation { [self] in work(self) }
        operation.queuePriority = .veryHigh
        queue.addOperation(operation)
    }
}

/// What the delegate tells, on the transport's queue.
extension URLSessionExchange {
    /// Whether the body is wanted.
    func receiveHead(_ response: URLResponse) -> Bool {
        guard let response = response as? HTTPURLResponse else { return false }
        let head = HTTPResponse.Head(response)
        if let fault = head.fault {
            end(TransportError(.invalidResponse, fault))
            return false
        }
        if head.isInterim { return true }
        guard let receiver = receiver(noting: { $0.noteHead(head, response) }) else { return false }
        receiver.receiveHead(head)
        return state.withLock { $0.receiver != nil && !$0.isCancelled }
    }

    func receiveBody(_ data: Data) {
        guard let receiver = receiver(noting: { $0.received += data.count }) else { return }
        let wantsMore = data.withUnsafeBytes { receiver.receiveBody($0.bytes) }
        if !wantsMore { end(failure(.refusedByReceiver)) }
    }

    func noteSent(_ count: Int) {
        state.withLock { $0.progress.sent = count }
    }

    /// Remembers why a server was not trusted, which Foundation's own error does not tell.
    func noteRefusedTrust(_ reason: String) {
        state.withLock { $0.progress.refusedTrust = reason }
    }

    func note(_ metrics: URLSessionTaskMetrics) {
        state.withLock { $0.metrics = metrics }
    }

    func complete(_ error: (any Error)?) {
        let (progress, metrics) = state.withLock { ($0.progress, $0.metrics) }
        if let error {
            let hasSent = metrics?.hasStartedRequest ?? false
            end(progress.failure(error as NSError, hasSent: hasSent))
        } else if let error = progress.shortfall {
            end(error)
        } else {
            end(with: .success(progress.metrics(metrics)))
        }
    }

    /// The receiver, unless it is to be told nothing more.
    private func receiver(
        noting change: (inout ExchangeProgress) -> Void
    ) -> (any ResponseReceiver)? {
        state.withLock { state in
            guard !state.isCancelled else { return nil }
            change(&state.progress)
            return state.receiver
        }
    }
}

extension URLSessionExchange {
    /// A failure that is decided here and not by Foundation.
    private func failure(_ code: TransportError.Code) -> TransportError {
        state.withLock { $0.progress.failure(code, hasBegun: $0.running != nil) }
    }

    private func end(_ error: TransportError) {
        end(with: .failure(error))
    }

    /// Tells the receiver the end, if nobody has, and lets go of everything.
    private func end(with result: Result<ExchangeMetrics, TransportError>) {
        let ending = state.withLock { state in
            guard let receiver = state.receiver else { return nil as Ending? }
            state.receiver = nil
            let ending = Ending(
                receiver: receiver, running: state.running, timer: state.timer,
                // A cancel counts although all has come meanwhile.
                result: state.isCancelled
                    ? .failure(
                        state.progress.failure(.cancelled, hasBegun: state.running != nil))
                    : result)
            state.running = nil
            state.timer = nil
            return ending
        }
        guard let ending else { return }
        ending.timer?.cancel()
        if let running = ending.running { running.delegate.remove(running.task) }
        ending.receiver.finish(ending.result)
        // Last, since nothing is known of how long it takes. After a completion it does nothing.
        ending.running?.task.cancel()
    }

    private struct Ending {
        let receiver: any ResponseReceiver
        let running: ExchangeTask?
        let timer: Task<Void, Never>?
        let result: Result<ExchangeMetrics, TransportError>
    }
}
