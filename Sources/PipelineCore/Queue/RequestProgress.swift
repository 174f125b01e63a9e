/// What a request in flight is at, for whoever shows it.
package struct RequestProgress: Sendable, Hashable {
    /// The attempt that is under way, or that the wait is for; from 1 on.
    package let attempt: Int
    /// How many attempts there may be.
    package let attemptLimit: Int
    package let phase: Phase

    /// What goes on in this moment.
    package enum Phase: Sendable, Hashable {
        /// It waits before the attempt, this long from now.
        case waiting(Duration)
        /// An exchange is under way; so much of the body has come, of so much where the head says.
        case receiving(Int, of: Int?)
    }

    package init(attempt: Int, attemptLimit: Int, phase: Phase) {
        self.attempt = attempt
        self.attemptLimit = attemptLimit
        self.phase = phase
    }
}
