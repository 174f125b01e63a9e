extension RetryPolicy {
    /// How an attempt ended that may not be the last one.
    package enum Outcome: Sendable {
        /// It brought no response.
        case failed(TransportError)
        /// It brought a response with a status that is no success.
        case answered(status: Int)
        /// It brought a response, but what it is repeated for does not hold yet.
        case unsatisfied
    }

    /// What follows an attempt.
    package enum Decision: Sendable, Hashable {
        /// It was the last one.
        case stop(StopReason)
        /// There is another one after this wait.
        case wait(Duration)
    }

    /// Why there is no other attempt.
    package enum StopReason: Sendable, Hashable {
        /// Trying again would not help, or the request might be acted on twice.
        case notRetryable
        /// All extra tries are used up, or there are none.
        case exhausted
        /// The wait would use up the time that is left.
        case deadline
    }

    /// Decides whether a request is tried again.
    ///
    /// - Parameters:
    ///   - outcome: How the attempt ended.
    ///   - attempt: Which attempt it was, counted from 1.
    ///   - method: The method that was sent.
    ///   - retryAfter: What the response asks for (``RetryAfter``); no wait is shorter.
    ///   - timeLeft: The time until the deadline; `nil` when there is none.
    ///   - random: Where in the range of the jitter the wait is: 0 to 1.
    package func decision(
        after outcome: Outcome, attempt: Int, method: String, retryAfter: Duration?,
        timeLeft: Duration?, random: Double
    ) -> Decision {
        guard isRetryable(outcome, method) else { return .stop(.notRetryable) }
        guard attempt <= limit else { return .stop(.exhausted) }
        let planned = max(wait(after: attempt), retryAfter ?? .zero)
        let wait = lengthened(min(planned, .longestWait), random)
        // With nothing left after the wait, there would be no time for the attempt.
        if let timeLeft, wait >= timeLeft { return .stop(.deadline) }
        return .wait(wait)
    }

    private func isRetryable(_ outcome: Outcome, _ method: String) -> Bool {
        let mayRepeat = retriesNonIdempotent || HTTPRequest.isIdempotent(method)
        switch outcome {
        case .unsatisfied:
            return mayRepeat
        case .answered(let status):
            return mayRepeat && conditions.statuses.contains { $0 ~= status }
        case .failed(let error):
            return (mayRepeat || error.isBeforeSending) && conditions.holds(for: error.code)
        }
    }

    /// The interval, multiplied by the back-off for each attempt after the first, up to the longest.
    private func wait(after attempt: Int) -> Duration {
        // Arithmetic with durations traps where it overflows, so they are cut and compared first.
        let longest = min(intervalLimit, .longestWait)
        let first = min(interval, longest)
        guard first > .zero else { return .zero }
        let factor = backoff >= 0 ? power(backoff, max(1, attempt) - 1) : 1
        return factor >= longest / first ? longest : first * factor
    }

    private func lengthened(_ wait: Duration, _ random: Double) -> Duration {
        let fraction = clamped(jitter) * clamped(random)
        return fraction == 0 ? wait : wait + wait * fraction
    }
}

extension RetryPolicy.Conditions {
    fileprivate func holds(for code: TransportError.Code) -> Bool {
        switch code {
        case .cannotResolve, .cannotConnect, .connectionLost, .bodyCutShort: network
        case .timedOut: timeout
        // The next attempt would meet the same: a certificate is not trusted or the versions do not
        // agree, the server does not speak HTTP, or the request or its receiver was the cause.
        case .tls, .invalidResponse, .cannotDecode, .invalidRequest, .refusedByReceiver: false
        // Whoever cancelled does not want another one.
        case .cancelled: false
        case .other: false
        }
    }
}

/// The nearest number from 0 to 1; 0 for what is no number.
private func clamped(_ number: Double) -> Double {
    number > 0 ? min(number, 1) : 0
}

/// By squaring: an attempt's number may be any.
private func power(_ base: Double, _ exponent: Int) -> Double {
    var (result, square, rest) = (1.0, base, exponent)
    while rest > 0 {
        if rest & 1 == 1 { result *= square }
        square *= square
        rest >>= 1
    }
    return result
}
