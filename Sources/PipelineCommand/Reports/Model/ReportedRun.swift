import PipelineCore

/// All of what a command did, for what stands around the files of a report.
struct ReportedRun: Sendable {
    let startedAt: UTCTime
    let duration: Duration
    /// The files in the order of the command line.
    let files: [ReportedSummary]
    /// The status that the process ends with, unless a report cannot be written.
    let exitCode: ExitCode
    /// The signal that asked for the end; `nil` for none.
    let signal: Int32?
    /// Whether the command line gave up the verification of certificates.
    let isInsecure: Bool

    /// The same, ending with the status that tells of a report that could not be written.
    var failingToWrite: ReportedRun {
        ReportedRun(
            startedAt: startedAt, duration: duration, files: files,
            exitCode: exitCode.or(.output), signal: signal, isInsecure: isInsecure)
    }

    /// How many requests of all files ended that way.
    func count(_ outcome: RequestResult.Outcome) -> Int {
        files.reduce(0) { $0 + $1.count(outcome) }
    }
}

/// A file of a run, as it is known before its first request.
struct ReportedFile: Sendable {
    /// Its place on the command line, from 0.
    let number: Int
    /// What messages call it.
    let name: String
    /// What the pipeline is called; the file's name when that could not be read.
    let title: String
    /// How many requests, and files that are not valid, come before it: its first one has the
    /// number after that.
    let precedingCount: Int
    /// How many requests it has, left out ones included; 1 for a file that is not valid.
    let itemCount: Int
    /// Whether it is answered from its own examples.
    let isStub: Bool
    /// Whether the command line gave up the verification of certificates.
    let isInsecure: Bool
    let startedAt: UTCTime
    /// From the start of the command to that of the file.
    let offset: Duration
}

/// How the run of a file went, once it is over.
struct ReportedSummary: Sendable {
    let file: ReportedFile
    let ending: Ending
    let duration: Duration
    /// How many requests ended in which way.
    let counts: [RequestResult.Outcome: Int]
    /// How many of the failed requests did not pass a check, as opposed to those that could not be
    /// completed.
    let unmetCount: Int
    let exitCode: ExitCode

    enum Ending: Sendable {
        /// It was run to its end, or until something from outside ended it.
        case ran(interruption: Cancellation.Reason?)
        /// It could not be run, for these reasons.
        case invalid([ReportedFinding])
        /// It was not started, for this reason: `not started: login.json failed`.
        case notStarted(String)
    }

    func count(_ outcome: RequestResult.Outcome) -> Int { counts[outcome] ?? 0 }

    var isNotStarted: Bool {
        if case .notStarted = ending { true } else { false }
    }

    /// The failed requests that could not be completed.
    var incompleteCount: Int { count(.failed) - unmetCount }
}
