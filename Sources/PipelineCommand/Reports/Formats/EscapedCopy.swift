import PipelineJSON

/// Copies text into a report in runs of what stays as it is, for formats that say what does not.
enum EscapedCopy {
    /// What stands in a format for a character.
    enum Replacement {
        case text(StaticString)
        /// `\u001B`, for what a format cannot hold or a reader would not see.
        case visibleEscape
    }

    /// Adds text to the bytes.
    ///
    /// - Parameters:
    ///   - isPlain: Whether an ASCII character stays as it is; only the others are looked at.
    ///   - replacement: What stands for a character, with the byte after it known; `nil` for itself.
    static func append(
        _ text: String, to bytes: inout [UInt8], plain isPlain: ASCIISet,
        _ replacement: (Unicode.Scalar, _ next: UInt8?) -> Replacement?
    ) {
        var text = text
        text.withUTF8 { append(utf8: $0, to: &bytes, plain: isPlain, replacement) }
    }

    /// Adds text, as its UTF-8, which must be valid.
    static func append(
        utf8 text: UnsafeBufferPointer<UInt8>, to bytes: inout [UInt8], plain isPlain: ASCIISet,
        _ replacement: (Unicode.Scalar, _ next: UInt8?) -> Replacement?
    ) {
        var start = 0
        var place = 0
        func copy() {
            guard start < place else { return }
            bytes.append(contentsOf: UnsafeBufferPointer(rebasing: text[start..<place]))
        }
        while place < text.count {
            if isPlain.contains(text[place]) {
                place += 1
                continue
            }
            let (scalar, length) = scalar(of: text, at: place)
            let next = place + length < text.count ? text[place + length] : nil
            if let replacement = replacement(scalar, next) {
                copy()
                switch replacement {
                case .text(let text): bytes.append(text)
                case .visibleEscape: bytes.append(contentsOf: scalar.visibleEscape.utf8)
                }
                start = place + length
            }
            place += length
        }
        copy()
    }

    /// A character of valid UTF-8 (RFC 3629, section 3).
    private static func scalar(
        of text: UnsafeBufferPointer<UInt8>, at place: Int
    ) -> (Unicode.Scalar, length: Int) {
        let lead = text[place]
        let length = max(1, (~lead).leadingZeroBitCount)
        let value = text[(place + 1)..<(place + length)].reduce(
            UInt32(lead) & (length == 1 ? 0x7F : 0x7F >> UInt32(length))
        ) { $0 << 6 | UInt32($1 & 0x3F) }
        return (Unicode.Scalar(value) ?? "\u{FFFD}", length)
    }
}

/// A set of ASCII characters that is asked for every byte of a report.
struct ASCIISet {
    private var low: UInt64 = 0
    private var high: UInt64 = 0

    /// All that can be printed, but for these.
    init(printableBut others: StaticString) {
        for byte in UInt8(0x20)...0x7E { set(byte, true) }
        others.withUTF8Buffer { for byte in $0 { set(byte, false) } }
    }

    /// The set and one more character.
    func with(_ byte: UInt8) -> ASCIISet {
        var copy = self
        copy.set(byte, true)
        return copy
    }

    func contains(_ byte: UInt8) -> Bool {
        let word = byte < 64 ? low : high
        return byte < 128 && word >> UInt64(byte & 63) & 1 == 1
    }

    private mutating func set(_ byte: UInt8, _ isMember: Bool) {
        let bit = UInt64(1) << UInt64(byte & 63)
        switch (byte < 64, isMember) {
        case (true, true): low |= bit
        case (true, false): low &= ~bit
        case (false, true): high |= bit
        case (false, false): high &= ~bit
        }
    }
}

extension [UInt8] {
    /// Adds what stands in the source.
    mutating func append(_ constant: StaticString) {
        append(upTo: constant.utf8CodeUnitCount) { $0.put(constant) }
    }

    /// Adds a number below 1000 with the zeros before it.
    mutating func append(threeDigits number: Int) {
        for digit in [number / 100, number / 10 % 10, number % 10] {
            append(UInt8(ascii: "0") + UInt8(digit))
        }
    }

    /// Adds the digits of a number, within what stands in the source.
    mutating func append(
        _ before: StaticString = "", decimal number: Int, _ after: StaticString = ""
    ) {
        // A sign and 19 digits.
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 20) { text in
            var start = text.count
            var rest = number.magnitude
            repeat {
                start -= 1
                text[start] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
                rest /= 10
            } while rest > 0
            if number < 0 {
                start -= 1
                text[start] = UInt8(ascii: "-")
            }
            append(before, UnsafeBufferPointer(rebasing: text[start...]), after)
        }
    }

    /// Adds bytes within what stands in the source.
    mutating func append(
        _ before: StaticString, _ bytes: UnsafeBufferPointer<UInt8>, _ after: StaticString
    ) {
        let size = before.utf8CodeUnitCount + bytes.count + after.utf8CodeUnitCount
        append(upTo: size) { pen in
            pen.put(before)
            pen.put(bytes)
            pen.put(after)
        }
    }
}
