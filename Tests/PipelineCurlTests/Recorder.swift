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

    private let state = Mutex(Record())
    private let headGate = Gate()
    private let endGate = Gate()
    private let onHead: @Sendable () -> Void
    private let onBody: @Sendable (Int) -> Bool
    private let onFinish: @Sendable () -> Void

    /// Calls these on the transport's thread, `onBody` with the body's size so far.
    init(
        onHead: @escaping @Sendable () -> Void = {},
        onBody: @escaping @Sendable (Int) -> Bool = { _ in true },
        onFinish: @escaping @Sendable () -> Void = {}
    ) {
        self.onHead = onHead
        self.onBody = onBody
        self.onFinish = onFinish
    }

    var record: Record { state.withLock(\.self) }

    /// Waits for the end of the exchange.
    func finished() async -> Record {
        await endGate.wait()
        return record
    }

    /// Waits for the head, or for the end without one.
    func headReceived() async {
        await headGate.wait()
    }

    func receiveHead(_ head: HTTPResponse.Head) {
        state.withLock { $0.heads.append(head) }
        headGate.open()
        onHead()
    }

    func receiveBody(_ bytes: RawSpan) -> Bool {
        let part = bytes.withUnsafeBytes { Array($0) }
        let size = state.withLock {
            // A flood is not kept: to make room for it would take longer than the test allows.
            if $0.body.count < 4_000_000 { $0.body += part }
            return $0.body.count
        }
        return onBody(size)
    }

    func finish(_ result: Result<ExchangeMetrics, TransportError>) {
        onFinish()
        state.withLock {
            $0.results.append(result)
            $0.finishedAt = .now
        }
        headGate.open()
        endGate.open()
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
