import PipelineJSON
import Synchronization
import TestSupport
import Testing

@testable import PipelineCore

/// Answers each request with the next of these steps, and the last of them from then on.
private func script(_ steps: ScriptedTransport.Step...) -> ScriptedTransport {
    let next = Mutex(0)
    return ScriptedTransport { _ in
        let index = next.withLock { next in
            defer { next += 1 }
            return next
        }
        return steps[min(index, steps.count - 1)]
    }
}

extension ScriptedTransport.Step {
    fileprivate static func lost(beforeSending isBeforeSending: Bool = false) -> Self {
        .fail(TransportError(.connectionLost, "lost", isBeforeSending: isBeforeSending))
    }
}

@Suite("How a run tries again", .timeLimit(.minutes(1)))
struct RetryRunTests {
    @Test func `attempts are kept, and the last one decides`() async throws {
        let transport = script(.respond(status: 503), .lost(), .respond(body: #"{"t":1}"#))
        let result = try await load(
            file(
                #"{ "name": "a", "url": "/a", "retry": { "max": 2, "interval": "0s" }, "#
                    + #""captures": { "t": "$.t" } }"#)
        ).run(transport: transport)
        #expect(result.isSuccess)
        let request = try #require(result["a"])
        #expect(request.attemptCount == 3)
        #expect(
            request.attempts.map { $0.error?.message } == [
                "status 503 Service Unavailable", "lost", nil,
            ])
        #expect(
            request.attempts.map { $0.exchanges.map { $0.head?.status } } == [[503], [nil], [200]])
        #expect(result.value("t") == 1)
    }

    @Test func `a request that succeeds at once has one attempt`() async throws {
        let result = try await load(file(#"{ "url": "/a" }"#)).run(transport: script(.respond()))
        #expect(result.requests[0].attemptCount == 1)
        #expect(result.requests[0].attempts.first?.exchanges.first?.head?.status == 200)
        #expect(result.requests[0].attempts.count == 1)
    }

    @Test(
        "O38: what is tried again, and for which methods",
        arguments: [
            ("GET", 404, 1), ("GET", 408, 3), ("GET", 429, 3), ("GET", 500, 3), ("GET", 501, 1),
            ("GET", 502, 3), ("GET", 503, 3), ("GET", 504, 3), ("POST", 503, 1), ("PATCH", 500, 1),
            ("PUT", 503, 3), ("DELETE", 503, 3),
        ])
    func statuses(method: String, status: Int, expected: Int) async throws {
        let transport = script(.respond(status: status))
        let result = try await load(
            file(
                #"{ "url": "/a", "method": "\#(method)", "retry": { "max": 2, "interval": "0s" } }"#
            )
        ).run(transport: transport)
        #expect(transport.requests.count == expected)
        #expect(result.requests[0].error?.code == .expectation)
        #expect(result.requests[0].response?.status == status)
    }

    @Test(
        "O38: a POST is sent again when nothing was sent, or when the step says so",
        arguments: [(false, false, 1), (true, false, 3), (false, true, 3)])
    func posts(isBeforeSending: Bool, optsIn: Bool, expected: Int) async throws {
        let transport = script(.lost(beforeSending: isBeforeSending))
        let result = try await load(
            file(
                #"{ "url": "/a", "method": "POST", "#
                    + #""retry": { "max": 2, "interval": "0s", "nonIdempotent": \#(optsIn) } }"#)
        ).run(transport: transport)
        #expect(transport.requests.count == expected)
        #expect(result.requests[0].error?.transportError?.code == .connectionLost)
    }

    @Test("O38: a failed expectation on 200, and a status that is expected, are not tried again")
    func expectations() async throws {
        for (status, expect) in [(200, #"{ "json": { "$.a": 1 } }"#), (503, #"{ "status": 503 }"#)]
        {
            let transport = script(.respond(status: status, body: "{}"))
            _ = try await load(
                file(#"{ "url": "/a", "retry": { "max": 2 }, "expect": \#(expect) }"#)
            ).run(transport: transport)
            #expect(transport.requests.count == 1)
        }
    }

    @Test func `only what "on" names is tried again`() async throws {
        for (step, expected) in [
            (ScriptedTransport.Step.lost(), 1), (.respond(status: 503), 1),
            (.respond(status: 404), 2), (.respond(status: 599), 2),
            (.fail(TransportError(.timedOut, "slow")), 2),
        ] {
            let transport = script(step)
            _ = try await load(
                file(
                    #"{ "url": "/a", "retry": { "max": 1, "interval": "0s", "#
                        + #""on": ["timeout", 404, 599] } }"#)
            ).run(transport: transport)
            #expect(transport.requests.count == expected)
        }
    }

    @Test func `waits grow, and start no timeout`() async throws {
        let clock = ManualClock()
        let transport = script(.respond(status: 503))
        let run = try load(
            file(
                #"{ "url": "/a", "timeout": "1s", "retry": { "max": 3, "interval": "2s", "#
                    + #""backoff": 3, "maxInterval": "10s" } }"#)
        ).bind().start(transport: transport, clock: clock)
        for (count, wait) in [(1, 2), (2, 6), (3, 10)] {
            await clock.waitForSleepers()
            #expect(transport.requests.count == count)
            clock.advance(by: .seconds(wait) - .milliseconds(1))
            #expect(transport.requests.count == count)
            clock.advance(by: .milliseconds(1))
        }
        let result = await run.result
        #expect(transport.requests.count == 4)
        #expect(transport.requests.allSatisfy { $0.timeout == .seconds(1) })
        let waits = result.requests[0].attempts.map(\.wait)
        #expect(waits == [.zero, .seconds(2), .seconds(6), .seconds(10)])
    }

    @Test("O39: Retry-After is a floor for the wait", arguments: [("5", 5), ("0", 1), ("abc", 1)])
    func retryAfter(value: String, seconds: Int) async throws {
        let clock = ManualClock()
        let transport = script(
            .respond(status: 503, fields: ["Retry-After": value]), .respond())
        let run = try load(file(#"{ "url": "/a", "retry": { "max": 1 } }"#))
            .bind().start(transport: transport, clock: clock)
        await clock.waitForSleepers()
        clock.advance(by: .seconds(seconds))
        let result = await run.result
        #expect(result.isSuccess)
        #expect(result.requests[0].attempts.last?.wait == .seconds(seconds))
    }

    @Test("O03: a cancel during the wait ends it as cancelled, and nothing more is sent")
    func cancelDuringWait() async throws {
        let clock = ManualClock()
        let transport = script(.respond(status: 503))
        let run = try load(
            file(#"{ "url": "/a", "retry": { "max": 1, "interval": "5s" } }"#, #"{ "url": "/b" }"#)
        ).bind().start(transport: transport, clock: clock)
        await clock.waitForSleepers()
        run.cancel()
        // The clock stands still: only the cancel can have ended it.
        let result = await run.result
        #expect(result.requests.map(\.outcome) == [.cancelled, .cancelled])
        #expect(result.requests[0].error?.code == .cancelled)
        #expect(result.requests[0].attempts.first?.exchanges.first?.head?.status == 503)
        #expect(result.requests[0].attempts.count == 1)
        #expect(result.requests[0].attemptCount == 1)
        clock.advance(by: .seconds(10))
        #expect(transport.requests.count == 1)
    }

    @Test func `a cancel during the delay says that nothing was sent`() async throws {
        let clock = ManualClock()
        let run = try load(file(#"{ "url": "/a", "delay": "9s" }"#))
            .bind().start(transport: script(.respond()), clock: clock)
        await clock.waitForSleepers()
        run.cancel()
        let result = await run.result
        #expect(result.requests[0].error?.message == "cancelled, before it was sent")
        #expect(result.requests[0].attemptCount == 0)
    }

    @Test("O40 (i): a wait that would outlive the deadline ends the request at once")
    func longWait() async throws {
        let clock = ManualClock()
        let transport = script(.respond(status: 503, fields: ["Retry-After": "86400"]))
        let text = file(#"{ "url": "/a", "retry": { "max": 1 } }"#, keys: #""deadline": "3s","#)
        let result = try await load(text).bind().start(transport: transport, clock: clock).result
        #expect(result.interruption == nil)
        #expect(
            result.requests[0].error?.message == "expected status 2xx, got 503 Service Unavailable")
        #expect(
            result.requests[0].warnings == [
                "not sent again: the wait for it would exceed the deadline"
            ])
    }

    @Test("O40 (iii): the deadline cuts an attempt that hangs, and the last real error is kept")
    func hangingAttempt() async throws {
        let clock = ManualClock()
        let transport = script(.respond(status: 503), .hold)
        let text = file(
            #"{ "url": "/a", "timeout": "10s", "retry": { "max": 1 } }"#,
            keys: #""deadline": "3s","#)
        let run = try load(text).bind().start(transport: transport, clock: clock)
        await clock.waitForSleepers(count: 2)
        clock.advance(by: .seconds(1))
        try await transport.waitForRequests(count: 2)
        clock.advance(by: .seconds(2))
        let result = await run.result
        #expect(result.requests[0].error?.code == .deadline)
        #expect(result.requests[0].outcome == .failed)
        #expect(
            result.requests[0].attempts.first?.error?.message == "status 503 Service Unavailable")
    }

    @Test func `a request is repeated until what it waits for holds`() async throws {
        let transport = script(
            .respond(status: 404), .respond(body: #"{"state":"new"}"#),
            .respond(body: #"{"state":"done","id":7}"#))
        let result = try await load(
            file(
                #"{ "url": "/a", "retry": { "max": 9, "interval": "0s", "#
                    + #""until": { "json": { "$.state": "done" } } }, "#
                    + #""expect": { "json": { "$.id": 7 } }, "captures": { "id": "$.id" } }"#)
        ).run(transport: transport)
        #expect(result.isSuccess)
        #expect(result.requests[0].attemptCount == 3)
        #expect(result.value("id") == 7)
    }

    @Test func `a request that waits in vain fails with what it waited for and captures nothing`()
        async throws
    {
        let transport = script(.respond(body: #"{"state":"new","id":7}"#))
        let result = try await load(
            file(
                #"{ "url": "/a", "retry": { "max": 2, "interval": "0s", "#
                    + #""until": { "json": { "$.state": "done" } } }, "#
                    + #""expect": { "json": { "$.id": 8 } }, "captures": { "id": "$.id" } }"#)
        ).run(transport: transport)
        #expect(transport.requests.count == 3)
        #expect(
            result.requests[0].error?.findings.map(\.message) == [
                #"expected $.state to be "done" (string), got "new" (string)"#,
                "expected $.id to be 8 (number), got 7 (number)",
            ])
        #expect(result.value("id") == nil)
    }

    @Test func `the delay comes once, before the first attempt`() async throws {
        let clock = ManualClock()
        let transport = script(.respond(status: 503), .respond())
        let run = try load(
            file(
                #"{ "url": "/a", "delay": "4s", "retry": { "max": 1, "interval": "1s" } }"#)
        ).bind().start(transport: transport, clock: clock)
        await clock.waitForSleepers()
        #expect(transport.requests.isEmpty)
        clock.advance(by: .seconds(4))
        try await transport.waitForRequests(count: 1)
        await clock.waitForSleepers()
        clock.advance(by: .seconds(1))
        #expect(await run.result.isSuccess)
    }

    @Test func `of very many attempts the first and the latest are kept`() async throws {
        let transport = script(.respond(status: 503))
        let result = try await load(
            file(#"{ "url": "/a", "retry": { "max": 300, "interval": "0s" } }"#)
        ).run(transport: transport)
        #expect(transport.requests.count == 301)
        #expect(result.requests[0].attemptCount == 301)
        #expect(result.requests[0].attempts.count == 101)
    }

    @Test("Cancelling at any moment of many attempts ends each record once")
    func randomCancels() async throws {
        var generator = SeededGenerator(seed: printedSeed("cancels between attempts"))
        for _ in 0..<200 {
            let transport = script(.respond(status: 503))
            let run = try load(
                file(
                    #"{ "url": "/a", "retry": { "max": 50, "interval": "0s" } }"#,
                    #"{ "url": "/b" }"#)
            ).bind().start(transport: transport)
            for _ in 0..<Int.random(in: 0..<60, using: &generator) { await Task.yield() }
            run.cancel()
            let result = await run.result
            #expect(result.requests[1].outcome == .cancelled)
            let sent = transport.requests.count
            for _ in 0..<5 { await Task.yield() }
            #expect(transport.requests.count == sent, "nothing is sent after the end")
        }
    }
}
