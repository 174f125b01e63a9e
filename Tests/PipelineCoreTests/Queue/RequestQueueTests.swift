import PipelineCore
import TestSupport
import Testing

@Suite("RequestQueue")
struct RequestQueueTests {
    /// A record that asks for `/name`.
    private func record(_ name: String) throws -> RequestRecord {
        RequestRecord(name: name, request: HTTPRequest(url: try HTTPURL("http://test/\(name)")))
    }

    private func transport(failing name: String? = nil) -> ScriptedTransport {
        ScriptedTransport { $0.url.target == "/\(name ?? "")" ? .respond(status: 500) : .respond() }
    }

    @Test(.timeLimit(.minutes(1)))
    func `sends in order and reports every event`() async throws {
        let log = Locked<[String]>([])
        let queue = RequestQueue(transport: transport(failing: "b")) { event in
            let line: String =
                switch event {
                case .started(let record): "started \(record.name)"
                case .succeeded(let record): "succeeded \(record.name)"
                case .failed(let record): "failed \(record.name)"
                case .cancelled(let record): "cancelled \(record.name)"
                case .idle: "idle"
                }
            log.change { $0.append(line) }
        }
        let records = [try record("a"), try record("b"), try record("c")]
        queue.enqueue(records)
        try await queue.waitUntilIdle()
        #expect(
            log.value == [
                "started a", "succeeded a", "started b", "failed b", "cancelled c", "idle",
            ])
        #expect(records.map(\.state) == [.success, .failed, .new])
        let error = try #require(records[1].error)
        #expect(error.message == "expected a status of 2xx, got 500 Internal Server Error")
        #expect(records[2].cancellation?.culprit === records[1])
        #expect(records[2].cancellation?.reason == .failure)
    }

    @Test(.timeLimit(.minutes(1)))
    func `O01: a cancelled run sends nothing more, also when it is resumed`() async throws {
        let transport = ScriptedTransport { _ in .hold }
        let queue = RequestQueue(transport: transport)
        let records = [try record("a"), try record("b"), try record("c")]
        let completions = Locked<[String: Int]>([:])
        for record in records {
            queue.enqueue(record) { record in
                completions.change { $0[record.name, default: 0] += 1 }
            }
        }
        try await transport.waitForRequests(count: 1)
        queue.cancelAll()
        queue.resume()
        try await queue.waitUntilIdle()
        transport.held.first?.resume(with: .respond())
        #expect(transport.requests.count == 1)
        #expect(records.map(\.state) == [.failed, .new, .new])
        #expect(records[0].error?.code == .cancelled)
        #expect(completions.value == ["a": 1, "b": 1, "c": 1])
    }

    @Test(.timeLimit(.minutes(1)))
    func `O02: when two answers race, one counts and the completion is called once`() async throws {
        for _ in 0..<500 {
            let transport = ScriptedTransport { _ in .hold }
            let queue = RequestQueue(transport: transport)
            let calls = Locked(0)
            let one = try record("a")
            queue.enqueue(one) { _ in calls.change { $0 += 1 } }
            let exchange = try #require(transport.held.first)
            async let answer: Void = exchange.resume(with: .respond())
            async let timer: Void = queue.cancel(one)
            async let failure: Void = exchange.resume(
                with: .fail(TransportError(.timedOut, "late")))
            _ = await (answer, timer, failure)
            try await queue.waitUntilIdle()
            #expect(calls.value == 1)
            #expect((one.state == .success) == (one.error == nil))
        }
    }

    @Test(.timeLimit(.minutes(1)))
    func `O04: a record enqueued from a completion runs, 10,000 deep`() async throws {
        let queue = RequestQueue(transport: transport())
        let count = Locked(0)
        @Sendable func next(_ previous: RequestRecord) {
            let number = count.change { count in
                count += 1
                return count
            }
            guard number < 10_000, let url = try? HTTPURL("http://test/\(number)") else { return }
            queue.enqueue(RequestRecord(request: HTTPRequest(url: url)), completion: next)
        }
        queue.enqueue(try record("first"), completion: next)
        try await queue.waitUntilIdle()
        #expect(count.value == 10_000)
    }

    @Test(.timeLimit(.minutes(1)))
    func `O04: what the idle handler adds runs, and an empty list is no work`() async throws {
        let idles = Locked(0)
        let box = Locked<RequestQueue?>(nil)
        let extra = try record("extra")
        let queue = RequestQueue(transport: transport()) { event in
            guard case .idle = event else { return }
            let isFirst = idles.change { idles in
                idles += 1
                return idles == 1
            }
            if isFirst { box.value?.enqueue(extra) }
        }
        box.change { $0 = queue }
        queue.enqueue([])
        try await queue.waitUntilIdle()
        #expect(idles.value == 0)
        queue.enqueue(try record("a"))
        try await extra.waitUntilEnded()
        try await queue.waitUntilIdle()
        #expect(extra.state == .success)
        #expect(idles.value == 2)
        box.change { $0 = nil }
    }

    @Test(.timeLimit(.minutes(1)))
    @MainActor
    func `O05: controls return from inside a completion on the main thread`() async throws {
        let queue = RequestQueue(transport: transport())
        let first = try record("a")
        let second = try record("b")
        queue.enqueue([first])
        queue.enqueue(second) { [unowned queue] record in
            queue.suspend()
            queue.resume()
            queue.cancelAll()
            queue.reset()
            #expect(record.state == .success)
            #expect(queue.pendingCount == 0)
        }
        try await queue.waitUntilIdle()
        #expect(second.hasEnded)
    }

    @Test(.timeLimit(.minutes(1)))
    func `a suspend in a completion holds the next request back`() async throws {
        let transport = transport()
        let queue = RequestQueue(transport: transport)
        queue.suspend()
        let first = try record("a")
        let second = try record("b")
        queue.enqueue(first) { [unowned queue] _ in queue.suspend() }
        queue.enqueue(second)
        queue.resume()
        try await first.waitUntilEnded()
        #expect(transport.requests.count == 1)
        #expect(second.state == .new && !second.hasEnded)
        queue.resume()
        try await second.waitUntilEnded()
        #expect(transport.requests.count == 2)
    }

    /// Where a request is cancelled that has started and was not sent.
    enum Start: CaseIterable {
        case observer, making
    }

    @Test(.timeLimit(.minutes(1)), arguments: Start.allCases)
    func `a request that is cancelled amid its start is not sent`(start: Start) async throws {
        let transport = transport()
        let canceller = Locked<RequestQueue?>(nil)
        let queue = RequestQueue(transport: transport) { event in
            if case .started = event, start == .observer { canceller.value?.cancelAll() }
        }
        canceller.change { $0 = queue }
        defer { canceller.change { $0 = nil } }
        let one = RequestRecord(name: "a") {
            if start == .making { canceller.value?.cancelAll() }
            return try .get("http://test/a")
        }
        queue.enqueue(one)
        try await one.waitUntilEnded()
        #expect(transport.requests.isEmpty)
        #expect(one.state == .failed)
        #expect(one.attemptCount == 0)
        #expect(one.error?.message == "cancelled, before it was sent")
    }

    @Test func `a queue that is let go while suspended ends its records`() throws {
        let ended = Locked<[String]>([])
        do {
            let queue = RequestQueue(transport: transport())
            queue.suspend()
            for name in ["a", "b"] {
                queue.enqueue(try record(name)) { record in
                    ended.change { $0.append(record.name) }
                }
            }
        }
        #expect(ended.value == ["a", "b"])
    }

    @Test(.timeLimit(.minutes(1)))
    func `perform returns the response or throws, and cancels with its task`() async throws {
        let transport = ScriptedTransport { request in
            switch request.url.target {
            case "/ok": .respond(body: "fine")
            case "/bad": .respond(status: 404)
            default: .hold
            }
        }
        let queue = RequestQueue(transport: transport)
        let response = try await queue.perform(try record("ok"))
        #expect(response.body == Array("fine".utf8))
        await #expect(throws: RequestError.self) { try await queue.perform(try self.record("bad")) }
        let hanging = try record("hangs")
        let task = Task { try await queue.perform(hanging) }
        try await transport.waitForRequests(count: 3)
        task.cancel()
        await #expect(throws: RequestError.self) { try await task.value }
        #expect(hanging.error?.code == .cancelled)
    }

    @Test(.timeLimit(.minutes(1)))
    func `perform in a task that is cancelled already sends nothing and returns`() async throws {
        let transport = ScriptedTransport { _ in .hold }
        let queue = RequestQueue(transport: transport)
        let one = try record("a")
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await queue.perform(one)
        }
        await #expect(throws: RequestError.self) { try await task.value }
        #expect(transport.requests.isEmpty)
        #expect(one.state == .new && one.cancellation?.reason == .requested)
    }

    @Test(.timeLimit(.minutes(1)))
    func `waiting ends with its task, the request goes on`() async throws {
        let transport = ScriptedTransport { _ in .hold }
        let queue = RequestQueue(transport: transport)
        let one = try record("a")
        queue.enqueue(one)
        let waits = [
            Task { try await one.waitUntilEnded() }, Task { try await queue.waitUntilIdle() },
        ]
        for wait in waits {
            wait.cancel()
            await #expect(throws: CancellationError.self) { try await wait.value }
        }
        transport.held.first?.resume(with: .respond())
        try await one.waitUntilEnded()
        #expect(one.state == .success)
    }

    @Test(.timeLimit(.minutes(1)))
    func `streams bring the events in order and end with the queue`() async throws {
        let stream: AsyncStream<RequestQueue.Event>
        do {
            let queue = RequestQueue(transport: transport())
            stream = queue.events()
            queue.enqueue([try record("a"), try record("b")])
            try await queue.waitUntilIdle()
        }
        var names: [String] = []
        for await case .succeeded(let record) in stream { names.append(record.name) }
        #expect(names == ["a", "b"])
    }

    @Test("Records end exactly once under real threads", .timeLimit(.minutes(2)))
    func stress() async throws {
        let transport = ScriptedTransport { request in
            request.url.target.hasSuffix("7") ? .respond(status: 500) : .respond()
        }
        let threaded = ThreadedTransport(transport)
        for concurrency in [1, 3] {
            let queue = RequestQueue(transport: threaded, concurrency: concurrency)
            let ended = Locked<[String: Int]>([:])
            try await withThrowingTaskGroup(of: Void.self) { group in
                for task in 0..<8 {
                    group.addTask {
                        for number in 0..<250 {
                            let record = try Self().record("\(task)-\(number)")
                            queue.enqueue(record) { record in
                                ended.change { $0[record.name, default: 0] += 1 }
                                _ = record.state
                            }
                            switch number % 25 {
                            case 3: queue.suspend()
                            case 5: queue.resume()
                            case 11: queue.reset()
                            case 17: queue.cancel(record)
                            case 23: queue.cancelAll()
                            default: break
                            }
                        }
                    }
                }
                try await group.waitForAll()
            }
            queue.resume()
            try await queue.waitUntilIdle()
            #expect(ended.change { $0.count } == 2_000)
            #expect(ended.change { $0.values.allSatisfy { $0 == 1 } })
        }
    }
}
