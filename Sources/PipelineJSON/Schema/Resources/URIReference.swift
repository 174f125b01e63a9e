/// A URI reference in its five parts (RFC 3986 appendix B), as they are written: nothing is decoded.
struct URIReference {
    private(set) var scheme: Substring?
    private(set) var authority: Substring?
    private(set) var path: Substring
    private(set) var query: Substring?
    private(set) var fragment: Substring?

    /// Any text; what is not a URI reference ends up in some part, mostly the path.
    init(_ text: String) {
        var rest = text[...]
        if let mark = rest.utf8.firstIndex(of: UInt8(ascii: "#")) {
            fragment = rest[rest.utf8.index(after: mark)...]
            rest = rest[..<mark]
        }
        if let mark = rest.utf8.firstIndex(of: UInt8(ascii: "?")) {
            query = rest[rest.utf8.index(after: mark)...]
            rest = rest[..<mark]
        }
        if let colon = rest.utf8.firstIndex(of: UInt8(ascii: ":")), Self.isScheme(rest[..<colon]) {
            scheme = rest[..<colon]
            rest = rest[rest.utf8.index(after: colon)...]
        }
        if rest.utf8.starts(with: "//".utf8) {
            let start = rest.utf8.index(rest.startIndex, offsetBy: 2)
            let end = rest.utf8[start...].firstIndex(of: UInt8(ascii: "/")) ?? rest.endIndex
            authority = rest[start..<end]
            rest = rest[end...]
        }
        path = rest
    }

    /// The target of this reference, which stands in a document with this URI (section 5.2.2).
    func resolved(against base: URIReference) -> URIReference {
        var target = self
        if scheme == nil {
            target.scheme = base.scheme
            if authority == nil {
                target.authority = base.authority
                if path.isEmpty {
                    target.path = base.path
                    target.query = query ?? base.query
                } else if path.utf8.first != UInt8(ascii: "/") {
                    target.path = base.merged(with: path)
                }
            }
        }
        target.path = Self.removingDotSegments(target.path)
        return target
    }

    /// The parts joined again, except the fragment.
    var textWithoutFragment: String {
        var text = ""
        if let scheme { text += "\(scheme):" }
        if let authority { text += "//\(authority)" }
        text += path
        if let query { text += "?\(query)" }
        return text
    }

    /// Section 5.2.3.
    private func merged(with relative: Substring) -> Substring {
        if authority != nil && path.isEmpty { return "/" + relative }
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return relative }
        return path[...slash] + relative
    }

    /// Section 5.2.4.
    private static func removingDotSegments(_ path: Substring) -> Substring {
        let segments = path.split(separator: "/" as Unicode.Scalar)
        let first = segments.first?.isEmpty == true ? 1 : 0
        var kept: [Substring] = []
        for segment in segments {
            if segment == ".." && kept.count > first { kept.removeLast() }
            if segment != "." && segment != ".." { kept.append(segment) }
        }
        if segments.last == "." || segments.last == ".." { kept.append("") }
        return kept.joined(separator: "/")[...]
    }

    private static func isScheme(_ text: Substring) -> Bool {
        guard let first = text.utf8.first, first.isLetter else { return false }
        return text.utf8.allSatisfy { $0.isLetter || $0.isDigit || "+-.".utf8.contains($0) }
    }
}

extension Substring {
    /// The parts between separators, empty ones too.
    ///
    /// Not by `Character`, since a mark that combines with a separator would hide it.
    fileprivate func split(separator: Unicode.Scalar) -> [Substring] {
        unicodeScalars.split(separator: separator, omittingEmptySubsequences: false)
            .map { Substring($0) }
    }
}
