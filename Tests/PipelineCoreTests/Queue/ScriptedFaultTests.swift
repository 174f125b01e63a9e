import PipelineCore
import TestSupport
import Testing

@Suite("Faults of a scripted transport", .timeLimit(.minutes(1)))
struct ScriptedFaultTests {
    @Test("break the request of that number, and no other")
    func number() async throws {
        let transport = ScriptedTransport(breaking: [2: .drop, 3: .timeOut]) { _ in .respond() }
        var codes: [TransportError.Code?] = []
        for _ in 0..<4 {
            let record = await transport.record(try .get("http://test"))
            codes.append(record.error?.code)
        }
        #expect(codes == [nil, .connectionLost, .timedOut, nil])
        #expect(transport.requests.count == 4)
    }

    @Test("delay an answer until its time has come on the clock")
    func delay() async throws {
        let clock = ManualClock()
        let transport = ScriptedTransport(
            breaking: [1: .delay(.seconds(5), .respond(status: 503))], clock: clock
        ) { _ in .respond() }
        let recorder = Recorder()
        _ = transport.start(try .get("http://test"), receiver: recorder)
        await clock.waitForSleepers()
        clock.advance(by: .seconds(4))
        #expect(recorder.record.results.isEmpty)
        clock.advance(by: .seconds(1))
        #expect(await recorder.finished().status == 503)
    }

    @Test("are over at once when the exchange is cancelled during the delay")
    func cancelled() async throws {
        let clock = ManualClock()
        let transport = ScriptedTransport(clock: clock) { _ in .delay(.seconds(5), .respond()) }
        let recorder = Recorder()
        let exchange = transport.start(try .get("http://test"), receiver: recorder)
        await clock.waitForSleepers()
        exchange.cancel()
        #expect(recorder.record.error?.code == .cancelled)
        // The delay has ended with it.
        await clock.waitUntilIdle()
        #expect(recorder.record.results.count == 1)
    }

    @Test("hold an exchange when its delay is over")
    func delayedHold() async throws {
        let clock = ManualClock()
        let transport = ScriptedTransport(clock: clock) { _ in .delay(.seconds(5), .hold) }
        let recorder = Recorder()
        _ = transport.start(try .get("http://test"), receiver: recorder)
        await clock.waitForSleepers()
        #expect(transport.held.isEmpty)
        clock.advance(by: .seconds(5))
        try await transport.waitForHeld(count: 1)
        let held = try #require(transport.held.first)
        held.resume(with: .hold)
        #expect(transport.held.count == 1)
        held.resume(with: .respond(status: 503))
        #expect(await recorder.finished().status == 503)
    }
}
