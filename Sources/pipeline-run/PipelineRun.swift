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
        switch Command.begin(Array(CommandLine.arguments.dropFirst())) {
        case .ended(let code): exit(code.status)
        case .lasting(let command): perform(command)
        }
    }

    private static func perform(_ command: any LastingCommand) -> Never {
        // Blocked before there is a second thread, which inherits the mask: the signals wait for
        // this thread, and no code is ever interrupted by a handler.
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGINT)
        sigaddset(&signals, SIGTERM)
        pthread_sigmask(SIG_BLOCK, &signals, nil)

        let interruption = Interruption()
        // Detached, because this thread is the main actor's and does nothing but wait.
        Task.detached { exit(await command.perform(until: interruption).status) }
        var signal = wait(for: signals)
        if interruption.receive(signal) { signal = wait(for: signals) }
        _exit(ExitCode.interrupted(by: signal).status)
    }

    /// Sleeps until one of the signals comes.
    private static func wait(for signals: sigset_t) -> Int32 {
        var signals = signals
        var signal: Int32 = 0
        while sigwait(&signals, &signal) != 0 {}
        return signal
    }
}
