extension PatternParser {
    /// Reads an escape from its `\` on.
    mutating func escape(isInClass: Bool) throws(RegularExpressionError) -> Element {
        let start = offset
        offset += 1
        guard let letter = nextScalar else { throw error("expected a character after '\\'") }
        if letter == "p" || letter == "P" {
            offset += 1
            return try property(isNegated: letter == "P", from: start)
        }
        let controls = syntax == .ecmaScript ? Self.controls : Self.iRegexpControls
        if let scalar = controls[letter] {
            offset += 1
            return .scalar(scalar)
        }
        let literals = syntax == .ecmaScript ? "^$\\.*+?()[]{}|/" : "()*+-.?[\\]^{|}"
        if literals.unicodeScalars.contains(letter) {
            offset += 1
            return .scalar(letter)
        }
        guard syntax == .ecmaScript else {
            throw error("'\\\(letter)' is not an escape of I-Regexp (RFC 9485)", at: start)
        }
        return try ecmaScriptEscape(letter, isInClass: isInClass, from: start)
    }

    private mutating func ecmaScriptEscape(
        _ letter: Unicode.Scalar, isInClass: Bool, from start: Int
    ) throws(RegularExpressionError) -> Element {
        if let ranges = Self.classes[letter] {
            offset += 1
            return .set(ranges, [])
        }
        switch letter {
        case "b" where isInClass: return .scalar(take("\u{8}"))
        case "-" where isInClass: return .scalar(take("-"))
        case "0":
            offset += 1
            guard next?.isDigit != true else {
                throw error("octal escapes are not supported; write '\\x'", at: start)
            }
            return .scalar("\0")
        case "1"..."9", "k":
            throw error("back-references are not supported", at: start)
        case "c":
            offset += 1
            guard let byte = next, byte.isASCIILetter else {
                throw error("expected a letter after '\\c', found \(found)")
            }
            return .scalar(take(Unicode.Scalar(byte & 0x1F)))
        case "x":
            offset += 1
            return .scalar(try scalar(digits: 2...2))
        case "u":
            return .scalar(try unicodeEscape(from: start))
        default:
            throw error("unknown escape '\\\(letter)'", at: start)
        }
    }

    private mutating func unicodeEscape(
        from start: Int
    ) throws(RegularExpressionError) -> Unicode.Scalar {
        offset += 1
        if skip("{") {
            let value = try scalar(digits: 1...Int.max)
            guard skip("}") else { throw error("expected '}' after the digits, found \(found)") }
            return value
        }
        if let high = bytes.escapedCodeUnit(at: start),
            let low = bytes.escapedCodeUnit(at: start + 6),
            let pair = PipelineJSON.scalar(high: high, low: low)
        {
            offset = start + 12
            return pair
        }
        return try scalar(digits: 4...4)
    }

    /// The scalar that hexadecimal digits stand for, as many as there are but no more than allowed.
    private mutating func scalar(
        digits: ClosedRange<Int>
    ) throws(RegularExpressionError) -> Unicode.Scalar {
        let start = offset
        var value: UInt32 = 0
        while offset - start < digits.upperBound, let digit = next?.hexadecimalValue {
            value = min(value << 4 | digit, 0x11_0000)
            offset += 1
        }
        guard offset - start >= digits.lowerBound else {
            throw error("expected a hexadecimal digit, found \(found)")
        }
        guard let scalar = Unicode.Scalar(value) else {
            throw error(
                value > 0x10FFFF
                    ? "Unicode ends at 10FFFF" : "half a surrogate pair is not a character",
                at: start)
        }
        return scalar
    }

    private mutating func property(
        isNegated: Bool, from start: Int
    ) throws(RegularExpressionError) -> Element {
        guard skip("{"), let length = bytes[offset...].firstIndex(of: UInt8(ascii: "}")) else {
            throw error("expected a category in braces after '\\p', as in '\\p{Lu}'", at: start)
        }
        var name = String(decoding: bytes[offset..<length], as: UTF8.self)
        let nameStart = offset
        offset = length + 1
        guard syntax == .ecmaScript else {
            // The category of surrogates is left out there.
            guard name != "Cs", let categories = GeneralCategories(shortName: name) else {
                throw error("'\(name)' is not a category of I-Regexp (RFC 9485)", at: nameStart)
            }
            return .set([], isNegated ? .all.subtracting(categories) : categories)
        }
        switch name {
        case "Any": return .set(isNegated ? [] : [0...0x10FFFF], [])
        case "ASCII": return .set(isNegated ? [0x80...0x10FFFF] : [0...0x7F], [])
        default: break
        }
        for prefix in ["General_Category=", "gc="] where name.hasPrefix(prefix) {
            name.removeFirst(prefix.count)
        }
        guard let categories = GeneralCategories(name: name) else {
            throw error(
                "'\(name)' is not a general category; scripts and other properties are not supported",
                at: nameStart)
        }
        return .set([], isNegated ? .all.subtracting(categories) : categories)
    }

    /// Goes past one ASCII character that stands for a scalar.
    private mutating func take(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        offset += 1
        return scalar
    }

    private static let controls: [Unicode.Scalar: Unicode.Scalar] = [
        "n": "\n", "r": "\r", "t": "\t", "v": "\u{B}", "f": "\u{C}",
    ]

    private static let iRegexpControls: [Unicode.Scalar: Unicode.Scalar] = [
        "n": "\n", "r": "\r", "t": "\t",
    ]

    private static let classes: [Unicode.Scalar: [ClosedRange<UInt32>]] = [
        "d": ScalarSet.digits, "D": ScalarSet.complement(of: ScalarSet.digits),
        "w": ScalarSet.wordCharacters, "W": ScalarSet.complement(of: ScalarSet.wordCharacters),
        "s": ScalarSet.spaces, "S": ScalarSet.complement(of: ScalarSet.spaces),
    ]
}
