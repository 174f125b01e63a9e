import PipelineCore
import Synchronization
import TestSupport

/// A receiver that keeps nothing of a body, and watches the memory of the process meanwhile.
final class StreamReceiver: ResponseReceiver {
    private struct State {
        var size = 0
        var largestPart = 0
        var nextLook = 0
        var memoryAtStart = 0
        var memoryAtMost = 0
        var result: Result<ExchangeMetrics, TransportError>?
    }

    private let state = Mutex(State())
    private let gate = Gate()

    /// How many bytes have come.
    var size: Int { state.withLock(\.size) }

    /// The size of the largest part that came at once.
    var largestPart: Int { state.withLock(\.largestPart) }

    /// How much more memory there was at any time than at the head; 0 where the system does not say.
    var memoryGrowth: Int { state.withLock { $0.memoryAtMost - $0.memoryAtStart } }

    /// Waits for the end of the exchange.
    func finished() async -> Result<ExchangeMetrics, TransportError> {
        await gate.wait()
        let result = state.withLock(\.result)
        return result ?? .failure(TransportError(.other, "the test was cancelled"))
    }

    func receiveHead(_ head: HTTPResponse.Head) {
        let memory = Usage.memory
        state.withLock {
            $0.memoryAtStart = memory
            $0.memoryAtMost = memory
        }
    }

    func receiveBody(_ bytes: RawSpan) -> Bool {
        state.withLock { state in
            state.size += bytes.byteCount
            state.largestPart = max(state.largestPart, bytes.byteCount)
            if state.size >= state.nextLook {
                state.nextLook = state.size + 1 << 20
                state.memoryAtMost = max(state.memoryAtMost, Usage.memory)
            }
        }
        return true
    }

    func finish(_ result: Result<ExchangeMetrics, TransportError>) {
        state.withLock { $0.result = result }
        gate.open()
    }
}
