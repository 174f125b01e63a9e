import PipelineJSON

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
        guard AddressText.isIPv6(address) else {
            throw HTTPURLError("what stands between [ and ] is not an IPv6 address")
        }
    }
}
