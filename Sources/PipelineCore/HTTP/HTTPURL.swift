/// An absolute `http` or `https` address that can be sent a request (RFC 3986, RFC 9110 section 4.2).
///
/// Checked when it is made: scheme, host, port and IPv6 literals are well-formed, there are no
/// credentials in it, and no byte that could not stand in a request line. A raw space or a
/// character that is not ASCII is percent-encoded; what is encoded already stays byte for byte.
/// A fragment is dropped: it is never sent.
public struct HTTPURL: Sendable, Hashable, CustomStringConvertible {
    /// The address as it is sent.
    public let text: String
    private let authorityStart: UInt32
    private let hostEnd: UInt32
    private let pathStart: UInt32

    /// Checks and keeps an address.
    ///
    /// - Throws: ``HTTPURLError``, which says what is wrong and where in the text.
    public init(_ text: String) throws(HTTPURLError) {
        var parser = HTTPURLParser(text)
        try parser.parse()
        self.text = parser.output
        self.authorityStart = UInt32(parser.authorityStart)
        self.hostEnd = UInt32(parser.hostEnd)
        self.pathStart = UInt32(parser.pathStart)
    }

    /// The same address with more parameters at the end of its query.
    func appending(query: HTTPRequest.Parameters) -> HTTPURL {
        let encoded = query.encoded
        guard !encoded.isEmpty else { return self }
        let target = text.utf8.dropFirst(Int(pathStart))
        let separator =
            !target.contains(UInt8(ascii: "?")) ? "?" : target.last == UInt8(ascii: "?") ? "" : "&"
        return HTTPURL(self, text: text + separator + encoded)
    }

    /// An address that begins as another one does, up to its path.
    private init(_ other: HTTPURL, text: String) {
        self.text = text
        authorityStart = other.authorityStart
        hostEnd = other.hostEnd
        pathStart = other.pathStart
    }

    /// `http` or `https`, in lower case.
    public var scheme: String { isSecure ? "https" : "http" }

    /// Whether the scheme is `https`.
    public var isSecure: Bool { authorityStart == 8 }

    /// The host without port, an IPv6 literal with its brackets.
    public var host: String { slice(authorityStart, hostEnd) }

    /// The port, 80 or 443 where none is written.
    public var port: Int {
        Int(slice(hostEnd, pathStart).dropFirst()) ?? (isSecure ? 443 : 80)
    }

    /// Path and query, `/` when there is none.
    public var target: String {
        let target = slice(pathStart, UInt32(text.utf8.count))
        return target.hasPrefix("/") ? target : "/" + target
    }

    /// Host and port as they are written.
    package var authority: String { slice(authorityStart, pathStart) }

    /// Scheme, host and port as they are written, without the path.
    var textBeforeTarget: String { slice(0, pathStart) }

    /// The address as it is sent.
    public var description: String { text }

    private func slice(_ start: UInt32, _ end: UInt32) -> String {
        let utf8 = text.utf8
        let from = utf8.index(utf8.startIndex, offsetBy: Int(start))
        let to = utf8.index(utf8.startIndex, offsetBy: Int(end))
        return String(text[from..<to])
    }
}

/// What is wrong with an address.
public struct HTTPURLError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What was expected and what was found, without the address itself, which may hold a secret.
    public let description: String

    init(_ description: String) {
        self.description = description
    }
}
