import PipelineCore
import Synchronization

/// Shows what is running at the bottom of a console, for as long as a command runs.
///
/// What happens may be told from any thread.
final class LiveProgress: Sendable {
    private let console: Console
    private let state: Mutex<ProgressState>
    private let isOver = Monitor(false)

    /// How long is waited between two drawings.
    private static let pause = Duration.milliseconds(100)

    init(on console: Console, fileCount: Int) {
        self.console = console
        state = Mutex(ProgressState(fileCount: fileCount))
    }

    /// Does the work on the calling thread, and draws on another one.
    func show<Result>(during work: () -> Result) -> Result {
        let thread = PosixThread { [self] in
            while true {
                isOver.wait(upTo: Self.pause, until: \.self)
                if isOver.withLock(\.self) { return }
                draw()
            }
        }
        defer {
            isOver.change { $0 = true }
            thread?.join()
            console.erase()
        }
        return work()
    }

    /// Something has happened.
    func note(_ change: (inout ProgressState) -> Void) {
        state.withLock { change(&$0) }
    }

    private func draw() {
        // Looked at outside the lock: the requests in flight have locks of their own.
        let line = state.withLock(\.self).line(at: .now)
        console.draw { width in line.text(width: width).map { Line($0, .dim) } }
    }
}
