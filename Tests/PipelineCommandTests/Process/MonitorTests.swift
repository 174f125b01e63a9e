import PipelineCore
import Testing

@testable import PipelineCommand

@Suite("State that is waited for", .timeLimit(.minutes(1)))
struct MonitorTests {
    @Test("A wait with a limit is over when that is over, or before")
    func limit() async throws {
        let monitor = Monitor(0)
        let start = ContinuousClock.now
        monitor.wait(upTo: .milliseconds(20)) { $0 > 0 }
        #expect(ContinuousClock.now - start >= .milliseconds(20))
        let thread = try #require(PosixThread { monitor.change { $0 = 1 } })
        try await BlockingThread.run { monitor.wait(upTo: .seconds(600)) { $0 > 0 } }
        thread.join()
        #expect(monitor.wait { $0 > 0 ? $0 : nil } == 1)
    }

    @Test("A signal ends a wait for it at once, and is left to who waits")
    func signal() async throws {
        let interruption = Interruption()
        interruption.wait(upTo: .zero)
        let thread = try #require(PosixThread { _ = interruption.receive(2) })
        try await BlockingThread.run { interruption.wait(upTo: .seconds(600)) }
        thread.join()
        #expect(interruption.signal == 2)
        #expect(interruption.receive(2))
        interruption.wait()
    }
}
