/// URIs and references (RFC 3986).
enum URIText {
    static func isReference(_ text: String, needsScheme: Bool) -> Bool {
        let reference = URIReference(text)
        guard reference.scheme != nil || !needsScheme,
            reference.authority.map(isAuthority) ?? true,
            hasOnly(\.isPathByte, reference.path),
            reference.query.map({ hasOnly(\.isFragmentByte, $0) }) ?? true,
            reference.fragment.map({ hasOnly(\.isFragmentByte, $0) }) ?? true
        else { return false }
        // What stands before a colon would be a scheme (section 4.2).
        let firstSegment = reference.path.utf8.prefix { $0 != UInt8(ascii: "/") }
        return reference.scheme != nil || reference.authority != nil
            || !firstSegment.contains(UInt8(ascii: ":"))
    }

    private static func isAuthority(_ text: Substring) -> Bool {
        var host = Array(text.utf8)[...]
        if let at = host.firstIndex(of: UInt8(ascii: "@")) {
            guard hasOnly(\.isUserByte, host[..<at]) else { return false }
            host = host[(at + 1)...]
        }
        if let colon = host.lastIndex(of: UInt8(ascii: ":")),
            host[(colon + 1)...].allSatisfy(\.isDigit)
        {
            host = host[..<colon]
        }
        guard host.first == UInt8(ascii: "[") else { return hasOnly(\.isRegisteredNameByte, host) }
        guard host.last == UInt8(ascii: "]") else { return false }
        let literal = host.dropFirst().dropLast()
        return AddressText.isIPv6(literal) || isFutureAddress(literal)
    }

    /// `IPvFuture` of section 3.2.2.
    private static func isFutureAddress(_ text: ArraySlice<UInt8>) -> Bool {
        var scanner = TextScanner(text)
        guard scanner.skip("v") else { return false }
        let version = scanner.rest.prefix { $0.hexadecimalValue != nil }
        let address = scanner.rest[version.endIndex...]
        return !version.isEmpty && address.first == UInt8(ascii: ".") && address.count > 1
            && address.dropFirst().allSatisfy(\.isUserByte)
    }

    /// Whether all bytes are allowed, a `%` only before two hexadecimal digits.
    private static func hasOnly(
        _ isAllowed: (UInt8) -> Bool, _ text: some Collection<UInt8>
    ) -> Bool {
        var digits = 0
        for byte in text {
            if digits > 0 {
                guard byte.hexadecimalValue != nil else { return false }
                digits -= 1
            } else if byte == UInt8(ascii: "%") {
                digits = 2
            } else if !isAllowed(byte) {
                return false
            }
        }
        return digits == 0
    }

    private static func hasOnly(_ isAllowed: (UInt8) -> Bool, _ text: Substring) -> Bool {
        hasOnly(isAllowed, text.utf8)
    }
}

extension UInt8 {
    /// `unreserved` and `sub-delims` of RFC 3986 section 2.
    fileprivate var isRegisteredNameByte: Bool {
        isLetter || isDigit || "-._~!$&'()*+,;=".utf8.contains(self)
    }

    /// What stands for itself before the host.
    fileprivate var isUserByte: Bool { isRegisteredNameByte || self == UInt8(ascii: ":") }

    /// What stands for itself in a path.
    fileprivate var isPathByte: Bool { isRegisteredNameByte || ":@/".utf8.contains(self) }

    /// What stands for itself in a query or fragment.
    var isFragmentByte: Bool { isPathByte || self == UInt8(ascii: "?") }
}
