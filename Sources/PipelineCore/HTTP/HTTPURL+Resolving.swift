extension HTTPURL {
    /// The address that a reference means where this one is the base (RFC 3986, section 5.2).
    ///
    /// Dot segments are removed from what the reference brings; a fragment is dropped, and raw
    /// spaces and characters that are not ASCII are percent-encoded, as in every address.
    ///
    /// - Parameter reference: An absolute address, or one that is relative in any form: `//host/p`,
    ///   `/p`, `p`, `../p`, `?q`, or empty. A scheme is taken as one, so `http:p` is no address.
    /// - Throws: ``HTTPURLError``, when the result cannot be sent a request.
    public func resolving(_ reference: String) throws(HTTPURLError) -> HTTPURL {
        let reference = Array(reference.utf8.prefix { $0 != UInt8(ascii: "#") })
        if let scheme = Self.scheme(of: reference) {
            guard ["http", "https"].contains(scheme) else {
                throw HTTPURLError("expected the scheme http or https, found \(scheme)")
            }
            return try HTTPURL(bytes: reference).withoutDotSegments()
        }
        if reference.starts(with: "//".utf8) {
            return try HTTPURL(bytes: "\(scheme):".utf8 + reference).withoutDotSegments()
        }
        let path = reference.prefix { $0 != UInt8(ascii: "?") }
        let query = reference[path.endIndex...]
        let base = Array(target.utf8)
        let basePath = base.prefix { $0 != UInt8(ascii: "?") }
        let newTarget: [UInt8]
        if path.isEmpty {
            newTarget = query.isEmpty ? base : Array(basePath + query)
        } else if path.first == slash {
            newTarget = Self.removingDotSegments(path) + query
        } else {
            // Section 5.2.3: the reference takes the place of the last segment.
            let folder = basePath[...(basePath.lastIndex(of: slash) ?? basePath.startIndex)]
            newTarget = Self.removingDotSegments(folder + path) + query
        }
        return try HTTPURL(bytes: textBeforeTarget.utf8 + newTarget)
    }

    private init(bytes: some Collection<UInt8>) throws(HTTPURLError) {
        try self.init(String(decoding: bytes, as: UTF8.self))
    }

    private func withoutDotSegments() throws(HTTPURLError) -> HTTPURL {
        let path = Array(target.utf8.prefix { $0 != UInt8(ascii: "?") })
        let query = target.utf8.dropFirst(path.count)
        let newTarget = Self.removingDotSegments(path[...]) + query
        return try HTTPURL(bytes: textBeforeTarget.utf8 + newTarget)
    }

    /// The scheme in lower case; `nil` for a relative reference (RFC 3986, section 4.2).
    private static func scheme(of reference: [UInt8]) -> String? {
        guard let end = reference.firstIndex(where: { ":/?".utf8.contains($0) }),
            reference[end] == UInt8(ascii: ":"), reference.first?.isASCIILetter == true,
            reference[..<end].allSatisfy({
                $0.isASCIILetter || $0.isASCIIDigit || "+-.".utf8.contains($0)
            })
        else { return nil }
        return String(decoding: reference[..<end].map(\.lowercasedASCII), as: UTF8.self)
    }

    /// A path that begins with a slash, without `.` and `..` (RFC 3986, section 5.2.4).
    static func removingDotSegments(_ path: ArraySlice<UInt8>) -> [UInt8] {
        let segments = path.dropFirst().split(separator: slash, omittingEmptySubsequences: false)
        var kept: [ArraySlice<UInt8>] = []
        for segment in segments {
            if segment.elementsEqual("..".utf8) {
                _ = kept.popLast()
            } else if !segment.elementsEqual(".".utf8) {
                kept.append(segment)
            }
        }
        // A path that ended in a dot segment names a folder.
        if let last = segments.last, last.elementsEqual(".".utf8) || last.elementsEqual("..".utf8) {
            kept.append([])
        }
        return [slash] + kept.joined(separator: [slash])
    }
}

private let slash = UInt8(ascii: "/")
