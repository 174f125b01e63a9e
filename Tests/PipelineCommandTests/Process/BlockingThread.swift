import PipelineCore

/// A thread for work that blocks, which the threads of Swift's own tasks must not.
enum BlockingThread {
    /// Does the work on a new thread and waits for it as tasks do.
    static func run<Value: Sendable>(
        _ work: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            let thread = PosixThread { continuation.resume(with: Result { try work() }) }
            guard let thread else {
                let failure = Subprocess.Failure(message: "no thread is left")
                return continuation.resume(throwing: failure)
            }
            thread.detach()
        }
    }
}
