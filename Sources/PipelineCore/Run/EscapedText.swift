/// Text in which characters may be written as escapes, of whatever kind: percent-encoding, the
/// escapes of JSON at any depth, the references of XML and HTML, the plus sign of forms.
struct EscapedText {
    let bytes: UnsafeBufferPointer<UInt8>
    /// Where the text that is looked at ends.
    let end: Int

    /// What a text has at a place, compared with a secret.
    enum Match: Equatable {
        case none
        /// All of it, up to here.
        case whole(Int)
        /// The text ends within it, after so many of its bytes.
        case beginning(Int)
    }

    /// Compares byte for byte.
    func matchVerbatim(_ secret: [UInt8], at start: Int) -> Match {
        let count = min(secret.count, end - start)
        for index in 0..<count where bytes[start + index] != secret[index] { return .none }
        return count == secret.count ? .whole(start + count) : .beginning(count)
    }

    /// Compares what the text stands for.
    func matchDecoded(_ secret: [UInt8], at start: Int) -> Match {
        var place = start
        var known = 0
        while known < secret.count {
            guard place < end else { return .beginning(known) }
            if secret[known] == backslash, bytes[place] == backslash {
                // At each depth of JSON a backslash is doubled.
                let wanted = run(of: secret[known...])
                let found = run(at: place)
                guard found >= wanted else { return .none }
                known += wanted
                place += found
                continue
            }
            let unit = unit(at: place)
            // An escape that the secret itself holds stands for itself.
            let isLiteral =
                unit.length > 1 && secret[known...].starts(with: bytes[place..<place + unit.length])
            if isLiteral {
                known += unit.length
                place += unit.length
            } else if let count = agreement(of: unit, with: secret[known...]) {
                known += count
                place += unit.length
            } else if bytes[place] == secret[known] {
                // What looks like an escape is one of the secret's own characters.
                known += 1
                place += 1
            } else {
                return isCutEscape(at: place) ? .beginning(known) : .none
            }
        }
        return .whole(place)
    }

    /// Whether the text may end within an escape that begins at a place.
    private func isCutEscape(at place: Int) -> Bool {
        end - place < Self.longestEscape
            && (bytes[place] == UInt8(ascii: "%") || bytes[place] == backslash
                || bytes[place] == UInt8(ascii: "&"))
    }

    /// Both halves of a surrogate pair, `\ud83d\ude00`.
    private static let longestEscape = 12

    /// How many bytes of a secret a unit stands for; `nil` when it stands for something else.
    private func agreement(of unit: Unit, with secret: ArraySlice<UInt8>) -> Int? {
        var count = 0
        for (byte, wanted) in zip(unit, secret) {
            let isSpace = byte == plus && unit.length == 1 && wanted == 0x20
            guard byte == wanted || isSpace else { return nil }
            count += 1
        }
        return count
    }

    /// The first byte that the text at a place stands for.
    func firstByte(at place: Int) -> UInt8 { unit(at: place).first }

    /// A character as it is written: the bytes it stands for, and how many it takes.
    struct Unit: Sequence, IteratorProtocol {
        /// The first in the lowest place.
        private var packed: UInt32
        private var left: Int
        let length: Int

        init(_ byte: UInt8, length: Int) {
            (packed, left) = (UInt32(byte), 1)
            self.length = length
        }

        init(_ scalar: Unicode.Scalar, length: Int) {
            (packed, left) = (0, 0)
            for byte in UTF8.encode(scalar).map(Array.init) ?? [] {
                packed |= UInt32(byte) << (8 * left)
                left += 1
            }
            self.length = length
        }

        var first: UInt8 { UInt8(truncatingIfNeeded: packed) }

        mutating func next() -> UInt8? {
            guard left > 0 else { return nil }
            defer {
                packed >>= 8
                left -= 1
            }
            return first
        }
    }

    func unit(at place: Int) -> Unit {
        let byte = bytes[place]
        let escape: Unit? =
            switch byte {
            case UInt8(ascii: "%"):
                number(place + 1, digits: 2, base: 16).map {
                    Unit(UInt8(truncatingIfNeeded: $0), length: 3)
                }
            case backslash: jsonEscape(at: place)
            case UInt8(ascii: "&"): reference(at: place)
            default: nil
            }
        return escape ?? Unit(byte, length: 1)
    }

    private func jsonEscape(at place: Int) -> Unit? {
        let slashes = run(at: place)
        let next = place + slashes
        guard next < end else { return nil }
        switch bytes[next] {
        case UInt8(ascii: "n"): return Unit(0x0A, length: slashes + 1)
        case UInt8(ascii: "r"): return Unit(0x0D, length: slashes + 1)
        case UInt8(ascii: "t"): return Unit(0x09, length: slashes + 1)
        case UInt8(ascii: "b"): return Unit(0x08, length: slashes + 1)
        case UInt8(ascii: "f"): return Unit(0x0C, length: slashes + 1)
        case UInt8(ascii: "u"): return unicodeEscape(at: next, after: slashes)
        case let byte: return Unit(byte, length: slashes + 1)
        }
    }

    /// `u00e9`, or both halves of a surrogate pair.
    private func unicodeEscape(at place: Int, after slashes: Int) -> Unit? {
        guard let high = number(place + 1, digits: 4, base: 16) else { return nil }
        if let scalar = Unicode.Scalar(high) { return Unit(scalar, length: slashes + 5) }
        let second = place + 5
        guard second < end, bytes[second] == backslash else { return nil }
        let next = second + run(at: second)
        guard 0xD800...0xDBFF ~= high, next < end, bytes[next] == UInt8(ascii: "u"),
            let low = number(next + 1, digits: 4, base: 16), 0xDC00...0xDFFF ~= low,
            let scalar = Unicode.Scalar(0x10000 + (high - 0xD800) << 10 + (low - 0xDC00))
        else { return nil }
        return Unit(scalar, length: next + 5 - place + slashes)
    }

    private func reference(at place: Int) -> Unit? {
        let limit = min(end, place + 10)
        guard let semicolon = bytes[place..<limit].firstIndex(of: UInt8(ascii: ";")) else {
            return nil
        }
        let name = bytes[(place + 1)..<semicolon]
        let length = semicolon + 1 - place
        guard name.first == UInt8(ascii: "#") else {
            let character = Self.references.first { name.elementsEqual($0.name.utf8) }?.character
            return character.map { Unit($0, length: length) }
        }
        let isHexadecimal = name.dropFirst().first.map { $0 | 0x20 == UInt8(ascii: "x") } ?? false
        let start = place + (isHexadecimal ? 3 : 2)
        return number(start, digits: semicolon - start, base: isHexadecimal ? 16 : 10)
            .flatMap(Unicode.Scalar.init).map { Unit($0, length: length) }
    }

    private static let references: [(name: String, character: UInt8)] = [
        ("amp", UInt8(ascii: "&")), ("lt", UInt8(ascii: "<")), ("gt", UInt8(ascii: ">")),
        ("quot", UInt8(ascii: "\"")), ("apos", UInt8(ascii: "'")),
    ]

    private func number(_ start: Int, digits: Int, base: UInt32) -> UInt32? {
        guard digits > 0, digits <= 7, start + digits <= end else { return nil }
        var value: UInt32 = 0
        for byte in bytes[start..<(start + digits)] {
            guard let digit = Character(UnicodeScalar(byte)).hexDigitValue, digit < Int(base) else {
                return nil
            }
            value = value * base + UInt32(digit)
        }
        return value
    }

    private func run(at place: Int) -> Int { run(of: bytes[place..<end]) }

    private func run(of bytes: some Sequence<UInt8>) -> Int {
        var count = 0
        for byte in bytes {
            guard byte == backslash else { break }
            count += 1
        }
        return count
    }
}

private let backslash = UInt8(ascii: "\\")
private let plus = UInt8(ascii: "+")
