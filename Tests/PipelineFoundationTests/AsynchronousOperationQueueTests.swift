import Foundation
import PipelineFoundation
import Synchronization
import Testing

@Suite("Asynchronous operations in a queue", .timeLimit(.minutes(1)))
struct AsynchronousOperationQueueTests {
    /// Takes notes from any thread.
    private final class Notes: Sendable {
        private let notes = Mutex<[String]>([])

        var all: [String] { notes.withLock { $0 } }

        func add(_ note: String) {
            notes.withLock { $0.append(note) }
        }
    }

    private static func queue(width: Int, isSuspended: Bool = false) -> OperationQueue {
        let queue = OperationQueue()
        queue.maxConcurrentOperationCount = width
        queue.isSuspended = isSuspended
        return queue
    }

    @Test("run one after the other in a serial queue, each until it finishes")
    func serial() {
        let queue = Self.queue(width: 1)
        let notes = Notes()
        for index in 0..<50 {
            queue.addOperation(
                RecordingOperation { operation in
                    notes.add("start \(index)")
                    DispatchQueue.global().async {
                        notes.add("end \(index)")
                        operation.finish()
                    }
                })
        }
        #expect(queue.drains())
        #expect(notes.all == (0..<50).flatMap { ["start \($0)", "end \($0)"] })
    }

    @Test("run two at a time in a queue of width two, and never three")
    func twoAtATime() {
        struct Running {
            var waiting: RecordingOperation?
            var count = 0
            var most = 0
        }
        let queue = Self.queue(width: 2)
        let running = Shared(Running())
        // Each waits for a partner: with less than two at a time the queue would be stuck.
        let operations = (0..<50).map { _ in
            RecordingOperation { operation in
                let partner: RecordingOperation? = running.state.withLock { running in
                    running.count += 1
                    running.most = max(running.most, running.count)
                    guard let partner = running.waiting.take() else {
                        running.waiting = operation
                        return nil
                    }
                    running.count -= 2
                    return partner
                }
                guard let partner else { return }
                DispatchQueue.global().async {
                    partner.finish()
                    operation.finish()
                }
            }
        }
        queue.addOperations(operations, waitUntilFinished: false)
        #expect(queue.drains())
        #expect(running.state.withLock { $0.most } == 2)
        #expect(operations.allSatisfy { $0.runs == 1 && $0.isFinished })
    }

    /// A value that closures share.
    private final class Shared<Value: Sendable>: Sendable {
        let state: Mutex<Value>

        init(_ value: Value) {
            state = Mutex(value)
        }
    }

    @Test("cancelled in a suspended queue are let go of when it is resumed, and the queue goes on")
    func suspended() {
        let queue = Self.queue(width: 1, isSuspended: true)
        let operations = (0..<20).map { _ in RecordingOperation { $0.finish() } }
        queue.addOperations(operations, waitUntilFinished: false)
        queue.cancelAllOperations()
        #expect(operations.allSatisfy { !$0.isFinished })
        queue.isSuspended = false
        #expect(queue.drains())
        #expect(operations.allSatisfy { $0.isFinished && $0.runs == 0 })
        let next = RecordingOperation { $0.finish() }
        queue.addOperation(next)
        #expect(queue.drains())
        #expect(next.runs == 1)
    }

    @Test(
        "one that was cancelled, and one that was finished, before being added let the queue go on")
    func endedBeforeAdded() {
        let queue = Self.queue(width: 1)
        let cancelled = RecordingOperation { _ in }
        cancelled.cancel()
        let finished = RecordingOperation { _ in }
        finished.finish()
        let last = RecordingOperation { $0.finish() }
        queue.addOperations([cancelled, finished, last], waitUntilFinished: false)
        #expect(queue.drains())
        #expect([cancelled, finished, last].map(\.runs) == [0, 0, 1])
    }

    @Test("all end when the queue is cancelled from the work of the third")
    func cancelledWhileRunning() {
        let queue = Self.queue(width: 1, isSuspended: true)
        let operations = (0..<10).map { index in
            RecordingOperation { operation in
                if index == 2 { queue.cancelAllOperations() }
                DispatchQueue.global().async { operation.finish() }
            }
        }
        queue.addOperations(operations, waitUntilFinished: false)
        queue.isSuspended = false
        #expect(queue.drains())
        #expect(operations.map(\.runs) == [1, 1, 1, 0, 0, 0, 0, 0, 0, 0])
        #expect(operations.allSatisfy { $0.isFinished })
    }

    @Test("wait for those they depend on, also for a cancelled one")
    func dependencies() {
        let queue = Self.queue(width: 4, isSuspended: true)
        let notes = Notes()
        let operations = ["a", "b", "cancelled", "c"].map { name in
            RecordingOperation { operation in
                DispatchQueue.global().async {
                    notes.add(name)
                    operation.finish()
                }
            }
        }
        for (operation, next) in zip(operations, operations.dropFirst()) {
            next.addDependency(operation)
        }
        // A cancelled operation does not wait for those it depends on, and so does not hold "c".
        operations[3].addDependency(operations[1])
        // The order of adding is not what decides.
        queue.addOperations(operations.reversed(), waitUntilFinished: false)
        operations[2].cancel()
        queue.isSuspended = false
        #expect(queue.drains())
        #expect(notes.all == ["a", "b", "c"])
    }

    @Test("call the completion block once, after the operation is finished")
    func completionBlock() {
        let queue = Self.queue(width: 1)
        let notes = Notes()
        let completed = DispatchSemaphore(value: 0)
        let operation = RecordingOperation { operation in
            operation.finish()
            operation.finish()
        }
        operation.completionBlock = { [unowned operation] in
            notes.add("\(operation.isFinished)")
            completed.signal()
        }
        queue.addOperation(operation)
        #expect(completed.wait(timeout: .now() + 10) == .success)
        #expect(queue.drains())
        #expect(notes.all == ["true"])
    }

    @Test("all finish when the queue is cancelled at any moment")
    func cancelledAtAnyMoment() {
        for round in 0..<50 {
            let queue = Self.queue(width: 2)
            let operations = (0..<20).map { _ in
                RecordingOperation { operation in
                    DispatchQueue.global().async { operation.finish() }
                }
            }
            DispatchQueue.global().async {
                for _ in 0..<(round * 20) { _ = queue.operationCount }
                queue.cancelAllOperations()
            }
            queue.addOperations(operations, waitUntilFinished: false)
            #expect(queue.drains(), "round \(round)")
            #expect(operations.allSatisfy { $0.isFinished && $0.runs <= 1 }, "round \(round)")
        }
    }
}
