/// Host names, IP addresses and mail addresses.
package enum AddressText {
    /// RFC 1123 section 2.1, without a dot at the end.
    package static func isHostname(_ text: ArraySlice<UInt8>) -> Bool {
        let labels = text.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        return text.count <= 253 && labels.allSatisfy(isLabel)
    }

    /// RFC 2673 section 3.2: four numbers without leading zeros.
    package static func isIPv4(_ text: ArraySlice<UInt8>) -> Bool {
        let parts = text.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        return parts.count == 4
            && parts.allSatisfy { part in
                1...3 ~= part.count && part.allSatisfy(\.isDigit)
                    && (part.count == 1 || part.first != UInt8(ascii: "0"))
                    && part.reduce(0) { $0 * 10 + Int($1 & 0xF) } <= 255
            }
    }

    /// RFC 4291 section 2.2, without a zone.
    ///
    /// Eight groups, one run of them perhaps shortened to `::`, the last two perhaps an IPv4 address.
    package static func isIPv6(_ text: ArraySlice<UInt8>) -> Bool {
        let colon = UInt8(ascii: ":")
        let gap = text.indices.dropLast().first { text[$0] == colon && text[$0 + 1] == colon }
        guard let gap else { return groupCount(text, mayEndInIPv4: true) == 8 }
        guard let before = groupCount(text[..<gap], mayEndInIPv4: false),
            let after = groupCount(text[(gap + 2)...], mayEndInIPv4: true)
        else { return false }
        return before + after < 8
    }

    /// RFC 5321 section 4.1.2: a dotted or quoted local part, and a host name or address literal.
    package static func isMailbox(_ text: ArraySlice<UInt8>) -> Bool {
        guard let at = localPartEnd(text), at < text.endIndex, text[at] == UInt8(ascii: "@"),
            at - text.startIndex <= 64
        else { return false }
        let domain = text[(at + 1)...]
        guard domain.first == UInt8(ascii: "["), domain.last == UInt8(ascii: "]") else {
            return isHostname(domain)
        }
        let literal = domain.dropFirst().dropLast()
        let tag = "IPv6:".utf8
        let isTagged = literal.prefix(tag.count).elementsEqual(tag) { $0 | 0x20 == $1 | 0x20 }
        return isTagged ? isIPv6(literal.dropFirst(tag.count)) : isIPv4(literal)
    }

    private static func isLabel(_ label: ArraySlice<UInt8>) -> Bool {
        let hyphen = UInt8(ascii: "-")
        guard 1...63 ~= label.count, label.first != hyphen, label.last != hyphen,
            label.allSatisfy({ $0.isLetter || $0.isDigit || $0 == hyphen })
        else { return false }
        return !InternationalLabel.isMarked(label) || InternationalLabel.isValid(label)
    }

    private static func groupCount(_ text: ArraySlice<UInt8>, mayEndInIPv4: Bool) -> Int? {
        guard !text.isEmpty else { return 0 }
        var groups = text.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        var count = 0
        if mayEndInIPv4, let last = groups.last, last.contains(UInt8(ascii: ".")) {
            guard isIPv4(last) else { return nil }
            groups.removeLast()
            count = 2
        }
        let areGroups = groups.allSatisfy { group in
            1...4 ~= group.count && group.allSatisfy { $0.hexadecimalValue != nil }
        }
        return areGroups ? count + groups.count : nil
    }

    private static func localPartEnd(_ text: ArraySlice<UInt8>) -> Int? {
        guard text.first == UInt8(ascii: "\"") else {
            let end = text.firstIndex(of: UInt8(ascii: "@")) ?? text.endIndex
            let atoms = text[..<end].split(
                separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
            return atoms.allSatisfy { !$0.isEmpty && $0.allSatisfy(\.isAtomCharacter) } ? end : nil
        }
        var isEscaped = false
        for (index, byte) in zip(text.indices, text).dropFirst() {
            guard 0x20...0x7E ~= byte else { return nil }
            if byte == UInt8(ascii: "\"") && !isEscaped { return index + 1 }
            isEscaped = byte == UInt8(ascii: "\\") && !isEscaped
        }
        return nil
    }
}

extension UInt8 {
    /// `atext` of RFC 5322 section 3.2.3.
    fileprivate var isAtomCharacter: Bool {
        isLetter || isDigit || "!#$%&'*+-/=?^_`{|}~".utf8.contains(self)
    }
}
