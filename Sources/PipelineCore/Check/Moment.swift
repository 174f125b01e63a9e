/// A moment of time with any number of decimals, read from a text with an offset.
package struct Moment: Comparable {
    /// Since the beginning of 1970 in UTC, without the decimals.
    let seconds: Int
    /// The decimals of the second, without zeros at their end.
    private let fraction: [UInt8]

    /// Reads a `date-time` (RFC 3339, section 5.6); `nil` when it is none or has no offset.
    package init?(rfc3339 text: String) {
        var rest = Array(text.utf8)[...]
        guard let year = rest.takeNumber(digits: 4), rest.take("-"),
            let month = rest.takeNumber(digits: 2), rest.take("-"),
            let day = rest.takeNumber(digits: 2),
            rest.take("T") || rest.take("t") || rest.take(" "),
            let hour = rest.takeNumber(digits: 2), rest.take(":"),
            let minute = rest.takeNumber(digits: 2), rest.take(":"),
            let second = rest.takeNumber(digits: 2),
            1...12 ~= month, 1...Self.days(of: month, year) ~= day, hour < 24, minute < 60,
            second <= 60
        else { return nil }
        var decimals: [UInt8] = []
        if rest.take(".") {
            decimals = Array(rest.prefix { $0.isASCIIDigit })
            guard !decimals.isEmpty else { return nil }
            rest = rest.dropFirst(decimals.count)
        }
        guard let offset = Self.offset(&rest), rest.isEmpty else { return nil }
        while decimals.last == UInt8(ascii: "0") { decimals.removeLast() }
        fraction = decimals
        seconds =
            Self.daysSince1970(year, month, day) * 86_400 + hour * 3_600 + minute * 60 + second
            - offset
    }

    /// Reads one of the dates of HTTP (RFC 9110, section 5.6.7), those of cookies included.
    init?(httpDate text: String) {
        guard let seconds = HTTPDate.parse(text, now: GeneratedValue.timestamp()) else {
            return nil
        }
        self.seconds = seconds
        fraction = []
    }

    package static func < (one: Moment, other: Moment) -> Bool {
        one.seconds != other.seconds
            ? one.seconds < other.seconds
            : one.fraction.lexicographicallyPrecedes(other.fraction)
    }

    /// The seconds that local time is ahead of UTC.
    private static func offset(_ rest: inout ArraySlice<UInt8>) -> Int? {
        if rest.take("Z") || rest.take("z") { return 0 }
        let sign = rest.take("+") ? 1 : rest.take("-") ? -1 : 0
        guard sign != 0, let hours = rest.takeNumber(digits: 2), rest.take(":"),
            let minutes = rest.takeNumber(digits: 2), hours < 24, minutes < 60
        else { return nil }
        return sign * (hours * 3_600 + minutes * 60)
    }

    static func days(of month: Int, _ year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// Counted from 0000-03-01, so that a leap day is the last of its year.
    static func daysSince1970(_ year: Int, _ month: Int, _ day: Int) -> Int {
        let year = month <= 2 ? year - 1 : year
        let month = month <= 2 ? month + 9 : month - 3
        let leapDays = year >= 0 ? year / 4 - year / 100 + year / 400 : -1
        return year * 365 + leapDays + (153 * month + 2) / 5 + day - 1 - 719_468
    }
}

extension ArraySlice<UInt8> {
    /// Takes one character, if it comes next.
    mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard first == UInt8(ascii: character) else { return false }
        removeFirst()
        return true
    }

    /// Takes a number of exactly so many digits.
    mutating func takeNumber(digits: Int) -> Int? {
        let text = prefix(digits)
        guard text.count == digits, text.allSatisfy(\.isASCIIDigit) else { return nil }
        removeFirst(digits)
        return text.reduce(0) { $0 * 10 + Int($1 & 0x0F) }
    }
}
