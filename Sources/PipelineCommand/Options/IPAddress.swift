import PipelineJSON

/// An address of a host, in numbers.
enum IPAddress {
    /// Whether a text is an IPv4 address, or an IPv6 address with or without its brackets.
    static func isValid(_ text: Substring) -> Bool {
        var bytes = Array(text.utf8)[...]
        if AddressText.isIPv4(bytes) { return true }
        if bytes.first == UInt8(ascii: "["), bytes.last == UInt8(ascii: "]") {
            bytes = bytes.dropFirst().dropLast()
        }
        return AddressText.isIPv6(bytes)
    }
}
