import Observation
import PipelineCore
import PipelineFoundation
import PipelineJSON
import TestSupport
import Testing

@Suite("PipelineModel", .timeLimit(.minutes(1))) @MainActor
struct PipelineModelTests {
    private func pipeline(_ requests: String) throws -> Pipeline {
        let text = #"{"baseURL": "http://test", "requests": [\#(requests)]}"#
        return try Pipeline(parsing: Array(text.utf8), name: "test.json")
    }

    private func three() throws -> Pipeline {
        try pipeline(
            #"{"name": "a", "url": "/a"}, {"name": "off", "url": "/off", "enabled": false}, "#
                + #"{"name": "b", "url": "/b"}, {"name": "c", "url": "/c"}"#)
    }

    /// Waits until something is so, looking whenever one of the things it depends on changes.
    private func until(_ condition: @escaping @MainActor () -> Bool) async {
        while !condition() {
            await withCheckedContinuation { continuation in
                withObservationTracking {
                    _ = condition()
                } onChange: {
                    continuation.resume()
                }
            }
            // The change is told of before it is made.
            await Task.yield()
        }
    }

    /// Counts how often a result is set, from now on.
    private func countResults(of model: PipelineModel, in count: Locked<Int>) {
        withObservationTracking {
            _ = model.result
        } onChange: {
            count.change { $0 += 1 }
            MainActor.assumeIsolated { countResults(of: model, in: count) }
        }
    }

    private func line(_ model: PipelineModel) -> String {
        let states = model.requests.map {
            "\($0.name):\($0.outcome?.rawValue ?? $0.state.rawValue)"
        }
        return "\(states.joined(separator: " ")) \(model.isRunning ? "running" : "over")"
    }

    @Test("shows every request step by step, in order")
    func steps() async throws {
        let transport = ScriptedTransport { _ in .hold }
        let model = PipelineModel()
        #expect(model.progress == 0)
        try model.start(try three(), transport: transport)
        #expect(line(model) == "a:new off:skipped b:new c:new running")
        for (index, name) in ["a", "b", "c"].enumerated() {
            await until { model.runningRequests.map(\.name) == [name] }
            #expect(model.endedCount == index + 1)
            transport.held.last?.resume(with: .respond())
        }
        await until { model.result != nil }
        #expect(line(model) == "a:succeeded off:skipped b:succeeded c:succeeded over")
        #expect(model.progress == 1)
        #expect(model.runningRequests.isEmpty)
        #expect(model.failure == nil)
        #expect(model.result?.isSuccess == true)
    }

    @Test("tells what failed, without secrets, and what was cancelled by it")
    func failure() async throws {
        let text = """
            {"baseURL": "http://test", "secrets": ["key"], "requests": [
              {"name": "a", "url": "/a", "expect": {"text": "{{key}}"}}, {"name": "b", "url": "/b"}]}
            """
        let pipeline = try Pipeline(parsing: Array(text.utf8), name: "test.json")
        let model = PipelineModel()
        try model.start(
            pipeline, variables: ["key": "very-secret"],
            transport: ScriptedTransport { _ in .respond(body: "very-secret2") })
        await until { model.result != nil }
        #expect(line(model) == "a:failed b:cancelled over")
        let failure = try #require(model.failure)
        #expect(failure.hasPrefix("a: "))
        #expect(!failure.contains("very-secret"))
    }

    @Test("shows the end after a cancel, and nothing after the end")
    func cancel() async throws {
        let transport = ScriptedTransport { _ in .hold }
        let model = PipelineModel()
        try model.start(try three(), transport: transport)
        await until { !model.runningRequests.isEmpty }
        model.cancel()
        await until { model.result != nil }
        #expect(line(model) == "a:cancelled off:skipped b:cancelled c:cancelled over")
        #expect(model.failure == nil)
        let changes = Locked(0)
        withObservationTracking {
            _ = (line(model), model.failure, model.result, model.progress)
        } onChange: {
            changes.change { $0 += 1 }
        }
        // A late answer, and a second cancel.
        transport.held.first?.resume(with: .respond())
        model.cancel()
        for _ in 0..<100 { await Task.yield() }
        #expect(changes.value == 0)
    }

    @Test("shows a run that was started before, and leaves it when another begins")
    func another() async throws {
        let transport = ScriptedTransport { _ in .hold }
        let first = try three().start(transport: transport)
        try await transport.waitForRequests(count: 1)
        let model = PipelineModel()
        model.show(first)
        await until { model.runningRequests.map(\.name) == ["a"] }
        try model.start(
            try pipeline(#"{"name": "z", "url": "/z"}"#),
            transport: ScriptedTransport { _ in .respond() })
        first.cancel()
        _ = await first.result
        await until { model.result != nil }
        #expect(line(model) == "z:succeeded over")
    }

    @Test("shows a run that is shown twice once")
    func twice() async throws {
        let transport = ScriptedTransport { _ in .hold }
        let run = try pipeline(#"{"name": "a", "url": "/a"}"#).start(transport: transport)
        let model = PipelineModel()
        for _ in 0..<2 {
            model.show(run)
            await until { !model.runningRequests.isEmpty }
        }
        let results = Locked(0)
        countResults(of: model, in: results)
        transport.held.first?.resume(with: .respond())
        await until { model.result != nil }
        for _ in 0..<100 { await Task.yield() }
        #expect(results.value == 1)
        #expect(line(model) == "a:succeeded over")
    }

    @Test("is let go of while its run goes on")
    func released() async throws {
        let transport = ScriptedTransport { _ in .hold }
        weak var weakModel: PipelineModel?
        let run = try three().start(transport: transport)
        do {
            let model = PipelineModel()
            weakModel = model
            model.show(run)
        }
        for _ in 0..<3 {
            try await transport.waitForRequests(count: transport.held.count)
            transport.held.last?.resume(with: .respond())
        }
        #expect(await run.result.isSuccess)
        for _ in 0..<100 where weakModel != nil { await Task.yield() }
        #expect(weakModel == nil)
    }
}
