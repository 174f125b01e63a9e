import PipelineCore
import PipelineCurl
import Synchronization
import TestSupport

/// A receiver that keeps what it is told, and can be waited for.
final class Recorder: ResponseReceiver {
    /// All that was told.
    struct Record: Sendable {
        var heads: [HTTPResponse.Head] = []
        var body: [UInt8] = []
        var results: [Result<ExchangeMetrics, TransportError>] = []
        var finishedAt: ContinuousClock.Instant?

        var status: Int? { heads.first?.status }
        var bodyText: String { String(decoding: body, as: UTF8.self) }
        var metrics: ExchangeMetrics? { try? results.first?.get() }

        var error: TransportError? {
            guard case .failure(let error) = results.first else { return nil }
            return error
        }
    }

    private struct State {
        var record = Record()
        var waiting: [CheckedContinuation<Void, Never>] = []
        var waitingForHead: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())
    private let onBody: @Sendable (Int) -> Bool
    private let onFinish: @Sendable () -> Void

    /// Calls `onBody` with the body's size so far and `onFinish` at the end, both on the
    /// transport's thread.
    init(
        onBody: @escaping @Sendable (Int) -> Bool = { _ in true },
        onFinish: @escaping @Sendable () -> Void = {}
    ) {
        self.onBody = onBody
        self.onFinish = onFinish
    }

    var record: Record { state.withLock(\.record) }

    /// Waits for the end of the exchange.
    func finished() async -> Record {
        await withCheckedContinuation { continuation in
            let isFinished = state.withLock { state in
                guard state.record.results.isEmpty else { return true }
                state.waiting.append(continuation)
                return false
            }
            if isFinished { continuation.resume() }
        }
        return record
    }

    /// Waits for the head, or for the end without one.
    func headReceived() async {
        await withCheckedContinuation { continuation in
            let isThere = state.withLock { state in
                guard state.record.heads.isEmpty, state.record.results.isEmpty else { return true }
                state.waitingForHead.append(continuation)
                return false
            }
            if isThere { continuation.resume() }
        }
    }

    func receiveHead(_ head: HTTPResponse.Head) {
        let waiting = state.withLock { state in
            state.record.heads.append(head)
            defer { state.waitingForHead = [] }
            return state.waitingForHead
        }
        for continuation in waiting { continuation.resume() }
    }

    func receiveBody(_ bytes: RawSpan) -> Bool {
        let part = bytes.withUnsafeBytes { Array($0) }
        let size = state.withLock { state in
            // A flood is not kept: to make room for it would take longer than the test allows.
            if state.record.body.count < 4_000_000 { state.record.body += part }
            return state.record.body.count
        }
        return onBody(size)
    }

    func finish(_ result: Result<ExchangeMetrics, TransportError>) {
        onFinish()
        let waiting = state.withLock { state in
            state.record.results.append(result)
            state.record.finishedAt = .now
            defer {
                state.waiting = []
                state.waitingForHead = []
            }
            return state.waiting + state.waitingForHead
        }
        for continuation in waiting { continuation.resume() }
    }
}

extension CurlTransport {
    /// Performs one exchange and waits for its end.
    func record(_ request: HTTPRequest) async -> Recorder.Record {
        let recorder = Recorder()
        _ = start(request, receiver: recorder)
        return await recorder.finished()
    }
}

extension ByteServer {
    /// A request to this server, with a timeout that no test should reach.
    func request(
        _ method: String = "GET", _ path: String = "/", fields: HTTPFields = [:],
        body: String? = nil, timeout: Duration = .seconds(20)
    ) throws -> HTTPRequest {
        HTTPRequest(
            method: method, url: try HTTPURL(url(path)), fields: fields,
            body: body.map { .bytes(Array($0.utf8)) }, timeout: timeout)
    }
}
