import Foundation
import PipelineCore
import PipelineFoundation
import TestSupport
import Testing

@Suite("Requests as operations", .timeLimit(.minutes(1)))
struct RequestOperationTests {
    private let lines = Locked<[String]>([])

    private func operation(
        _ name: String, _ transport: any Transport, then: (@Sendable () -> Void)? = nil
    ) throws -> RequestOperation {
        let record = RequestRecord(name: name, request: try .get("http://test/\(name)"))
        return RequestOperation(record, transport: transport) { state, result in
            let text: String =
                switch result {
                case .success(let response): "\(name) \(state) \(response.status)"
                case .failure(let error): "\(name) \(state) \(error.code)"
                }
            lines.change { $0.append(text) }
            then?()
        }
    }

    private func transport(failing name: String? = nil) -> ScriptedTransport {
        ScriptedTransport { $0.url.target == "/\(name ?? "")" ? .respond(status: 500) : .respond() }
    }

    @Test("are sent one after the other in a serial queue, and tell their completions")
    func serial() throws {
        let queue = FailFastOperationQueue()
        let transport = transport()
        let operations = try ["a", "b", "c"].map { try operation($0, transport) }
        queue.addOperations(operations, waitUntilFinished: false)
        #expect(queue.drains())
        #expect(lines.value == ["a success 200", "b success 200", "c success 200"])
        #expect(transport.requests.map(\.url.target) == ["/a", "/b", "/c"])
        #expect(operations.allSatisfy { $0.isFinished && !$0.isCancelled })
    }

    @Test("of which one fails cancel the others, as in the second seed, and the queue is as new")
    func failFast() throws {
        let queue = FailFastOperationQueue()
        queue.isSuspended = true
        let transport = transport(failing: "b")
        let operations = try ["a", "b", "c", "d"].map { try operation($0, transport) }
        queue.addOperations(operations, waitUntilFinished: false)
        queue.isSuspended = false
        #expect(queue.drains())
        #expect(
            lines.value == [
                "a success 200", "b failed expectation", "c new cancelled", "d new cancelled",
            ])
        #expect(transport.requests.count == 2)
        #expect(operations.map(\.isCancelled) == [false, false, true, true])
        #expect(operations[3].record.cancellation?.description == "cancelled by b")
        queue.addOperation(try operation("e", transport))
        #expect(queue.drains())
        #expect(lines.value.last == "e success 200")
    }

    @Test("leave what a completion adds after a failure")
    func addedByCompletion() throws {
        let queue = FailFastOperationQueue()
        queue.isSuspended = true
        let transport = transport(failing: "a")
        let again = try operation("again", transport)
        queue.addOperation(try operation("a", transport) { queue.addOperation(again) })
        queue.addOperation(try operation("b", transport))
        queue.isSuspended = false
        #expect(queue.drains())
        #expect(lines.value == ["a failed expectation", "b new cancelled", "again success 200"])
    }

    @Test("keep their order among an app's own operations, and cancel those too")
    func mixed() throws {
        let queue = FailFastOperationQueue()
        queue.isSuspended = true
        let transport = transport(failing: "b")
        let lines = lines
        let own = BlockOperation { lines.change { $0.append("own") } }
        let late = BlockOperation { lines.change { $0.append("late") } }
        let b = try operation("b", transport)
        let outside = BlockOperation { lines.change { $0.append("outside") } }
        outside.addDependency(b)
        late.addDependency(b)
        queue.addOperations(
            [try operation("a", transport), own, b, late, try operation("c", transport)],
            waitUntilFinished: false)
        let other = OperationQueue()
        other.addOperation(outside)
        queue.isSuspended = false
        #expect(queue.drains())
        #expect(other.drains())
        #expect(late.isCancelled)
        #expect(
            lines.value.filter { $0 != "outside" } == [
                "a success 200", "own", "b failed expectation", "c new cancelled",
            ])
        // A dependency is met by the end of an operation, whatever the end.
        #expect(lines.value.contains("outside"))
    }

    @Test("end the others in flight when the queue has two places")
    func twoInFlight() async throws {
        let queue = FailFastOperationQueue()
        queue.maxConcurrentOperationCount = 2
        let transport = ScriptedTransport { _ in .hold }
        for name in ["a", "b", "c"] { queue.addOperation(try operation(name, transport)) }
        try await transport.waitForRequests(count: 2)
        let failing = try #require(transport.held.last)
        failing.resume(with: .respond(status: 500))
        #expect(queue.drains())
        #expect(transport.held.count == 2)
        #expect(transport.held.allSatisfy { $0.isOver })
        #expect(lines.value.count == 3)
        #expect(lines.value.first?.hasSuffix("failed expectation") == true)
        #expect(lines.value.contains("c new cancelled"))
    }

    @Test("cancel the request in flight, and no other")
    func cancelInFlight() async throws {
        let queue = FailFastOperationQueue()
        let transport = ScriptedTransport { $0.url.target == "/a" ? .hold : .respond() }
        let first = try operation("a", transport)
        queue.addOperation(first)
        queue.addOperation(try operation("b", transport))
        try await transport.waitForRequests(count: 1)
        first.cancel()
        #expect(queue.drains())
        #expect(lines.value == ["a failed cancelled", "b success 200"])
    }

    @Test("cancelled in a suspended queue are told at once, and let go of by a reset")
    func reset() throws {
        let queue = FailFastOperationQueue()
        queue.isSuspended = true
        let transport = transport()
        queue.addOperations(
            try ["a", "b"].map { try operation($0, transport) }, waitUntilFinished: false)
        queue.cancelAllOperations()
        #expect(lines.value == ["a new cancelled", "b new cancelled"])
        #expect(queue.operationCount == 2)
        queue.reset()
        #expect(queue.drains())
        #expect(lines.value.count == 2)
        #expect(transport.requests.isEmpty)
    }

    @Test("that are let go of without being started tell their completion")
    func released() throws {
        do { _ = try operation("a", transport()) }
        #expect(lines.value == ["a new cancelled"])
    }

    @Test("call every completion exactly once when start, cancel and answer race")
    func races() throws {
        var random = SeededGenerator(seed: printedSeed("RequestOperation races"))
        let rounds = 10_000
        let calls = Locked([Int](repeating: 0, count: rounds))
        let unfinished = Locked<[Int]>([])
        let queue = OperationQueue()
        queue.maxConcurrentOperationCount = 4
        let request = try HTTPRequest.get("http://test")
        let pool = DispatchQueue(label: "races", attributes: .concurrent)
        let group = DispatchGroup()
        var operations: [RequestOperation] = []
        for round in 0..<rounds {
            // Each answer comes from a thread of its own, unless the cancel was first.
            let transport = ScriptedTransport { _ in .hold }
            let operation = RequestOperation(
                RequestRecord(name: "r", request: request), transport: transport
            ) { _, _ in calls.change { $0[round] += 1 } }
            operations.append(operation)
            let acts: [@Sendable () -> Void] = [
                { queue.addOperation(operation) },
                { operation.cancel() },
                { for exchange in transport.held { exchange.resume(with: .respond()) } },
            ].shuffled(using: &random)
            for act in acts.dropLast(Int.random(in: 0...1, using: &random)) {
                pool.async(group: group, execute: act)
            }
            guard round % 500 == 499 else { continue }
            group.wait()
            // Whatever was left out above happens now.
            for operation in operations where !operation.isFinished { operation.cancel() }
            for operation in operations
            where !operation.isFinished && !queue.operations.contains(operation) {
                operation.start()
            }
            queue.waitUntilAllOperationsAreFinished()
            for (index, operation) in operations.enumerated()
            where !operation.isFinished || !operation.record.hasEnded {
                unfinished.change { $0.append(round - 499 + index) }
            }
            operations = []
        }
        #expect(unfinished.value.isEmpty)
        #expect(calls.value.allSatisfy { $0 == 1 })
    }
}
