import PipelineCommand
import PipelineCore

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

@main
enum PipelineRun {
    static func main() {
        // A reader who has enough is not the end of a run.
        signal(SIGPIPE, SIG_IGN)
        switch Command.begin(Array(CommandLine.arguments.dropFirst())) {
        case .ended(let code): end(code)
        case .lasting(let command):
            let interruption = Interruption()
            watch(for: interruption)
            end(command.perform(until: interruption))
        }
    }

    /// Waits for SIGINT and SIGTERM on a thread of its own.
    ///
    /// They are blocked before there is a second thread, which inherits the mask: they wait for that
    /// thread, and no code is ever interrupted by a handler.
    private static func watch(for interruption: Interruption) {
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGINT)
        sigaddset(&signals, SIGTERM)
        pthread_sigmask(SIG_BLOCK, &signals, nil)
        // Without a thread for it, signals do what they always do.
        let watcher = PosixThread { [signals] in
            var signal = wait(for: signals)
            if interruption.receive(signal) { signal = wait(for: signals) }
            interruption.abandon()
            end(.interrupted(by: signal))
        }
        if watcher == nil { pthread_sigmask(SIG_UNBLOCK, &signals, nil) }
        watcher?.detach()
    }

    /// Ends the process: nothing is buffered, and what libraries would tidy up ends with it.
    private static func end(_ code: ExitCode) -> Never {
        BodyFile.removeUnfinished()
        _exit(code.status)
    }

    /// Sleeps until one of the signals comes.
    private static func wait(for signals: sigset_t) -> Int32 {
        var signals = signals
        var signal: Int32 = 0
        while sigwait(&signals, &signal) != 0 {}
        return signal
    }
}
