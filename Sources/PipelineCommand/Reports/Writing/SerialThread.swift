import PipelineCore

/// A thread that does pieces of work one after the other, beside the thread that brings them.
///
/// It begins with the first piece. Where the system has no thread left, the work is done at once.
final class SerialThread: Sendable {
    private let state = Monitor(State())

    private struct State {
        var work: [Piece] = []
        var isEnding = false
        var thread: PosixThread?
    }

    private typealias Piece = @Sendable () -> Void

    /// How much work may wait: whoever brings more waits too, so that memory stays bounded.
    private static let limit = 4

    /// Has a piece of work done after those that were brought before.
    func perform(_ piece: @escaping @Sendable () -> Void) {
        let isQueued = state.wait { state -> Bool? in
            if state.thread == nil { state.thread = PosixThread { [self] in loop() } }
            guard state.thread != nil else { return false }
            guard state.work.count < Self.limit else { return nil }
            state.work.append(piece)
            return true
        }
        if isQueued { state.wake() } else { piece() }
    }

    /// Waits until everything is done, and ends the thread.
    func finish() {
        let ended = state.change { state in
            state.isEnding = true
            defer { state.thread = nil }
            return state.thread
        }
        ended?.join()
    }

    private func loop() {
        while let piece = next() {
            // There is room again.
            state.wake()
            piece()
        }
    }

    /// The next piece of work, once there is one; `nil` when none will come.
    private func next() -> Piece? {
        state.wait { state -> Piece?? in
            guard state.work.isEmpty else { return state.work.removeFirst() }
            return state.isEnding ? .some(nil) : nil
        }
    }
}
