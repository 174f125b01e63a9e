import Foundation

/// Runs a body on a thread with an eighth of the smallest stack that a worker thread may have.
func onSmallStack(
    _ size: Int = 64 << 10, _ body: @escaping @Sendable () throws -> Void
) async throws {
    try await withCheckedThrowingContinuation { continuation in
        let thread = Thread {
            continuation.resume(with: Result(catching: body))
        }
        thread.stackSize = size
        thread.start()
    }
}
