import PipelineCore

/// What stands between two slashes of a path: decoded text with holes in it.
struct PathSegment: Sendable, Hashable {
    /// The text before, between and after the holes: one more than there are holes.
    let literals: [[UInt8]]

    /// Whether these decoded octets are the text with anything, or nothing, in each hole.
    func matches(_ octets: [UInt8]) -> Bool {
        guard literals.count > 1, let first = literals.first, let last = literals.last else {
            return literals.first == octets
        }
        guard octets.count >= first.count + last.count, octets.starts(with: first),
            octets.reversed().starts(with: last.reversed())
        else { return false }
        var rest = octets.dropFirst(first.count).dropLast(last.count)
        // The leftmost place for each literal leaves most room for those after it, so the search
        // never has to go back.
        for literal in literals.dropFirst().dropLast() where !literal.isEmpty {
            guard let found = rest.firstRange(of: literal) else { return false }
            rest = rest[found.upperBound...]
        }
        return true
    }

    var description: String {
        literals.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "{}")
    }
}

extension ArraySlice<UInt8> {
    /// The octets with `%XX` undone; a `%` without two digits stays (RFC 3986, section 2.1).
    var percentDecoded: [UInt8] {
        var result: [UInt8] = []
        var rest = self
        while let byte = rest.popFirst() {
            let digits = rest.prefix(2)
            if byte == UInt8(ascii: "%"), digits.count == 2, digits.allSatisfy(\.isHexDigit),
                let octet = UInt8(String(decoding: digits, as: UTF8.self), radix: 16)
            {
                result.append(octet)
                rest.removeFirst(2)
            } else {
                result.append(byte)
            }
        }
        return result
    }

    /// The first place where these octets stand.
    func firstRange(of octets: [UInt8]) -> Range<Int>? {
        (startIndex...endIndex)
            .first { self[$0...].starts(with: octets) }
            .map { $0..<($0 + octets.count) }
    }
}
