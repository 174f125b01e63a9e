import Synchronization

/// A value behind a lock that closures of a test can share.
public final class Locked<Value: Sendable>: Sendable {
    private let mutex: Mutex<Value>

    /// Begins with this value.
    public init(_ value: Value) {
        mutex = Mutex(value)
    }

    /// The value at this moment.
    public var value: Value { mutex.withLock { $0 } }

    /// Changes the value and returns what the change returns.
    @discardableResult
    public func change<Result: Sendable>(_ change: (inout Value) -> Result) -> Result {
        mutex.withLock { change(&$0) }
    }
}
