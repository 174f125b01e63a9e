package import PipelineCore
import Synchronization

/// A receiver that keeps what it is told, and can be waited for.
package final class Recorder: ResponseReceiver {
    /// All that was told.
    package struct Record: Sendable {
        package var heads: [HTTPResponse.Head] = []
        package var body: [UInt8] = []
        package var results: [Result<ExchangeMetrics, TransportError>] = []
        package var finishedAt: ContinuousClock.Instant?

        package var status: Int? { heads.first?.status }
        package var bodyText: String { String(decoding: body, as: UTF8.self) }
        package var metrics: ExchangeMetrics? { try? results.first?.get() }

        package var error: TransportError? {
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
    package init(
        onHead: @escaping @Sendable () -> Void = {},
        onBody: @escaping @Sendable (Int) -> Bool = { _ in true },
        onFinish: @escaping @Sendable () -> Void = {}
    ) {
        self.onHead = onHead
        self.onBody = onBody
        self.onFinish = onFinish
    }

    package var record: Record { state.withLock(\.self) }

    /// Waits for the end of the exchange.
    package func finished() async -> Record {
        await endGate.wait()
        return record
    }

    /// Waits for the head, or for the end without one.
    package func headReceived() async {
        await headGate.wait()
    }

    package func receiveHead(_ head: HTTPResponse.Head) {
        state.withLock { $0.heads.append(head) }
        headGate.open()
        onHead()
    }

    package func receiveBody(_ bytes: RawSpan) -> Bool {
        let part = bytes.withUnsafeBytes { Array($0) }
        let size = state.withLock {
            // A flood is not kept: to make room for it would take longer than the test allows.
            if $0.body.count < 4_000_000 { $0.body += part }
            return $0.body.count
        }
        return onBody(size)
    }

    package func finish(_ result: Result<ExchangeMetrics, TransportError>) {
        onFinish()
        state.withLock {
            $0.results.append(result)
            $0.finishedAt = .now
        }
        headGate.open()
        endGate.open()
    }
}

extension Transport {
    /// Performs one exchange and waits for its end.
    package func record(_ request: HTTPRequest) async -> Recorder.Record {
        let recorder = Recorder()
        _ = start(request, receiver: recorder)
        return await recorder.finished()
    }
}
