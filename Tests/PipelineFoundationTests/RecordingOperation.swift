import Foundation
import Synchronization

@testable import PipelineFoundation

/// An operation whose work is a closure, and which notes what its observers are told.
///
/// `@unchecked`, as its superclass is: all that changes is behind a `Mutex`.
final class RecordingOperation: AsynchronousOperation, @unchecked Sendable {
    private let work: @Sendable (RecordingOperation) -> Void
    private let beforeChange: (@Sendable (RecordingOperation) -> Void)?
    private let record = Mutex(Record())

    private struct Record {
        var runs = 0
        var changes: [ObservedKey] = []
    }

    /// How often the work began.
    var runs: Int { record.withLock { $0.runs } }

    /// Of what the observers were told, in order.
    var changes: [ObservedKey] { record.withLock { $0.changes } }

    init(
        beforeChange: (@Sendable (RecordingOperation) -> Void)? = nil,
        work: @escaping @Sendable (RecordingOperation) -> Void
    ) {
        self.beforeChange = beforeChange
        self.work = work
        super.init()
    }

    override func main() {
        record.withLock { $0.runs += 1 }
        work(self)
    }

    override func change(_ keys: [ObservedKey], _ body: () -> Void) {
        beforeChange?(self)
        record.withLock { $0.changes += keys }
        super.change(keys, body)
    }
}

extension OperationQueue {
    /// Whether all operations finish within ten seconds.
    func drains() -> Bool {
        let drained = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            self.waitUntilAllOperationsAreFinished()
            drained.signal()
        }
        return drained.wait(timeout: .now() + 10) == .success
    }
}
