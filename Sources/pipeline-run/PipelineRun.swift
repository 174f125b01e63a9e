import PipelineCommand

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
        // Blocked before there is a second thread, which would inherit the mask, so that the signals
        // wait for this one and no code is ever interrupted by a handler.
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGINT)
        sigaddset(&signals, SIGTERM)
        pthread_sigmask(SIG_BLOCK, &signals, nil)

        switch Command.begin(Array(CommandLine.arguments.dropFirst())) {
        case .ended(let code):
            exit(code.status)
        case .lasting(let command):
            let interruption = Interruption()
            // Detached: this thread, the main actor, only waits for signals from now on.
            Task.detached { exit(await command.perform(until: interruption).status) }
            interruption.receive(wait(for: signals))
            _exit(ExitCode.interrupted(by: wait(for: signals)).status)
        }
    }

    /// Sleeps until one of the signals comes.
    private static func wait(for signals: sigset_t) -> Int32 {
        var signals = signals
        var signal: Int32 = 0
        while sigwait(&signals, &signal) != 0 {}
        return signal
    }
}
