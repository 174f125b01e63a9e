import Foundation
import Synchronization
import Testing

@testable import PipelineFoundation

@Suite("An asynchronous operation", .timeLimit(.minutes(1)))
struct AsynchronousOperationTests {
    @Test("is executing from its start until finish is called, not until main returns")
    func states() {
        let operation = RecordingOperation { _ in }
        #expect(operation.isAsynchronous)
        #expect(operation.isReady)
        #expect(!operation.isExecuting)
        #expect(!operation.isFinished)
        operation.start()
        #expect(operation.runs == 1)
        #expect(operation.isExecuting)
        #expect(!operation.isFinished)
        operation.finish()
        #expect(!operation.isExecuting)
        #expect(operation.isFinished)
        #expect(operation.changes == [.isExecuting, .isExecuting, .isFinished])
    }

    @Test("tells its observers of the keys that a queue listens to")
    func keys() {
        #expect(AsynchronousOperation.ObservedKey.isExecuting.rawValue == "isExecuting")
        #expect(AsynchronousOperation.ObservedKey.isFinished.rawValue == "isFinished")
    }

    @Test("finishes at once when main is not overridden")
    func noMain() {
        let operation = AsynchronousOperation()
        operation.start()
        #expect(operation.isFinished)
    }

    @Test("finishes once however often finish is called")
    func finishTwice() {
        let operation = RecordingOperation { operation in
            operation.finish()
            operation.finish()
        }
        operation.start()
        operation.finish()
        #expect(operation.changes == [.isExecuting, .isExecuting, .isFinished])
    }

    @Test("does nothing when it is started again")
    func startTwice() {
        let operation = RecordingOperation { _ in }
        operation.start()
        operation.start()
        #expect(operation.runs == 1)
        operation.finish()
        operation.start()
        #expect(operation.runs == 1)
        #expect(operation.changes == [.isExecuting, .isExecuting, .isFinished])
    }

    @Test("that was cancelled before its start is not finished until started, and does no work")
    func cancelledBeforeStart() {
        let operation = RecordingOperation { $0.finish() }
        operation.cancel()
        #expect(!operation.isFinished)
        operation.start()
        #expect(operation.isFinished)
        #expect(!operation.isExecuting)
        #expect(operation.runs == 0)
        #expect(operation.changes == [.isFinished])
    }

    @Test("that was finished before its start is not finished until started, and does no work")
    func finishedBeforeStart() {
        let operation = RecordingOperation { _ in }
        operation.finish()
        #expect(!operation.isFinished)
        operation.start()
        #expect(operation.isFinished)
        #expect(operation.runs == 0)
        #expect(operation.changes == [.isFinished])
    }

    @Test("that is finished while it starts does no work and finishes once")
    func finishedDuringStart() {
        let operation = RecordingOperation(
            beforeChange: { $0.finish() },
            work: { _ in }
        )
        operation.start()
        #expect(operation.isFinished)
        #expect(operation.runs == 0)
        #expect(operation.changes == [.isExecuting, .isExecuting, .isFinished])
    }

    @Test("cancelled while it runs stays executing until its work ends")
    func cancelledWhileRunning() {
        let operation = RecordingOperation { _ in }
        operation.start()
        operation.cancel()
        #expect(operation.isCancelled)
        #expect(operation.isExecuting)
        #expect(!operation.isFinished)
        operation.finish()
        #expect(operation.isFinished)
        #expect(operation.changes == [.isExecuting, .isExecuting, .isFinished])
    }

    @Test("finishes exactly once in 10,000 races of start, cancel and two finishes")
    func races() {
        for iteration in 0..<10_000 {
            let operation = RecordingOperation { _ in }
            DispatchQueue.concurrentPerform(iterations: 4) { index in
                switch (index + iteration) % 4 {
                case 0: operation.start()
                case 1: operation.cancel()
                default: operation.finish()
                }
            }
            let changes = operation.changes
            let isRight =
                operation.isFinished && !operation.isExecuting && operation.runs <= 1
                && (changes == [.isFinished]
                    || changes == [.isExecuting, .isExecuting, .isFinished])
            #expect(isRight, "iteration \(iteration): \(changes)")
            if !isRight { return }
        }
    }
}
