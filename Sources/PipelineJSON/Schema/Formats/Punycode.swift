/// The encoding of Unicode labels in ASCII (RFC 3492).
enum Punycode {
    /// The code points that a text stands for, its ASCII letters in lower case; nil for one that is none.
    static func decode(_ text: ArraySlice<UInt8>) -> [Unicode.Scalar]? {
        var output: [UInt32] = []
        var input = text
        if let delimiter = text.lastIndex(of: UInt8(ascii: "-")) {
            output = text[..<delimiter].map { UInt32($0.isLetter ? $0 | 0x20 : $0) }
            input = text[(delimiter + 1)...]
        }
        var codePoint: UInt32 = 128
        var bias: UInt32 = 72
        var place: UInt32 = 0
        var isFirst = true
        while !input.isEmpty {
            guard let delta = integer(&input, bias: bias) else { return nil }
            let length = UInt32(output.count) + 1
            bias = adapted(delta, length: length, isFirst: isFirst)
            isFirst = false
            let (sum, overflows) = place.addingReportingOverflow(delta)
            guard !overflows, sum / length <= 0x10FFFF else { return nil }
            codePoint += sum / length
            place = sum % length
            output.insert(codePoint, at: Int(place))
            place += 1
        }
        let scalars = output.compactMap(Unicode.Scalar.init)
        return scalars.count == output.count ? scalars : nil
    }

    /// The text that stands for code points, without a prefix; `nil` where numbers grow too large.
    static func encode(_ scalars: [Unicode.Scalar]) -> String? {
        var output = scalars.filter(\.isASCII).map { UInt8($0.value) }
        let basicCount = UInt32(output.count)
        if basicCount > 0 { output.append(UInt8(ascii: "-")) }
        var codePoint: UInt32 = 128
        var bias: UInt32 = 72
        var delta: UInt32 = 0
        var done = basicCount
        while done < scalars.count {
            let next = scalars.map(\.value).filter { $0 >= codePoint }.min() ?? codePoint
            let (step, isTooLarge) = (next - codePoint).multipliedReportingOverflow(by: done + 1)
            let (sum, overflows) = delta.addingReportingOverflow(step)
            guard !isTooLarge, !overflows else { return nil }
            delta = sum
            codePoint = next
            for scalar in scalars {
                if scalar.value < codePoint {
                    guard delta < .max else { return nil }
                    delta += 1
                }
                guard scalar.value == codePoint else { continue }
                append(delta, bias: bias, to: &output)
                bias = adapted(delta, length: done + 1, isFirst: done == basicCount)
                delta = 0
                done += 1
            }
            delta += 1
            codePoint += 1
        }
        return String(decoding: output, as: UTF8.self)
    }

    private static func append(_ number: UInt32, bias: UInt32, to output: inout [UInt8]) {
        var rest = number
        var step = base
        while true {
            let threshold = step <= bias + 1 ? 1 : min(step - bias, 26)
            guard rest >= threshold else { return output.append(digit(rest)) }
            output.append(digit(threshold + (rest - threshold) % (base - threshold)))
            rest = (rest - threshold) / (base - threshold)
            step += base
        }
    }

    private static func digit(_ value: UInt32) -> UInt8 {
        UInt8(value < 26 ? value + 0x61 : value - 26 + 0x30)
    }

    /// A number of variable length in base 36 (section 3.3).
    private static func integer(_ input: inout ArraySlice<UInt8>, bias: UInt32) -> UInt32? {
        var value: UInt32 = 0
        var weight: UInt32 = 1
        var step: UInt32 = base
        while let digit = input.popFirst()?.punycodeDigit {
            let (product, isTooLarge) = digit.multipliedReportingOverflow(by: weight)
            let (sum, overflows) = value.addingReportingOverflow(product)
            guard !isTooLarge, !overflows else { return nil }
            value = sum
            let threshold = step <= bias + 1 ? 1 : min(step - bias, 26)
            if digit < threshold { return value }
            let (next, overflowsToo) = weight.multipliedReportingOverflow(by: base - threshold)
            guard !overflowsToo else { return nil }
            weight = next
            step += base
        }
        return nil
    }

    /// Section 6.1.
    private static func adapted(_ delta: UInt32, length: UInt32, isFirst: Bool) -> UInt32 {
        var delta = isFirst ? delta / 700 : delta / 2
        delta += delta / length
        var step: UInt32 = 0
        while delta > 455 {
            delta /= base - 1
            step += base
        }
        return step + base * delta / (delta + 38)
    }

    private static let base: UInt32 = 36
}

extension UInt8 {
    /// `a` to `z` for 0 to 25, in either case, and `0` to `9` for 26 to 35.
    fileprivate var punycodeDigit: UInt32? {
        isLetter ? UInt32(self | 0x20) - 0x61 : isDigit ? UInt32(self) - 0x30 + 26 : nil
    }
}
