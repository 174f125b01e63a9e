extension PatternParser {
    /// What an escape stands for, or one element of a class.
    enum Element {
        case scalar(Unicode.Scalar)
        case set([ClosedRange<UInt32>], GeneralCategories)
    }

    /// Reads a class from its `[` on.
    mutating func characterClass() throws(RegularExpressionError) -> ScalarSet {
        let start = offset
        offset += 1
        let isNegated = skip("^")
        let firstElement = offset
        var ranges: [ClosedRange<UInt32>] = []
        var categories: GeneralCategories = []
        while !skip("]") {
            guard next != nil else {
                throw error("this class is not closed: expected ']'", at: start)
            }
            let lowStart = offset
            let low = try classElement(isFirst: offset == firstElement)
            if let high = try rangeEnd(isHyphenBefore: bytes[lowStart] == UInt8(ascii: "-")) {
                guard case .scalar(let low) = low, case .scalar(let high) = high else {
                    throw error("a range is between two characters, not classes", at: lowStart)
                }
                guard low <= high else {
                    throw error("this range is out of order", at: lowStart)
                }
                ranges.append(low.value...high.value)
                continue
            }
            switch low {
            case .scalar(let scalar): ranges.append(scalar.value...scalar.value)
            case .set(let more, let moreCategories):
                ranges += more
                categories.formUnion(moreCategories)
            }
        }
        guard syntax == .ecmaScript || offset > firstElement + 1 else {
            throw error("a class needs a character at least", at: start)
        }
        return ScalarSet(ranges, categories: categories, isNegated: isNegated)
    }

    /// What stands after a hyphen that makes a range; nil when the next one does not.
    private mutating func rangeEnd(
        isHyphenBefore: Bool
    ) throws(RegularExpressionError) -> Element? {
        guard next == UInt8(ascii: "-"), offset + 1 < bytes.count,
            bytes[offset + 1] != UInt8(ascii: "]"), syntax == .ecmaScript || !isHyphenBefore
        else { return nil }
        offset += 1
        guard syntax == .ecmaScript || next != UInt8(ascii: "-") else { throw misplacedHyphen }
        return try classElement(isFirst: false)
    }

    private mutating func classElement(isFirst: Bool) throws(RegularExpressionError) -> Element {
        switch next {
        case UInt8(ascii: "\\"):
            return try escape(isInClass: true)
        case UInt8(ascii: "-") where syntax == .iRegexp:
            let isLast = offset + 1 < bytes.count && bytes[offset + 1] == UInt8(ascii: "]")
            guard isFirst || isLast else { throw misplacedHyphen }
        case UInt8(ascii: "[") where syntax == .iRegexp:
            throw error("within a class '[' is written '\\['")
        default:
            break
        }
        return .scalar(takeScalar())
    }

    private var misplacedHyphen: RegularExpressionError {
        error("within a class '-' stands first or last or is written '\\-'")
    }
}
