/// Dates as HTTP writes them (RFC 9110, section 5.6.7).
///
/// Names of days and months are English whatever the locale is.
package enum HTTPDate {
    /// The seconds since the beginning of 1970 in UTC; `nil` for what is no date.
    ///
    /// Reads `Wed, 21 Oct 2026 07:28:00 GMT`, the older `Wednesday, 21-Oct-26 07:28:00 GMT` and
    /// `Wed Oct 21 07:28:00 2026`, and `Wed, 21-Oct-2026 07:28:00 GMT`, which cookies have. Whether
    /// the day of the week is the right one is not checked; a leap second is the one after it.
    ///
    /// - Parameters:
    ///   - text: The date without white space around it.
    ///   - now: The time of day, as the result is: a year of two digits is the latest one that is
    ///     not more than 50 years ahead.
    package static func parse(_ text: String, now: Int) -> Int? {
        var rest = Array(text.utf8)[...]
        guard rest.takeWord(of: shortDays) != nil || rest.takeWord(of: longDays) != nil else {
            return nil
        }
        return rest.take(",") ? calendarDate(&rest, now) : asctime(&rest)
    }

    /// `IMF-fixdate`, `rfc850-date` and the form that cookies have.
    private static func calendarDate(_ rest: inout ArraySlice<UInt8>, _ now: Int) -> Int? {
        guard rest.take(" "), let day = rest.takeNumber(digits: 2) else { return nil }
        let separator: Unicode.Scalar = rest.first == UInt8(ascii: "-") ? "-" : " "
        guard rest.take(separator), let month = rest.takeMonth(), rest.take(separator) else {
            return nil
        }
        let digits = rest.prefix { $0.isASCIIDigit }.count
        guard digits == 4 || digits == 2 && separator == "-",
            let year = rest.takeNumber(digits: digits),
            rest.take(" "), let time = rest.takeTime(), rest.elementsEqual(" GMT".utf8)
        else { return nil }
        return digits == 4
            ? seconds(year, month, day, time) : seconds(twoDigits: year, month, day, time, now)
    }

    /// `asctime-date`, whose day has a space where it has one digit.
    private static func asctime(_ rest: inout ArraySlice<UInt8>) -> Int? {
        guard rest.take(" "), let month = rest.takeMonth(), rest.take(" "),
            let day = rest.take(" ") ? rest.takeNumber(digits: 1) : rest.takeNumber(digits: 2),
            rest.take(" "), let time = rest.takeTime(), rest.take(" "),
            let year = rest.takeNumber(digits: 4), rest.isEmpty
        else { return nil }
        return seconds(year, month, day, time)
    }

    private static func seconds(_ year: Int, _ month: Int, _ day: Int, _ time: Int) -> Int? {
        guard 1...Moment.days(of: month, year) ~= day else { return nil }
        return Moment.daysSince1970(year, month, day) * 86_400 + time
    }

    private static func seconds(
        twoDigits: Int, _ month: Int, _ day: Int, _ time: Int, _ now: Int
    ) -> Int? {
        let fiftyYears = 50 * 31_556_952
        var year = 1900 + twoDigits
        while year < 9900,
            Moment.daysSince1970(year + 100, month, day) * 86_400 + time - fiftyYears <= now
        {
            year += 100
        }
        return seconds(year, month, day, time)
    }

    private static let shortDays = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
    private static let longDays = [
        "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday",
    ]
    fileprivate static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
}

extension ArraySlice<UInt8> {
    /// Takes all letters that come next, if they are one of these words; its place among them.
    fileprivate mutating func takeWord(of words: [String]) -> Int? {
        let word = prefix { $0.isASCIILetter }
        guard let index = words.firstIndex(where: { word.elementsEqual($0.utf8) }) else {
            return nil
        }
        removeFirst(word.count)
        return index
    }

    /// Takes the name of a month: 1 to 12.
    fileprivate mutating func takeMonth() -> Int? {
        takeWord(of: HTTPDate.months).map { $0 + 1 }
    }

    /// Takes `07:28:00`: the seconds since midnight.
    fileprivate mutating func takeTime() -> Int? {
        guard let hour = takeNumber(digits: 2), take(":"), let minute = takeNumber(digits: 2),
            take(":"), let second = takeNumber(digits: 2), hour < 24, minute < 60, second <= 60
        else { return nil }
        return hour * 3_600 + minute * 60 + second
    }
}
