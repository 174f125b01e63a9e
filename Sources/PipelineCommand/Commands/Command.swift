import PipelineCore

/// Something that goes on for a while and can be interrupted.
package protocol LastingCommand: Sendable {
    /// Does it, until its end or the signal; holds the calling thread.
    func perform(until interruption: Interruption) -> ExitCode
}

/// The command line as a whole.
package enum Command {
    /// What became of a command line when it was read.
    package enum Beginning {
        /// Everything is done.
        case ended(ExitCode)
        /// This is to be done, which takes threads and time.
        case lasting(any LastingCommand)
    }

    /// Reads the arguments that follow the name of the program, and does what takes no time.
    package static func begin(_ arguments: [String]) -> Beginning {
        StandardStream.fillGaps()
        do {
            return try begin(ArgumentParser.parse(arguments))
        } catch {
            let console = Console(color: .auto)
            let problems = ([error.message] + error.others).map { Line.error($0) }
            console.report(problems + [Line("  see pipeline-run --help")])
            return .ended(.usage)
        }
    }

    private static func begin(_ invocation: Invocation) throws(UsageError) -> Beginning {
        let settings = invocation.settings
        let console = Console(
            color: settings.color, results: settings.usesStandardOutput ? .error : .output)
        switch (invocation.notice, invocation.command) {
        case (.help(let topic)?, _):
            console.print(verbatim: settings.helpFormat.text(for: topic))
        case (.version?, _):
            console.print(verbatim: "pipeline-run \(Version.text)\n")
        case (nil, .schema):
            console.print(verbatim: PipelineFormat.schema())
        case (nil, .validate):
            let command = ValidateCommand(settings: settings, console: console)
            return .ended(command.perform().or(console.exitCode))
        case (nil, .initialize):
            return .ended(InitCommand(settings, console).perform().or(console.exitCode))
        case (nil, .merge):
            let command = MergeCommand(settings: settings, console: console)
            return .ended(command.perform().or(console.exitCode))
        case (nil, .serve):
            return .lasting(try ServeCommand(settings, console))
        case (nil, .run), (nil, .help):
            guard settings.watches else { return .lasting(try RunCommand(settings, console)) }
            guard !settings.operands.contains("-") else {
                throw UsageError("--watch: standard input cannot be run again")
            }
            return .lasting(WatchCommand(settings: settings, console: console))
        }
        return .ended(console.exitCode)
    }
}
