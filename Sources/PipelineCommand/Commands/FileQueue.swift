import PipelineCore
import Synchronization

/// Has the files of a command run, several side by side, each of them once.
///
/// They are started in order. What each prints is shown whole and in order: that of the first that
/// has not ended at once, that of the others when their turn has come.
final class FileQueue: Sendable {
    private let count: Int
    private let console: Console
    private let perform: Perform
    private let state: Mutex<State>

    /// Runs the file of that number on that console and returns its code; `nil` when it was not
    /// started.
    ///
    /// It is told which was the first to end that failed or is not valid.
    typealias Perform =
        @Sendable (_ number: Int, _ console: Console, _ failed: Int?) -> ExitCode?

    private struct State {
        /// The next one to be started.
        var next = 0
        /// The one whose output is shown.
        var turn = 0
        var consoles: [Int: Console] = [:]
        var ended: Set<Int> = []
        var codes: [ExitCode?]
        /// The first that failed.
        var failed: Int?
    }

    init(count: Int, console: Console, perform: @escaping Perform) {
        self.count = count
        self.console = console
        self.perform = perform
        state = Mutex(State(codes: Array(repeating: nil, count: count)))
    }

    /// Runs all of them and returns their codes; holds the calling thread, which runs some itself.
    ///
    /// - Parameter width: How many may run at once.
    func run(width: Int) -> [ExitCode?] {
        let isAlone = width == 1
        // Where the system has no thread left, fewer run at once.
        let threads = (1..<max(1, min(width, count))).compactMap { _ in
            PosixThread { [self] in work(isAlone: false) }
        }
        work(isAlone: isAlone)
        for thread in threads { thread.join() }
        return state.withLock(\.codes)
    }

    private func work(isAlone: Bool) {
        while let (number, output, failed) = takeNext(isAlone: isAlone) {
            end(number, perform(number, output, failed))
        }
    }

    private func takeNext(isAlone: Bool) -> (number: Int, console: Console, failed: Int?)? {
        state.withLock { state in
            guard state.next < count else { return nil }
            defer { state.next += 1 }
            let output = isAlone ? console : console.makeHeld()
            if !isAlone {
                state.consoles[state.next] = output
                if state.next == state.turn { output.release() }
            }
            return (state.next, output, state.failed)
        }
    }

    private func end(_ number: Int, _ code: ExitCode?) {
        state.withLock { state in
            state.codes[number] = code
            if let code, code != .success { state.failed = state.failed ?? number }
            state.ended.insert(number)
            while state.ended.remove(state.turn) != nil {
                state.consoles[state.turn] = nil
                state.turn += 1
                state.consoles[state.turn]?.release()
            }
        }
    }
}
