import PipelineCore

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Runs pipelines again whenever a file changes that they are made of, until a signal comes.
struct WatchCommand: LastingCommand {
    private let settings: Settings
    private let console: Console
    /// Waits between two looks at the files.
    private let pause: @Sendable () -> Void

    init(
        _ settings: Settings, _ console: Console,
        pause: @escaping @Sendable () -> Void = { usleep(300_000) }
    ) {
        self.settings = settings
        self.console = console
        self.pause = pause
    }

    func perform(until interruption: Interruption) -> ExitCode {
        while true {
            let files = WatchedFiles(settings)
            let code = run(until: interruption)
            if interruption.signal == nil {
                console.report([
                    Line(), Line("watching \(files.count) files; Ctrl-C ends", .dim), Line(),
                ])
                waitForChange(of: files, until: interruption)
            }
            if let signal = interruption.signal { return code.or(.interrupted(by: signal)) }
        }
    }

    private func run(until interruption: Interruption) -> ExitCode {
        do throws(UsageError) {
            return try RunCommand(settings, console).perform(until: interruption)
        } catch {
            console.report(error: error.message)
            return .usage
        }
    }

    /// Waits until files are other than they were and then stay as they are for a moment: editors
    /// take several steps to write one.
    private func waitForChange(of files: WatchedFiles, until interruption: Interruption) {
        var last = files
        while interruption.signal == nil {
            pause()
            let now = WatchedFiles(settings)
            if now != files, now == last { return }
            last = now
        }
    }
}
