/// How long a server asks to be left alone (RFC 9110, section 10.2.3; case O39).
package enum RetryAfter {
    /// The wait that the values of `Retry-After` fields ask for; `nil` when none of them is valid.
    ///
    /// A value is a whole number of seconds or a date; one that has passed means now. Of several
    /// fields the first valid one counts: the field may come only once, and most readers see the
    /// first. What is not valid is ignored, so that the back-off decides.
    ///
    /// - Parameters:
    ///   - values: The fields' values in the order they came.
    ///   - now: The time of day, in seconds since the beginning of 1970 in UTC.
    package static func wait(_ values: [String], now: Int) -> Duration? {
        for value in values {
            if let wait = seconds(value) ?? secondsUntil(value, now) { return .seconds(wait) }
        }
        return nil
    }

    /// `Int` reads a sign as well, which `delay-seconds` may not have.
    private static func seconds(_ value: String) -> Int? {
        value.utf8.allSatisfy(\.isASCIIDigit) ? Int(value) : nil
    }

    private static func secondsUntil(_ value: String, _ now: Int) -> Int? {
        guard let date = HTTPDate.parse(value, now: now) else { return nil }
        let (seconds, hasOverflowed) = date.subtractingReportingOverflow(now)
        return hasOverflowed ? Int.max : max(0, seconds)
    }
}
