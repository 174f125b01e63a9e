/// Dates, times and durations (RFC 3339).
enum DateText {
    static func isDateTime(_ text: ArraySlice<UInt8>) -> Bool {
        var scanner = TextScanner(text)
        guard let date = date(&scanner), scanner.skip("T"), let time = time(&scanner),
            scanner.isAtEnd
        else { return false }
        return !time.isLeapSecond || date.isEndOfMonth(daysAhead: time.utcDay)
    }

    static func isDate(_ text: ArraySlice<UInt8>) -> Bool {
        var scanner = TextScanner(text)
        return date(&scanner) != nil && scanner.isAtEnd
    }

    static func isTime(_ text: ArraySlice<UInt8>) -> Bool {
        var scanner = TextScanner(text)
        return time(&scanner) != nil && scanner.isAtEnd
    }

    /// Units follow one another without a gap: `P1Y2D` is none, and weeks stand alone.
    static func isDuration(_ text: ArraySlice<UInt8>) -> Bool {
        var scanner = TextScanner(text)
        guard scanner.skip("P") else { return false }
        var weeks = scanner
        if weeks.skipDigits() && weeks.skip("W") { return weeks.isAtEnd }
        let hasDate = skipUnits(["Y", "M", "D"], &scanner)
        if !scanner.isAtEnd {
            guard scanner.skip("T"), skipUnits(["H", "M", "S"], &scanner) else { return false }
            return scanner.isAtEnd
        }
        return hasDate
    }

    private struct Day {
        let day: Int
        let daysInMonth: Int

        /// Whether the day this many days later is the last of a month; one earlier or later at most.
        func isEndOfMonth(daysAhead: Int) -> Bool {
            daysAhead < 0 ? day == 1 : day + daysAhead == daysInMonth
        }
    }

    private struct Time {
        let isLeapSecond: Bool

        /// The day in UTC, counted from the one that is written.
        let utcDay: Int
    }

    private static func date(_ scanner: inout TextScanner) -> Day? {
        guard let year = scanner.number(digits: 4, in: 0...9999), scanner.skip("-"),
            let month = scanner.number(digits: 2, in: 1...12), scanner.skip("-")
        else { return nil }
        let isLeap = year.isMultiple(of: 4) && !year.isMultiple(of: 100) || year.isMultiple(of: 400)
        let days = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]
        return scanner.number(digits: 2, in: 1...days).map { Day(day: $0, daysInMonth: days) }
    }

    private static func time(_ scanner: inout TextScanner) -> Time? {
        guard let minute = minutes(&scanner), scanner.skip(":"),
            let second = scanner.number(digits: 2, in: 0...60)
        else { return nil }
        if scanner.skip("."), !scanner.skipDigits() { return nil }
        guard let offset = offset(&scanner) else { return nil }
        let utc = minute - offset
        let day = utc < 0 ? -1 : utc / minutesInDay
        // A leap second is 23:59:60 in UTC, whatever the offset.
        guard second < 60 || utc - day * minutesInDay == minutesInDay - 1 else { return nil }
        return Time(isLeapSecond: second == 60, utcDay: day)
    }

    private static func offset(_ scanner: inout TextScanner) -> Int? {
        if scanner.skip("Z") { return 0 }
        if scanner.skip("+") { return minutes(&scanner) }
        return scanner.skip("-") ? minutes(&scanner).map { -$0 } : nil
    }

    private static func minutes(_ scanner: inout TextScanner) -> Int? {
        guard let hour = scanner.number(digits: 2, in: 0...23), scanner.skip(":"),
            let minute = scanner.number(digits: 2, in: 0...59)
        else { return nil }
        return hour * 60 + minute
    }

    /// Steps over numbers with units in this order; false when there are none, or with a gap.
    private static func skipUnits(
        _ units: [Unicode.Scalar], _ scanner: inout TextScanner
    ) -> Bool {
        var units = units[...]
        var isFirst = true
        while !units.isEmpty, scanner.skipDigits() {
            guard let place = units.firstIndex(where: { scanner.skip($0) }),
                isFirst || place == units.startIndex
            else { return false }
            units = units[(place + 1)...]
            isFirst = false
        }
        return !isFirst
    }

    private static let minutesInDay = 24 * 60
}
