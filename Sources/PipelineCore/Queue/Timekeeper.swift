/// The time of a queue, counted from its beginning, and when it is over.
struct Timekeeper: Sendable {
    /// When everything has to be done; `nil` for never.
    let limit: Duration?
    private let now: @Sendable () -> Duration
    private let wait: @Sendable (Duration) async throws -> Void

    /// Begins to count on this clock.
    init(_ clock: some Clock<Duration> = ContinuousClock(), limit: Duration? = nil) {
        let start = clock.now
        self.limit = limit
        now = { start.duration(to: clock.now) }
        // To wait is what it is for: for the policy's pauses and for the deadline.
        wait = { try await clock.sleep(for: min($0, .longestWait)) }
    }

    /// The time since the beginning.
    var elapsed: Duration { now() }

    /// What is left of it, negative when it is over; `nil` without a limit.
    var timeLeft: Duration? { limit.map { $0 - now() } }

    /// Waits that long; returns whether nobody cancelled the task meanwhile.
    ///
    /// For pauses, timeouts and deadlines, whose time has to pass; nothing else is waited for so.
    func sleep(for duration: Duration) async -> Bool {
        (try? await wait(duration)) != nil && !Task.isCancelled
    }
}

extension Duration {
    /// About a hundred years: nothing waits longer, whatever it was told, and no clock overflows.
    package static let longestWait = Duration.seconds(3_155_760_000)
}
