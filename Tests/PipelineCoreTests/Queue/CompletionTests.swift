import PipelineCore
import PipelineJSON
import Synchronization
import TestSupport
import Testing

@Suite("Completions where they are wanted", .timeLimit(.minutes(1)))
struct CompletionTests {
    private func record(_ name: String) throws -> RequestRecord {
        RequestRecord(name: name, request: try .get("http://test/\(name)"))
    }

    private func transport(failing name: String? = nil) -> ScriptedTransport {
        ScriptedTransport { request in
            request.url.target == "/\(name ?? "")"
                ? .respond(status: 500) : .respond(body: request.url.target)
        }
    }

    /// A line for what a completion was told.
    private static func line(
        _ name: String, _ state: RequestState, _ result: Result<HTTPResponse, RequestError>
    ) -> String {
        switch result {
        case .success(let response): "\(name) \(state) \(response.status)"
        case .failure(let error): "\(name) \(state) \(error.message)"
        }
    }

    @Test("The name that a record has by default tells no query, which may hold a secret")
    func defaultName() throws {
        let request = try HTTPRequest.get("http://test/a?key=s3cret")
        #expect(RequestRecord(request: request).name == "GET http://test/a")
        #expect(RequestRecord(name: "mine", request: request).name == "mine")
    }

    @Test("on the main actor, once each and in order, with the state and what came of it")
    @MainActor func mainActor() async throws {
        var lines: [String] = []
        let queue = RequestQueue(transport: transport(failing: "b"))
        await withCheckedContinuation { continuation in
            for name in ["a", "b", "c", "d"] {
                guard let record = try? record(name) else { continue }
                queue.enqueue(record) { state, result in
                    MainActor.assertIsolated()
                    lines.append(Self.line(name, state, result))
                    if lines.count == 4 { continuation.resume() }
                }
            }
        }
        // The queue is resumed by the failure: what comes later is sent.
        #expect(
            lines.prefix(2) == [
                "a success 200", "b failed expected a status of 2xx, got 500 Internal Server Error",
            ])
        #expect(lines.count == 4)
    }

    @Test("on the main actor, for those that were cancelled before their turn: still new")
    @MainActor func cancelled() async throws {
        var lines: [String] = []
        let queue = RequestQueue(transport: transport(failing: "a"))
        queue.suspend()
        let records = try ["a", "b", "c"].map { try record($0) }
        await withCheckedContinuation { continuation in
            for record in records {
                queue.enqueue(record) { state, result in
                    lines.append(Self.line(record.name, state, result))
                    if lines.count == 3 { continuation.resume() }
                }
            }
            queue.resume()
        }
        #expect(
            lines == [
                "a failed expected a status of 2xx, got 500 Internal Server Error",
                "b new cancelled by a, before its turn", "c new cancelled by a, before its turn",
            ])
    }

    @Test("on the main actor, ten thousand of two queues in the order of their ends")
    @MainActor func order() async throws {
        let ends = Locked<[Int]>([])
        var told: [Int] = []
        let queues = (0..<2).map { _ in
            RequestQueue(transport: ScriptedTransport { _ in .respond() })
        }
        let request = try HTTPRequest.get("http://test")
        await withCheckedContinuation { continuation in
            for number in 0..<10_000 {
                let record = RequestRecord(name: "r", request: request)
                // The main actor is busy here, so all of them come later.
                queues[number % 2].enqueue(record) { _, _ in
                    told.append(number)
                    if told.count == 10_000 { continuation.resume() }
                }
                ends.change { $0.append(number) }
            }
        }
        #expect(told == ends.value)
    }

    @Test("may add to the queue, from the main actor, what depends on the response")
    @MainActor func appending() async throws {
        let transport = transport()
        let queue = RequestQueue(transport: transport)
        let first = try record("first")
        let second = try record("second")
        await withCheckedContinuation { continuation in
            queue.enqueue(first) { _, _ in
                queue.enqueue(second) { _, _ in continuation.resume() }
            }
        }
        #expect(transport.requests.map(\.url.target) == ["/first", "/second"])
    }

    @Test("on an executor of the caller's, in order")
    func executor() async throws {
        final class Inline: TaskExecutor {
            let count = Atomic(0)

            func enqueue(_ job: consuming ExecutorJob) {
                count.add(1, ordering: .relaxed)
                job.runSynchronously(on: asUnownedTaskExecutor())
            }
        }
        let executor = Inline()
        let lines = Locked<[String]>([])
        let queue = RequestQueue(transport: transport())
        for name in ["a", "b", "c"] {
            queue.enqueue(try record(name), on: executor) { state, result in
                lines.change { $0.append(Self.line(name, state, result)) }
            }
        }
        try await queue.waitUntilIdle()
        #expect(lines.value == ["a success 200", "b success 200", "c success 200"])
        #expect(executor.count.load(ordering: .relaxed) == 3)
    }
}

@Suite("Requests made when their turn comes", .timeLimit(.minutes(1)))
struct DeferredRequestTests {
    @Test("use the response before")
    func chain() async throws {
        let transport = ScriptedTransport { _ in .respond(body: #"{"token":"t1"}"#) }
        let queue = RequestQueue(transport: transport)
        let login = RequestRecord(request: try .post("http://test/login"))
        let profile = RequestRecord(name: "profile") {
            let token = try JSONValue(parsing: login.response?.body ?? [])["token"]?.string ?? ""
            return try .get("http://test/me", fields: ["Authorization": "Bearer \(token)"])
        }
        queue.enqueue([login, profile])
        try await queue.waitUntilIdle()
        #expect(profile.state == .success)
        #expect(transport.requests.last?.fields["Authorization"] == "Bearer t1")
        #expect(profile.request?.url.target == "/me")
    }

    @Test("fail without sending anything when they cannot be made, and stop the others")
    func failure() async throws {
        let transport = ScriptedTransport { _ in .respond() }
        let queue = RequestQueue(transport: transport)
        let bad = RequestRecord(name: "bad") { try .get("nowhere") }
        let next = RequestRecord(name: "next") { try .get("http://test") }
        queue.enqueue([bad, next])
        try await queue.waitUntilIdle()
        #expect(transport.requests.isEmpty)
        #expect(bad.state == .failed)
        #expect(bad.error?.code == .invalidRequest)
        #expect(bad.error?.message.hasPrefix("the request could not be made: ") == true)
        #expect(next.cancellation?.culprit === bad)
    }

    @Test("are not made when they are cancelled before their turn")
    func cancelled() async throws {
        let queue = RequestQueue(transport: ScriptedTransport { _ in .respond() })
        let made = Locked(0)
        queue.suspend()
        let record = RequestRecord(name: "a") {
            made.change { $0 += 1 }
            return try .get("http://test")
        }
        queue.enqueue([record])
        queue.cancelAll()
        #expect(record.result != nil)
        #expect(made.value == 0)
        #expect(throws: RequestError.self) { try record.result?.get() }
    }
}
