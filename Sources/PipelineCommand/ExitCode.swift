/// What the process tells its caller; scripts rely on these numbers.
package struct ExitCode: Sendable, Hashable {
    /// The status of the process.
    package let status: Int32

    /// Every request succeeded.
    static let success = ExitCode(status: 0)
    /// An expectation or a capture failed.
    static let failure = ExitCode(status: 1)
    /// Wrong usage, an unreadable or invalid file, nothing to run.
    static let usage = ExitCode(status: 2)
    /// A request could not be completed.
    static let incomplete = ExitCode(status: 3)
    /// Output could not be written.
    static let output = ExitCode(status: 4)

    /// Ended by a signal, as shells number it.
    package static func interrupted(by signal: Int32) -> ExitCode { ExitCode(status: 128 + signal) }

    /// Whether a signal ended it.
    var isInterrupted: Bool { status > 128 }

    /// The more serious of the two codes.
    func or(_ other: ExitCode) -> ExitCode { other.severity > severity ? other : self }

    private var severity: Int {
        switch self {
        case .success: 0
        case .failure: 1
        case .incomplete: 2
        case .output: 3
        case .usage: 4
        default: 5
        }
    }
}
