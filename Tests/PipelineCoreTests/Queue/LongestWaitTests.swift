import TestSupport
import Testing

@testable import PipelineCore

@Suite("A wait that is longer than a clock can count", .timeLimit(.minutes(1)))
struct LongestWaitTests {
    private let clock = ManualClock()

    @Test("is one of a hundred years, whether a policy or a deadline asks for it")
    func timekeeper() async {
        let time = Timekeeper(clock)
        async let isOver = time.sleep(for: .seconds(Int64.max))
        await clock.waitForSleepers()
        clock.advance(by: .longestWait)
        #expect(await isOver)
    }

    @Test("is one of a hundred years for a scripted answer")
    func scripted() async throws {
        let transport = ScriptedTransport(clock: clock) { _ in
            .delay(.seconds(Int64.max), .respond())
        }
        let record = RequestRecord(request: try .get("http://test/a"))
        RequestQueue(transport: transport).enqueue(record)
        await clock.waitForSleepers()
        clock.advance(by: .longestWait)
        try await record.waitUntilEnded()
        #expect(record.state == .success)
    }
}
