/// Scheme, host and port: whom a request is written for (RFC 6454, section 4).
package struct Origin: Sendable, Hashable, CustomStringConvertible {
    package let scheme: String
    /// In lower case, an IPv6 literal with its brackets.
    ///
    /// Two spellings of one IPv6 address are two origins: the safe side.
    package let host: String
    package let port: Int

    /// Where an address leads.
    package init(_ url: HTTPURL) {
        scheme = url.scheme
        host = String(decoding: url.host.utf8.map(\.lowercasedASCII), as: UTF8.self)
        port = url.port
    }

    /// Whether the port is the scheme's own, which is not written.
    var isUsualPort: Bool { port == (scheme == "https" ? 443 : 80) }

    /// Such as `https://example.org:8443` (section 6.2).
    package var description: String {
        "\(scheme)://\(host)" + (isUsualPort ? "" : ":\(port)")
    }
}
