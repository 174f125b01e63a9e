import PipelineCore
import Testing

@Suite("Dates of HTTP")
struct HTTPDateTests {
    /// 1 October 2026.
    private static let now = 1_790_812_800

    @Test(
        "O39: each form is read",
        arguments: [
            ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777),
            ("Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777),
            ("Sun Nov  6 08:49:37 1994", 784_111_777),
            ("Sun Nov 16 08:49:37 1994", 784_975_777),
            ("Wed, 21-Oct-2026 07:28:00 GMT", 1_792_567_680),
            ("Wed, 21 Oct 2026 07:28:00 GMT", 1_792_567_680),
            ("Wed, 21-Oct-26 07:28:00 GMT", 1_792_567_680),
            ("Thu, 01 Jan 1970 00:00:00 GMT", 0),
            ("Thu, 29 Feb 2024 23:59:60 GMT", 1_709_251_200),
            ("Tue, 29 Feb 2000 00:00:00 GMT", 951_782_400),
            ("Fri, 31 Dec 9999 23:59:59 GMT", 253_402_300_799),
            ("Wed, 31 Dec 1969 23:59:59 GMT", -1),
        ])
    func valid(text: String, seconds: Int) {
        #expect(HTTPDate.parse(text, now: Self.now) == seconds)
    }

    @Test(
        "What is no date is not read as one",
        arguments: [
            "", "Sun", "Sun,", "0", "2026-10-21T07:28:00Z", "Sun, 30 Feb 2026 00:00:00 GMT",
            "Sun, 29 Feb 2025 00:00:00 GMT", "Sun, 29 Feb 1900 00:00:00 GMT",
            "Sun, 31 Apr 2026 00:00:00 GMT", "Sun, 00 Jan 2026 00:00:00 GMT",
            "Sun, 01 Jan 2026 24:00:00 GMT", "Sun, 01 Jan 2026 00:60:00 GMT",
            "Sun, 01 Jan 2026 00:00:61 GMT", "Sun, 01 Jan 2026 00:00:00",
            "Sun, 01 Jan 2026 00:00:00 CET", "Sun, 01 Jan 2026 00:00:00 GMT ",
            "Sun, 01 Jan 26 00:00:00 GMT", "Sun, 1 Jan 2026 00:00:00 GMT",
            "Sun, 01 Jan 2026 0:00:00 GMT", "Sun, 01-Jan 2026 00:00:00 GMT",
            "Dim, 01 Jan 2026 00:00:00 GMT", "Sun, 01 Mai 2026 00:00:00 GMT",
            "Sun, 01 Jan 02026 00:00:00 GMT", "Sun Jan 1 00:00:00 2026",
            "Sun Jan  1 00:00:00 26", "Sun, ٠1 Jan 2026 00:00:00 GMT",
            "Monday, 29-Feb-25 00:00:00 GMT",
        ])
    func invalid(text: String) {
        #expect(HTTPDate.parse(text, now: Self.now) == nil)
    }

    @Test(
        "A year of two digits is the latest that is not more than 50 years ahead",
        arguments: [
            // 2026: 76 is 2076 until October, 77 was 1977.
            ("Tuesday, 01-Sep-76 00:00:00 GMT", now, 3_366_144_000),
            ("Friday, 01-Jan-77 00:00:00 GMT", now, 220_924_800),
            // The last second of 2099 knows the first one of 2100.
            ("Friday, 01-Jan-00 00:00:00 GMT", 4_102_444_799, 4_102_444_800),
            ("Tuesday, 29-Feb-00 00:00:00 GMT", now, 951_782_400),
        ])
    func century(text: String, now: Int, seconds: Int) {
        #expect(HTTPDate.parse(text, now: now) == seconds)
    }

    @Test(arguments: [Int.min, -1, 0, Int.max])
    func `Any time of day may be now`(now: Int) {
        #expect(HTTPDate.parse("Sunday, 06-Nov-94 08:49:37 GMT", now: now) != nil)
        let date = RetryAfter.wait(["Sun, 06 Nov 1994 08:49:37 GMT"], now: now)
        #expect(date != nil)
    }
}

@Suite("Retry-After")
struct RetryAfterTests {
    /// 30 seconds before the dates below.
    private static let now = 784_111_777 - 30

    @Test(
        "O39: seconds and dates",
        arguments: [
            ("2", 2), ("0", 0), ("007", 7), ("99999999999", 99_999_999_999),
            ("9223372036854775807", Int.max),
            ("Sun, 06 Nov 1994 08:49:37 GMT", 30), ("Sunday, 06-Nov-94 08:49:37 GMT", 30),
            ("Sun Nov  6 08:49:37 1994", 30), ("Sun, 06 Nov 1994 08:49:07 GMT", 0),
            ("Sun, 06 Nov 1983 08:49:37 GMT", 0),
        ])
    func valid(value: String, seconds: Int) {
        #expect(RetryAfter.wait([value], now: Self.now) == .seconds(seconds))
    }

    @Test(
        "O39: what is not valid is ignored",
        arguments: [
            "", "-1", "+1", "1.5", "abc", "1s", "1 2", "٢", "9223372036854775808",
            "99999999999999999999999", "Sun, 30 Feb 1994 08:49:37 GMT",
        ])
    func invalid(value: String) {
        #expect(RetryAfter.wait([value], now: Self.now) == nil)
    }

    @Test(
        "O39: of several fields the first valid one counts",
        arguments: [(["2", "5"], 2), (["5", "2"], 5), (["abc", "5"], 5)])
    func several(values: [String], seconds: Int) {
        #expect(RetryAfter.wait(values, now: Self.now) == .seconds(seconds))
    }

    @Test
    func `No field asks for nothing`() {
        #expect(RetryAfter.wait([], now: Self.now) == nil)
    }
}
