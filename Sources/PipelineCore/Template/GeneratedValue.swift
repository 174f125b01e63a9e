#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// The values behind `{{$uuid}}` and its like.
enum GeneratedValue {
    /// A random UUID, version 4 (RFC 9562, section 5.4).
    static func uuid() -> String {
        var generator = SystemRandomNumberGenerator()
        var bytes = (0..<16).map { _ in UInt8.random(in: 0...255, using: &generator) }
        bytes[6] = bytes[6] & 0x0F | 0x40
        bytes[8] = bytes[8] & 0x3F | 0x80
        let digits = Array("0123456789abcdef".utf8)
        var text: [UInt8] = []
        for (index, byte) in bytes.enumerated() {
            if [4, 6, 8, 10].contains(index) { text.append(UInt8(ascii: "-")) }
            text.append(digits[Int(byte >> 4)])
            text.append(digits[Int(byte & 15)])
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// The seconds since the beginning of 1970 in UTC.
    static func timestamp() -> Int { Int(now().tv_sec) }

    /// The time of day in UTC (RFC 3339, section 5.6), such as `2026-11-30T07:58:22.123Z`.
    static func isoTimestamp() -> String {
        UTCTime.now.description
    }

    fileprivate static func now() -> timespec {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        return now
    }
}

/// A moment in UTC.
package struct UTCTime: Sendable, Hashable, CustomStringConvertible {
    package let secondsSince1970: Int
    package let milliseconds: Int

    /// A moment of 1970 or later.
    package init(secondsSince1970: Int, milliseconds: Int) {
        self.secondsSince1970 = secondsSince1970
        self.milliseconds = milliseconds
    }

    /// The present one.
    package static var now: UTCTime {
        let now = GeneratedValue.now()
        return UTCTime(
            secondsSince1970: Int(now.tv_sec), milliseconds: Int(now.tv_nsec) / 1_000_000)
    }

    /// The moment so much later, to the millisecond.
    package func advanced(by duration: Duration) -> UTCTime {
        let sum = milliseconds + Int(duration / .milliseconds(1))
        let seconds = sum.floorDivided(by: 1_000)
        return UTCTime(
            secondsSince1970: secondsSince1970 + seconds, milliseconds: sum - seconds * 1_000)
    }

    /// As RFC 3339 writes it, with milliseconds.
    package var description: String {
        let days = secondsSince1970.floorDivided(by: 86_400)
        let seconds = secondsSince1970 - days * 86_400
        let (year, month, day) = Self.date(daysSince1970: days)
        return padded(year, 4) + "-" + padded(month, 2) + "-" + padded(day, 2) + "T"
            + padded(seconds / 3_600, 2) + ":" + padded(seconds / 60 % 60, 2) + ":"
            + padded(seconds % 60, 2) + "." + padded(milliseconds, 3) + "Z"
    }

    /// The proleptic Gregorian date, counted in 400-year cycles from 0000-03-01, so that the leap
    /// day is the last of its year.
    private static func date(daysSince1970 days: Int) -> (Int, Int, Int) {
        let shifted = days + 719_468
        let era = shifted.floorDivided(by: 146_097)
        let dayOfEra = shifted - era * 146_097
        let yearOfEra =
            (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
    }

    private func padded(_ number: Int, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
    }
}

extension Int {
    fileprivate func floorDivided(by divisor: Int) -> Int {
        self >= 0 ? self / divisor : -((divisor - 1 - self) / divisor)
    }
}
