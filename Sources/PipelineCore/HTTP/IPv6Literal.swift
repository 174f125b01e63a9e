/// The address between the brackets of an IPv6 host (RFC 3986, section 3.2.2).
enum IPv6Literal {
    /// Refuses what is not an IPv6 address, with an optional zone (RFC 6874: `%25` and a name).
    static func check(_ literal: ArraySlice<UInt8>) throws(HTTPURLError) {
        let address: ArraySlice<UInt8>
        if let percent = literal.firstIndex(of: UInt8(ascii: "%")) {
            let zone = literal[percent...]
            guard zone.starts(with: "%25".utf8), zone.count > 3 else {
                throw HTTPURLError("the zone of an IPv6 address is written %25 and its name")
            }
            address = literal[..<percent]
        } else {
            address = literal
        }
        guard isAddress(address) else {
            throw HTTPURLError("what stands between [ and ] is not an IPv6 address")
        }
    }

    /// Eight groups of one to four hexadecimal digits, one run of them shortened to `::` at most,
    /// the last two perhaps written as an IPv4 address.
    private static func isAddress(_ text: ArraySlice<UInt8>) -> Bool {
        var groups = text.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        let isShortened = groups.dropFirst().dropLast().contains { $0.isEmpty }
        // `::` at an end leaves one more empty piece there.
        if groups.count > 2, groups[0].isEmpty, groups[1].isEmpty { groups.removeFirst() }
        if groups.count > 1, groups.suffix(2).allSatisfy(\.isEmpty) { groups.removeLast() }
        var count = groups.count { !$0.isEmpty }
        guard groups.count - count == (isShortened ? 1 : 0) else { return false }
        if let last = groups.last, last.contains(UInt8(ascii: ".")) {
            guard isIPv4(last) else { return false }
            count += 1
            groups.removeLast()
        }
        let areHexadecimal = groups.allSatisfy { group in
            group.count <= 4 && group.allSatisfy(\.isHexDigit)
        }
        return areHexadecimal && (isShortened ? count < 8 : count == 8)
    }

    private static func isIPv4(_ text: ArraySlice<UInt8>) -> Bool {
        let parts = text.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        return parts.count == 4
            && parts.allSatisfy { part in
                1...3 ~= part.count && part.allSatisfy(\.isASCIIDigit)
                    && UInt8(String(decoding: part, as: UTF8.self)) != nil
            }
    }
}
