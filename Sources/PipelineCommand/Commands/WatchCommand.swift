/// Runs pipelines again whenever a file changes that they are made of, until a signal comes.
struct WatchCommand: LastingCommand {
    let settings: Settings
    let console: Console

    /// How long is waited between two looks at the files.
    private static let pause = Duration.milliseconds(300)

    func perform(until interruption: Interruption) -> ExitCode {
        while true {
            let files = WatchedFiles(settings)
            let code = run(until: interruption)
            if interruption.signal == nil {
                console.report([
                    Line(),
                    Line(
                        "watching \(files.count) file\(files.count == 1 ? "" : "s"); Ctrl-C ends",
                        .dim),
                    Line(),
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
            interruption.wait(upTo: Self.pause)
            let now = WatchedFiles(settings)
            if now != files, now == last { return }
            last = now
        }
    }
}
