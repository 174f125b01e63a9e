/// Holds a thread until a value has come.
///
/// The program's first thread waits so, instead of with `await`, because it has nothing else to do
/// meanwhile: the concurrency runtime would start threads of its own, which a short run notices.
final class Latch<Value: Sendable>: Sendable {
    private let value = Monitor<Value?>(nil)

    /// Lets waiting threads go on with this value; the first call counts.
    func open(_ result: Value) {
        value.change { $0 = $0 ?? result }
    }

    /// Holds the calling thread until the value is there.
    func wait() -> Value { value.wait { $0 } }
}
