// Asking the server whether a stored response holds still (section 4.3).
extension CachePolicy {
    /// The request with the validators of a stored response; `nil` when it has none.
    ///
    /// The entity tag goes as it came, strong or weak: `If-None-Match` compares weakly (RFC 9110,
    /// section 13.1.2). The date goes along for servers that know no tags.
    static func validation(of stored: CachedHead, for request: HTTPRequest) -> HTTPRequest? {
        let fields = stored.head.fields
        let tag = fields["ETag"].flatMap { $0.isEmpty ? nil : $0 }
        let date = fields["Last-Modified"].flatMap { $0.isEmpty ? nil : $0 }
        guard tag != nil || date != nil else { return nil }
        var request = request
        request.fields["If-None-Match"] = tag
        request.fields["If-Modified-Since"] = date
        return request
    }

    /// Whether a 304 is about this stored response (section 4.3.4).
    ///
    /// One that names another tag or date confirms a response that is not here. A strong tag must be
    /// the same; a weak one is compared weakly; the date counts where no tag decides.
    static func confirms(_ answer: HTTPResponse.Head, _ stored: CachedHead) -> Bool {
        let (new, old) = (answer.fields, stored.head.fields)
        if let tag = new["ETag"], let known = old["ETag"] {
            return tag == known || tag.isWeakTag && tag.opaqueTag == known.opaqueTag
        }
        // A strong tag picks one response, and that is not one without.
        if let tag = new["ETag"], !tag.isWeakTag { return false }
        guard let date = new["Last-Modified"], let known = old["Last-Modified"] else { return true }
        return date == known
    }

    /// Whether a status is one of those that a stale response may stand in for (RFC 5861, section
    /// 4).
    static func isServerTrouble(_ status: Int) -> Bool {
        [500, 502, 503, 504].contains(status)
    }

    /// The addresses whose stored responses are void after this answer (section 4.4).
    ///
    /// An unsafe method that did not fail voids its own address, and those that the answer names on
    /// the same origin; on others it could be used to empty somebody's cache.
    static func invalidated(by head: HTTPResponse.Head, to request: HTTPRequest) -> [HTTPURL] {
        guard !isSafe(request.method), 200..<400 ~= head.status else { return [] }
        let named = ["Location", "Content-Location"].flatMap { head.fields.values(of: $0) }
            .compactMap { try? request.url.resolving($0) }
            .filter { Origin($0) == Origin(request.url) }
        return [request.url] + named
    }

    /// Whether a method asks for no change (RFC 9110, section 9.2.1).
    static func isSafe(_ method: String) -> Bool {
        ["GET", "HEAD", "OPTIONS", "TRACE"].contains(method)
    }
}

extension String {
    fileprivate var isWeakTag: Bool { hasPrefix("W/") }

    /// An entity tag without the mark that it is weak (RFC 9110, section 8.8.3.2).
    fileprivate var opaqueTag: Substring { isWeakTag ? dropFirst(2) : self[...] }
}
