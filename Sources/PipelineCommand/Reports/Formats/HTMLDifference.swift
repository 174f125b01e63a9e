/// The two sides of a comparison, line by line, with marks where they differ.
enum HTMLDifference {
    /// Both texts with two characters before each line: `- ` for what only the first has, `+ ` for
    /// what only the second has, spaces for what both begin or end with.
    ///
    /// As they are where each is one line: all of it differs.
    static func marked(_ expected: [UInt8], _ actual: [UInt8]) -> ([UInt8], [UInt8]) {
        let (one, other) = (lines(of: expected), lines(of: actual))
        guard one.count > 1 || other.count > 1 else { return (expected, actual) }
        let start = zip(one, other).prefix { $0 == $1 }.count
        let rest = min(one.count, other.count) - start
        let end = zip(one.reversed(), other.reversed()).prefix(rest).prefix { $0 == $1 }.count
        return (mark(one, start, end, "- "), mark(other, start, end, "+ "))
    }

    private static func lines(of text: [UInt8]) -> [ArraySlice<UInt8>] {
        text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    }

    private static func mark(
        _ lines: [ArraySlice<UInt8>], _ start: Int, _ end: Int, _ mark: StaticString
    ) -> [UInt8] {
        var text: [UInt8] = []
        for (index, line) in lines.enumerated() {
            if index > 0 { text.append(UInt8(ascii: "\n")) }
            text.append(start..<(lines.count - end) ~= index ? mark : "  ")
            text += line
        }
        return text
    }
}
