/// The value of a number in one form for all ways to write it: ±0.ddd… × 10^exponent, where the first
/// digit is not 0 and nor is the last.
struct ExactDecimal: Hashable {
    /// -1, 0 or 1; all else is empty for 0.
    private let sign: Int
    let exponent: Exponent

    /// The first 19 digits, with zeros after the last when there are fewer: as many as fit.
    let leading: UInt64

    /// The digits after those; nearly always none, and then nothing is allocated.
    let rest: [UInt8]

    /// The value of a text that is a number in the grammar of RFC 8259 section 6.
    init(_ text: some Collection<UInt8>) {
        var leading: UInt64 = 0
        var rest: [UInt8] = []
        var digits = 0
        var point = 0
        var seesPoint = false
        var written = text.makeIterator()
        let isNegative = text.first == UInt8(ascii: "-")
        var exponentText: [UInt8] = []

        while let byte = written.next() {
            if byte == UInt8(ascii: ".") {
                seesPoint = true
            } else if byte | 0x20 == UInt8(ascii: "e") {
                while let byte = written.next() { exponentText.append(byte) }
            } else if byte.isDigit {
                if digits == 0 && byte == UInt8(ascii: "0") {
                    if seesPoint { point -= 1 }
                    continue
                }
                if !seesPoint { point += 1 }
                if digits < Self.leadingDigits {
                    leading = leading * 10 + UInt64(byte & 0xF)
                } else {
                    rest.append(byte & 0xF)
                }
                digits += 1
            }
        }
        while rest.last == 0 { rest.removeLast() }
        for _ in min(digits, Self.leadingDigits)..<Self.leadingDigits { leading *= 10 }

        self.leading = leading
        self.rest = rest
        sign = digits == 0 ? 0 : isNegative ? -1 : 1
        exponent = digits == 0 ? .small(0) : Exponent(exponentText, plus: point)
    }

    /// The value when it is an integer that fits.
    var int: Int? {
        guard sign != 0 else { return 0 }
        guard case .small(let exponent) = exponent, 1...Self.leadingDigits ~= exponent, rest.isEmpty
        else { return nil }
        var unit: UInt64 = 1
        for _ in exponent..<Self.leadingDigits { unit *= 10 }
        guard leading.isMultiple(of: unit) else { return nil }
        let magnitude = leading / unit
        return sign > 0 ? Int(exactly: magnitude) : Int(exactly: -Int128(magnitude))
    }

    static let leadingDigits = 19
}

extension ExactDecimal: Comparable {
    static func < (left: ExactDecimal, right: ExactDecimal) -> Bool {
        guard left.sign == right.sign else { return left.sign < right.sign }
        return left.sign < 0 ? right.isMagnitudeLess(than: left) : left.isMagnitudeLess(than: right)
    }

    private func isMagnitudeLess(than other: ExactDecimal) -> Bool {
        if exponent != other.exponent { return exponent < other.exponent }
        if leading != other.leading { return leading < other.leading }
        return rest.lexicographicallyPrecedes(other.rest)
    }
}

extension ExactDecimal {
    /// A power of ten of any size: always `small` when it fits, so that equal ones have one form.
    enum Exponent: Hashable, Comparable {
        case small(Int)

        /// Its sign, 1 or -1, and the ASCII digits of its magnitude without leading zeros.
        case huge(sign: Int, digits: [UInt8])

        /// The sum of an exponent as it is written, if any, and the place of the decimal point.
        init(_ text: [UInt8], plus point: Int) {
            let sign = text.first == UInt8(ascii: "-") ? -1 : 1
            let digits = Array(text.drop { !(UInt8(ascii: "1")...UInt8(ascii: "9") ~= $0) })
            guard digits.count > 18 else {
                let magnitude = digits.reduce(0) { $0 * 10 + Int($1 & 0xF) }
                self = .small(sign * magnitude + point)
                return
            }
            let sum = Self.sum(digits, sign * point)
            let text = (sign < 0 ? "-" : "") + String(decoding: sum, as: UTF8.self)
            self = Int(text).map(Exponent.small) ?? .huge(sign: sign, digits: sum)
        }

        /// Adds a number of far fewer digits to one of more than 18, so that the sign cannot change.
        private static func sum(_ digits: [UInt8], _ addend: Int) -> [UInt8] {
            var sum = digits
            var carry = addend
            for index in sum.indices.reversed() {
                let total = Int(sum[index] & 0xF) + carry
                let digit = (total % 10 + 10) % 10
                sum[index] = UInt8(ascii: "0") + UInt8(digit)
                carry = (total - digit) / 10
            }
            if carry > 0 { sum.insert(contentsOf: String(carry).utf8, at: 0) }
            return Array(sum.drop { $0 == UInt8(ascii: "0") })
        }

        static func < (left: Exponent, right: Exponent) -> Bool {
            switch (left, right) {
            case (.small(let left), .small(let right)):
                left < right
            case (.huge(let sign, let left), .huge(let other, let right)) where sign == other:
                sign < 0 ? isLess(right, than: left) : isLess(left, than: right)
            default:
                left.rank < right.rank
            }
        }

        private static func isLess(_ left: [UInt8], than right: [UInt8]) -> Bool {
            left.count == right.count
                ? left.lexicographicallyPrecedes(right) : left.count < right.count
        }

        private var rank: Int {
            switch self {
            case .small: 0
            case .huge(let sign, _): sign
            }
        }
    }
}
