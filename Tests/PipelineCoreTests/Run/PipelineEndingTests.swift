import PipelineJSON
import TestSupport
import Testing

@testable import PipelineCore

@Suite("How a run ends: cancelled, at its deadline, cleaned up")
struct PipelineEndingTests {
    @Test(.timeLimit(.minutes(1)))
    func `finally runs after a failure, each request of it, and hides nothing`() async throws {
        let text = """
            { "baseURL": "http://test",
              "requests": [{ "name": "a", "url": "/a" }, { "name": "b", "url": "/b" }],
              "finally": [{ "name": "x", "url": "/x" }, { "name": "y", "url": "/y" }] }
            """
        let transport = PipelineRunTests.answers(["/y": ""])
        let result = try await load(text).run(transport: transport)
        #expect(transport.requests.map(\.url.target) == ["/a", "/x", "/y"])
        #expect(result.requests.map(\.outcome) == [.failed, .cancelled, .failed, .succeeded])
        #expect(result.requests.map(\.isFinally) == [false, false, true, true])
    }

    @Test(.timeLimit(.minutes(1)))
    func `going on after a failure leaves out what needs its captures`() async throws {
        var options = RunOptions()
        options.stopsOnFailure = false
        let transport = PipelineRunTests.answers(["/feed": "", "/x": ""])
        let text = file(
            #"{ "name": "login", "url": "/login", "captures": { "t": "$.t" } }"#,
            #"{ "name": "use", "url": "/{{t}}", "captures": { "u": "$.u" } }"#,
            #"{ "name": "use2", "url": "/{{u}}" }"#, #"{ "name": "x", "url": "/x" }"#)
        let result = try await load(text).run(transport: transport, options: options)
        #expect(result.requests.map(\.outcome) == [.failed, .cancelled, .cancelled, .succeeded])
        #expect(result["use2"]?.cancellation?.culprit?.name == "use")
        #expect(transport.requests.map(\.url.target) == ["/login", "/x"])
    }

    @Test(.timeLimit(.minutes(1)))
    func `cancelling ends what is in flight, then finally runs`() async throws {
        let text = """
            { "baseURL": "http://test", "requests": [{ "url": "/a" }, { "url": "/b" }],
              "finally": [{ "url": "/x" }] }
            """
        let transport = ScriptedTransport { $0.url.target == "/a" ? .hold : .respond() }
        let run = try load(text).start(transport: transport)
        try await transport.waitForRequests(count: 1)
        run.cancel()
        let result = await run.result
        #expect(result.requests.map(\.outcome) == [.cancelled, .cancelled, .succeeded])
        #expect(result.requests[0].record?.state == .failed)
        #expect(result.requests[1].record?.state == .new)
        #expect(result.interruption == .requested)
        #expect(!result.isSuccess)
    }

    private static let cleanup = """
        { "baseURL": "http://test", "requests": [{ "url": "/a" }],
          "finally": [{ "url": "/x" }, { "url": "/y" }] }
        """

    @Test(.timeLimit(.minutes(1)))
    func `the first cancel during finally lets it run, the second ends it`() async throws {
        for cancels in [1, 2] {
            let transport = ScriptedTransport { $0.url.target == "/x" ? .hold : .respond() }
            let run = try load(Self.cleanup).start(transport: transport)
            try await transport.waitForRequests(count: 2)
            for _ in 0..<cancels { run.cancel() }
            if cancels == 1 { transport.held.first?.resume(with: .respond()) }
            let outcomes = await run.result.requests.map(\.outcome)
            #expect(
                outcomes
                    == (cancels == 1
                        ? [.succeeded, .succeeded, .succeeded]
                        : [.succeeded, .cancelled, .cancelled]))
        }
    }

    @Test(.timeLimit(.minutes(1)))
    func `a cancel that comes when all is done changes nothing`() async throws {
        let box = Locked<PipelineRun?>(nil)
        let transport = ScriptedTransport { _ in .hold }
        let run = try load(file(#"{ "url": "/a" }"#)).start(transport: transport) { event in
            if case .succeeded = event { box.value?.cancel() }
        }
        box.change { $0 = run }
        transport.held.first?.resume(with: .respond())
        let result = await run.result
        #expect(result.isSuccess && result.interruption == nil)
        box.change { $0 = nil }
    }

    @Test(.timeLimit(.minutes(1)))
    func `a deadline that is over at once cuts the run, however long it is`() async throws {
        let requests = (0..<5_000).map { #"{ "url": "/\#($0)" }"# }.joined(separator: ",")
        var options = RunOptions()
        options.deadline = .nanoseconds(1)
        let transport = ScriptedTransport { _ in .hold }
        let result = try await load(file(requests)).run(transport: transport, options: options)
        #expect(result.interruption == .deadline)
        #expect(result.count(.succeeded) == 0)
        #expect(transport.requests.count <= 1)
    }

    @Test(.timeLimit(.minutes(1)))
    func `a task that was cancelled before sends nothing but what is in finally`() async throws {
        let text = """
            { "baseURL": "http://test", "requests": [{ "url": "/a" }], "finally": [{ "url": "/x" }] }
            """
        let pipeline = try load(text)
        let transport = ScriptedTransport { _ in .respond() }
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await pipeline.run(transport: transport)
        }
        #expect(try await task.value.requests.map(\.outcome) == [.cancelled, .succeeded])
        #expect(transport.requests.map(\.url.target) == ["/x"])
    }

    @Test(.timeLimit(.minutes(1)))
    func `a cancelled task ends its run and still gets the result`() async throws {
        let transport = ScriptedTransport { _ in .hold }
        let pipeline = try load(file(#"{ "url": "/a" }"#, #"{ "url": "/b" }"#))
        let task = Task { try await pipeline.run(transport: transport) }
        try await transport.waitForRequests(count: 1)
        task.cancel()
        let result = try await task.value
        #expect(result.requests.map(\.outcome) == [.cancelled, .cancelled])
    }

    @Test(.timeLimit(.minutes(1)))
    func `O06: the deadline is fixed at the start and says what was not run`() async throws {
        let clock = ManualClock()
        let text = file(
            #"{ "name": "a", "url": "/a" }"#, #"{ "name": "b", "url": "/b" }"#,
            #"{ "name": "c", "url": "/c" }"#, keys: #""deadline": "3s","#)
        let transport = ScriptedTransport { $0.url.target == "/b" ? .hold : .respond() }
        let run = try load(text).bind().start(transport: transport, clock: clock)
        try await transport.waitForRequests(count: 2)
        await clock.waitForSleepers()
        clock.advance(by: .seconds(2))
        #expect(transport.held.count == 1)
        clock.advance(by: .seconds(1))
        let result = await run.result
        #expect(result.requests.map(\.outcome) == [.succeeded, .failed, .cancelled])
        #expect(result["b"]?.error?.code == .deadline)
        #expect(result["c"]?.cancellation?.reason == .deadline)
        #expect(result.interruption == .deadline)
        #expect(transport.requests.count == 2)
    }

    @Test(.timeLimit(.minutes(1)))
    func `O06: each request has the whole of its timeout, whenever it is sent`() async throws {
        let requests = (0..<5).map { #"{ "url": "/\#($0)", "timeout": "1s" }"# }
        let transport = ScriptedTransport { _ in .respond() }
        let result = try await load(file(requests.joined(separator: ","))).run(transport: transport)
        #expect(result.isSuccess)
        #expect(transport.requests.allSatisfy { $0.timeout == .seconds(1) })
    }

    @Test(.timeLimit(.minutes(1)))
    func `messages are let go when nobody wants them, those of failures stay`() async throws {
        var options = RunOptions()
        options.keepsMessages = false
        let transport = ScriptedTransport {
            .respond(status: $0.url.target == "/b" ? 500 : 200, body: "text")
        }
        let result = try await load(file(#"{ "url": "/a" }"#, #"{ "url": "/b" }"#))
            .run(transport: transport, options: options)
        #expect(result.requests[0].response == nil)
        #expect(result.requests[0].record?.request == nil)
        #expect(result.requests[1].response?.body == Array("text".utf8))
    }

    @Test(.timeLimit(.minutes(1)))
    func `a run that was cancelled before it starts sends nothing but its finally`() async throws {
        let transport = ScriptedTransport { _ in .respond() }
        let text = """
            { "baseURL": "http://test", "requests": [{ "name": "a", "url": "/a" }],
              "finally": [{ "name": "cleanup", "url": "/cleanup" }] }
            """
        let run = try load(text).bind().prepare(transport: transport)
        run.cancel(.interrupted)
        run.start()
        let result = await run.result
        #expect(transport.requests.map(\.url.target) == ["/cleanup"])
        #expect(result.interruption == .interrupted)
        #expect(result.requests.map(\.outcome) == [.cancelled, .succeeded])
    }
}
