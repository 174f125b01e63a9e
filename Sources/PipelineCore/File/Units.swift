/// A number of bytes, shown in the largest unit (of powers of 1,024) that divides it evenly.
package struct ByteSize: Sendable, Hashable, CustomStringConvertible {
    /// The number of bytes.
    package let bytes: Int

    /// That many bytes.
    package init(_ bytes: Int) {
        self.bytes = bytes
    }

    /// Reads a size such as `512`, `64KB`, `10MB` or `1GB`; `nil` when the text is not one.
    package init?(parsing text: String) {
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        guard let number = Int(digits),
            let unit = Self.units.first(where: { $0.name == text.dropFirst(digits.count) })
        else { return nil }
        let (bytes, overflow) = number.multipliedReportingOverflow(by: unit.bytes)
        guard !overflow else { return nil }
        self.bytes = bytes
    }

    /// The size as it could be written in a file, with `B` for plain bytes.
    package var description: String {
        let unit = Self.units.dropFirst().last { bytes != 0 && bytes % $0.bytes == 0 }
        return unit.map { "\(bytes / $0.bytes) \($0.name)" } ?? "\(bytes) B"
    }

    private static let units: [(name: String, bytes: Int)] = [
        ("", 1), ("KB", 1 << 10), ("MB", 1 << 20), ("GB", 1 << 30),
    ]
}

/// The durations of a pipeline file: `250ms`, `5s`, `2m`, `1h`, `30d`, and sums such as `1m30s`.
package enum DurationText {
    /// Reads a duration; `nil` when the text is not one or is larger than ten years.
    package static func parse(_ text: String) -> Duration? {
        var rest = Substring(text).utf8[...]
        var sum = Duration.zero
        while !rest.isEmpty {
            let digits = rest.prefix { $0.isASCIIDigit }
            let letters = rest.dropFirst(digits.count).prefix { $0.isASCIILetter }
            guard !digits.isEmpty, digits.count <= 15, let number = Int64(Substring(digits)),
                let unit = units.first(where: { $0.name == String(Substring(letters)) })
            else { return nil }
            // Looked at after each part: a sum of very many would overflow.
            sum += unit.duration * number
            guard sum <= longest else { return nil }
            rest = rest.dropFirst(digits.count + letters.count)
        }
        return text.isEmpty ? nil : sum
    }

    private static let longest = Duration.seconds(3_653 * 86_400)

    /// The duration for people: whole milliseconds below a second, else seconds with one decimal.
    package static func shown(_ duration: Duration) -> String {
        let milliseconds = (duration / .milliseconds(1)).rounded()
        if milliseconds < 1_000 { return "\(Int(milliseconds)) ms" }
        let tenths = Int((milliseconds / 100).rounded())
        return "\(tenths / 10).\(tenths % 10) s"
    }

    private static let units: [(name: String, duration: Duration)] = [
        ("ms", .milliseconds(1)), ("s", .seconds(1)), ("m", .seconds(60)), ("h", .seconds(3_600)),
        ("d", .seconds(86_400)),
    ]
}
