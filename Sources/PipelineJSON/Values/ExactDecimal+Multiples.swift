extension ExactDecimal {
    /// Whether the number has no fraction, however large it is.
    var isInteger: Bool { exponent.excess(over: .small(digits.count)) >= 0 }

    /// Whether an integer times `divisor` gives exactly this number; false when `divisor` is 0, unless
    /// this is 0 too.
    ///
    /// No power of ten is expanded: after four zeros for each digit of the divisor, every 2 and 5 in it
    /// is matched, and more of them change nothing.
    func isMultiple(of divisor: ExactDecimal) -> Bool {
        let digits = digits
        let divisorDigits = divisor.digits
        guard !digits.isEmpty else { return true }
        let zeros = exponent.excess(over: divisor.exponent) - digits.count + divisorDigits.count
        // The last digit is not 0, so that this is no multiple of ten times anything whole.
        guard !divisorDigits.isEmpty, zeros >= 0 else { return false }
        let dividend = [
            digits, [UInt8](repeating: 0, count: min(zeros, 4 * divisorDigits.count)),
        ].joined()
        return divisorDigits.count < Self.leadingDigits
            ? Self.isDivisible(dividend, by: divisorDigits.reduce(0) { $0 * 10 + UInt64($1) })
            : Self.isDivisible(dividend, by: divisorDigits)
    }

    /// Division on paper, which needs the remainder only.
    private static func isDivisible(_ digits: some Sequence<UInt8>, by divisor: UInt64) -> Bool {
        digits.reduce(0) { ($0 * 10 + UInt64($1)) % divisor } == 0
    }

    private static func isDivisible(_ digits: some Sequence<UInt8>, by divisor: [UInt8]) -> Bool {
        let divisor = [0] + divisor
        var remainder = [UInt8](repeating: 0, count: divisor.count)
        for digit in digits {
            remainder.removeFirst()
            remainder.append(digit)
            while !remainder.lexicographicallyPrecedes(divisor) {
                subtract(divisor, from: &remainder)
            }
        }
        return remainder.allSatisfy { $0 == 0 }
    }

    private static func subtract(_ right: [UInt8], from left: inout [UInt8]) {
        var borrow: UInt8 = 0
        for index in left.indices.reversed() {
            let subtrahend = right[index] + borrow
            borrow = left[index] < subtrahend ? 1 : 0
            left[index] = left[index] + borrow * 10 - subtrahend
        }
    }

    /// All digits, from the first that is not 0 to the last that is not.
    private var digits: [UInt8] {
        var digits: [UInt8] = []
        var leading = leading
        while leading > 0 {
            digits.append(UInt8(leading % 10))
            leading /= 10
        }
        digits.reverse()
        digits += rest
        while digits.last == 0 { digits.removeLast() }
        return digits
    }
}

extension ExactDecimal.Exponent {
    /// How far this is above the other, exact up to ±10^17 and not nearer to 0 than that beyond it.
    fileprivate func excess(over other: Self) -> Int {
        let far = 100_000_000_000_000_000
        switch (self, other) {
        case (.small(let exponent), .small(let other)):
            let (difference, overflows) = exponent.subtractingReportingOverflow(other)
            if overflows { return exponent < other ? -far : far }
            return min(max(difference, -far), far)
        case (.huge(let sign, let digits), .huge(let other, let others)) where sign == other:
            var difference = 0
            let width = max(digits.count, others.count)
            for place in 0..<width {
                let digit = Self.digit(place, of: digits, width: width)
                difference = difference * 10 + digit - Self.digit(place, of: others, width: width)
                if abs(difference) > far { break }
            }
            return sign * min(max(difference, -far), far)
        default:
            return self < other ? -far : far
        }
    }

    private static func digit(_ place: Int, of digits: [UInt8], width: Int) -> Int {
        let index = place - (width - digits.count)
        return index < 0 ? 0 : Int(digits[index] & 0xF)
    }
}
