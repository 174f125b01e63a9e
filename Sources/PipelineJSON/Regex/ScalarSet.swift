/// A set of Unicode scalars: ranges and general categories, or all but these.
struct ScalarSet: Sendable, Hashable {
    /// Ascending and apart from each other.
    private let ranges: [ClosedRange<UInt32>]
    private let categories: GeneralCategories
    private let isNegated: Bool

    /// The answer for each ASCII character, one bit each.
    private let ascii: UInt128

    init(
        _ ranges: [ClosedRange<UInt32>], categories: GeneralCategories = [], isNegated: Bool = false
    ) {
        self.ranges = Self.merged(ranges)
        self.categories = categories
        self.isNegated = isNegated
        var ascii: UInt128 = 0
        for value: UInt32 in 0..<0x80 {
            let isInside =
                ranges.contains { $0 ~= value } || categories.contains(scalar: value)
            if isInside != isNegated { ascii |= 1 << UInt128(value) }
        }
        self.ascii = ascii
    }

    func contains(_ value: UInt32) -> Bool {
        guard value >= 0x80 else { return ascii >> UInt128(value) & 1 == 1 }
        return (isInRanges(value) || categories.contains(scalar: value)) != isNegated
    }

    /// The bytes that the UTF-8 form of a member can begin with, or a few more.
    var firstBytes: ByteSet {
        var bytes = ByteSet()
        for value: UInt32 in 0..<0x80 where contains(value) { bytes.insert(UInt8(value)) }
        if isNegated || !categories.isEmpty || ranges.last.map({ $0.upperBound >= 0x80 }) == true {
            for byte: UInt8 in 0xC2...0xF4 { bytes.insert(byte) }
        }
        return bytes
    }

    private func isInRanges(_ value: UInt32) -> Bool {
        var low = 0
        var high = ranges.count
        while low < high {
            let middle = (low + high) / 2
            if ranges[middle].upperBound < value { low = middle + 1 } else { high = middle }
        }
        return low < ranges.count && ranges[low].lowerBound <= value
    }

    private static func merged(_ ranges: [ClosedRange<UInt32>]) -> [ClosedRange<UInt32>] {
        var merged: [ClosedRange<UInt32>] = []
        for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if let last = merged.last, range.lowerBound <= last.upperBound + 1 {
                merged[merged.count - 1] =
                    last.lowerBound...max(last.upperBound, range.upperBound)
            } else {
                merged.append(range)
            }
        }
        return merged
    }
}

extension ScalarSet {
    /// The ranges of all that these do not hold.
    static func complement(of ranges: [ClosedRange<UInt32>]) -> [ClosedRange<UInt32>] {
        var complement: [ClosedRange<UInt32>] = []
        var next: UInt32 = 0
        for range in merged(ranges) {
            if range.lowerBound > next { complement.append(next...range.lowerBound - 1) }
            next = range.upperBound + 1
        }
        if next <= 0x10FFFF { complement.append(next...0x10FFFF) }
        return complement
    }

    static let digits: [ClosedRange<UInt32>] = [0x30...0x39]
    static let wordCharacters: [ClosedRange<UInt32>] =
        [0x30...0x39, 0x41...0x5A, 0x5F...0x5F, 0x61...0x7A]

    /// WhiteSpace and LineTerminator of ECMA-262.
    static let spaces: [ClosedRange<UInt32>] = [
        0x09...0x0D, 0x20...0x20, 0xA0...0xA0, 0x1680...0x1680, 0x2000...0x200A, 0x2028...0x2029,
        0x202F...0x202F, 0x205F...0x205F, 0x3000...0x3000, 0xFEFF...0xFEFF,
    ]

    static let word = ScalarSet(wordCharacters)
    static let allButLineTerminators =
        ScalarSet([0x0A...0x0A, 0x0D...0x0D, 0x2028...0x2029], isNegated: true)
    static let allButLineBreaks = ScalarSet([0x0A...0x0A, 0x0D...0x0D], isNegated: true)
}
