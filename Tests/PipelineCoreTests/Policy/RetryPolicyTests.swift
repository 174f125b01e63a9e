import PipelineCore
import Testing

@Suite("Retries")
struct RetryPolicyTests {
    @Test
    func `Nothing is retried unless asked for`() {
        #expect(RetryPolicy().limit == 0)
        #expect(decide(RetryPolicy(), .answered(status: 503)) == .stop(.exhausted))
    }

    @Test(
        "O38: statuses that are retried",
        arguments: [
            (404, false), (408, true), (425, false), (429, true), (500, true), (501, false),
            (502, true), (503, true), (504, true), (505, false), (200, false),
        ])
    func statuses(status: Int, isRetried: Bool) {
        let outcome = RetryPolicy.Outcome.answered(status: status)
        let expected: RetryPolicy.Decision =
            isRetried ? .wait(.seconds(1)) : .stop(.notRetryable)
        #expect(decide(RetryPolicy(limit: 2), outcome) == expected)
        #expect(decide(RetryPolicy(limit: 2), outcome, method: "POST") == .stop(.notRetryable))
        let willing = RetryPolicy(limit: 2, retriesNonIdempotent: true)
        #expect(decide(willing, outcome, method: "POST") == expected)
    }

    @Test(
        "O38: methods that may be repeated, RFC 9110 section 9.2.2",
        arguments: [
            ("GET", true), ("HEAD", true), ("OPTIONS", true), ("TRACE", true), ("PUT", true),
            ("DELETE", true), ("POST", false), ("PATCH", false), ("CONNECT", false),
            ("get", false), ("PROPFIND", false),
        ])
    func methods(method: String, isRetried: Bool) {
        let policy = RetryPolicy(limit: 1)
        let expected: RetryPolicy.Decision =
            isRetried ? .wait(.seconds(1)) : .stop(.notRetryable)
        #expect(decide(policy, .answered(status: 503), method: method) == expected)
        let lost = TransportError(.connectionLost, "reset")
        #expect(decide(policy, .failed(lost), method: method) == expected)
        // Refused: the server cannot have acted on it.
        let refused = TransportError(.cannotConnect, "refused", isBeforeSending: true)
        #expect(decide(policy, .failed(refused), method: method) == .wait(.seconds(1)))
        #expect(decide(policy, .unsatisfied, method: method) == expected)
    }

    @Test("O38: failures that are transient", arguments: TransportError.Code.allCases)
    func failures(code: TransportError.Code) {
        let network: [TransportError.Code] = [
            .cannotResolve, .cannotConnect, .connectionLost, .bodyCutShort,
        ]
        for (onNetwork, onTimeout) in [(true, true), (true, false), (false, true)] {
            let policy = RetryPolicy(
                limit: 1, conditions: .init(network: onNetwork, timeout: onTimeout))
            let isRetried =
                onNetwork && network.contains(code) || onTimeout && code == .timedOut
            for isBeforeSending in [false, true] {
                let error = TransportError(code, "m", isBeforeSending: isBeforeSending)
                #expect(
                    decide(policy, .failed(error))
                        == (isRetried ? .wait(.seconds(1)) : .stop(.notRetryable)))
            }
        }
    }

    @Test
    func `Statuses can be chosen`() {
        let policy = RetryPolicy(limit: 1, conditions: .init(statuses: [404...404, 500...599]))
        #expect(decide(policy, .answered(status: 404)) == .wait(.seconds(1)))
        #expect(decide(policy, .answered(status: 501)) == .wait(.seconds(1)))
        #expect(decide(policy, .answered(status: 429)) == .stop(.notRetryable))
    }

    @Test
    func `There are as many extra tries as max says`() {
        let policy = RetryPolicy(limit: 2)
        #expect(decide(policy, .unsatisfied, attempt: 2) == .wait(.seconds(2)))
        #expect(decide(policy, .unsatisfied, attempt: 3) == .stop(.exhausted))
    }

    @Test
    func `Waits grow by the back-off up to the longest`() {
        let policy = RetryPolicy(limit: 9, interval: .milliseconds(300), intervalLimit: .seconds(2))
        let waits = (1...5).map { decide(policy, .unsatisfied, attempt: $0) }
        #expect(waits == [300, 600, 1200, 2000, 2000].map { .wait(.milliseconds($0)) })
        let steady = RetryPolicy(limit: 9, interval: .milliseconds(100), backoff: 1)
        #expect(decide(steady, .unsatisfied, attempt: 9) == .wait(.milliseconds(100)))
    }

    @Test
    func `Jitter lengthens a wait and never shortens it`() {
        let policy = RetryPolicy(limit: 9, jitter: 0.5)
        #expect(decide(policy, .unsatisfied, random: 0) == .wait(.seconds(1)))
        #expect(decide(policy, .unsatisfied, random: 0.5) == .wait(.milliseconds(1250)))
        #expect(decide(policy, .unsatisfied, random: 1) == .wait(.milliseconds(1500)))
        // It may lengthen what Retry-After asks for, and counts for the deadline.
        #expect(
            decide(policy, .unsatisfied, retryAfter: .seconds(4), random: 1) == .wait(.seconds(6)))
        #expect(
            decide(policy, .unsatisfied, timeLeft: .milliseconds(1400), random: 1)
                == .stop(.deadline))
    }

    @Test(
        "O39: Retry-After is a floor, whatever was met",
        arguments: [
            RetryPolicy.Outcome.answered(status: 429), .answered(status: 503),
            .answered(status: 500), .unsatisfied,
        ])
    func floor(outcome: RetryPolicy.Outcome) {
        let policy = RetryPolicy(limit: 1, intervalLimit: .seconds(5))
        #expect(decide(policy, outcome, retryAfter: .seconds(60)) == .wait(.seconds(60)))
        #expect(decide(policy, outcome, retryAfter: .zero) == .wait(.seconds(1)))
    }

    @Test
    func `O40: a wait that outlives the deadline is not begun`() {
        let policy = RetryPolicy(limit: 5)
        let busy = RetryPolicy.Outcome.answered(status: 503)
        #expect(
            decide(policy, busy, retryAfter: .seconds(86_400), timeLeft: .seconds(3))
                == .stop(.deadline))
        #expect(decide(policy, busy, timeLeft: .seconds(1)) == .stop(.deadline))
        #expect(decide(policy, busy, timeLeft: .milliseconds(1001)) == .wait(.seconds(1)))
        #expect(decide(policy, busy, timeLeft: .seconds(-1)) == .stop(.deadline))
    }

    @Test(
        "No number makes it trap",
        arguments: [
            0, 1, 2, 0.5, -1, 1e300, .infinity, -.infinity, .nan, .leastNonzeroMagnitude,
        ])
    func extremes(number: Double) {
        let durations: [Duration] = [
            .zero, .seconds(-1), .nanoseconds(1), .seconds(Int64.max), .seconds(Int64.min),
        ]
        for (interval, longest) in durations.flatMap({ one in durations.map { (one, $0) } }) {
            let policy = RetryPolicy(
                limit: .max, interval: interval, backoff: number, intervalLimit: longest,
                jitter: number)
            for attempt in [Int.min, 0, 1, 10_000, .max] {
                let decision = decide(
                    policy, .unsatisfied, attempt: attempt, retryAfter: .seconds(Int64.max),
                    random: number)
                guard case .wait(let wait) = decision else {
                    Issue.record("\(decision)")
                    continue
                }
                #expect(wait >= .seconds(3_155_760_000))
            }
        }
    }

    @Test(
        "A back-off grows no longer than the longest wait",
        arguments: [(1e300, 10_000, 30_000), (0.5, 3, 250), (0, 2, 0), (.nan, 5, 1000)])
    func backoff(backoff: Double, attempt: Int, milliseconds: Int) {
        let policy = RetryPolicy(limit: 20_000, backoff: backoff)
        #expect(
            decide(policy, .unsatisfied, attempt: attempt) == .wait(.milliseconds(milliseconds)))
    }

    private func decide(
        _ policy: RetryPolicy, _ outcome: RetryPolicy.Outcome, attempt: Int = 1,
        method: String = "GET", retryAfter: Duration? = nil, timeLeft: Duration? = nil,
        random: Double = 0
    ) -> RetryPolicy.Decision {
        policy.decision(
            after: outcome, attempt: attempt, method: method, retryAfter: retryAfter,
            timeLeft: timeLeft, random: random)
    }
}
