/// What a cache that belongs to one user may keep, and when it may use it (RFC 9111).
///
/// Pure: the time of day is given, in seconds since the beginning of 1970 in UTC.
enum CachePolicy {
    /// How a request is answered.
    enum Decision: Sendable, Equatable {
        /// By what is stored.
        case serve
        /// By what is stored if the server says that it holds still, which this request asks.
        case validate(HTTPRequest)
        /// By the server.
        case fetch
        /// Not at all: the client wants what is stored only, and that cannot be used (504).
        case unavailable
    }

    /// Decides about a request (section 4), which stored responses to other methods, addresses or
    /// selected fields do not match.
    static func decision(for request: HTTPRequest, stored: CachedHead?, now: Int) -> Decision {
        let wanted = requestDirectives(request)
        guard let stored else { return wanted.isOnlyIfCached ? .unavailable : .fetch }
        if mayServe(stored, wanted, now: now) { return .serve }
        if wanted.isOnlyIfCached { return .unavailable }
        return validation(of: stored, for: request).map(Decision.validate) ?? .fetch
    }

    /// What the request asks of caches; `Pragma: no-cache` where it has no `Cache-Control`
    /// (section 5.4).
    static func requestDirectives(_ request: HTTPRequest) -> CacheControl {
        let lines = request.fields.values(of: "Cache-Control")
        return CacheControl(lines.isEmpty ? request.fields.values(of: "Pragma") : lines)
    }

    private static func mayServe(
        _ stored: CachedHead, _ wanted: CacheControl, now: Int
    ) -> Bool {
        let said = CacheControl(stored.head.fields)
        guard !said.demandsValidation, !wanted.demandsValidation else { return false }
        let freshness = Freshness(stored, now: now)
        let isForEver = said.isImmutable && freshness.isFresh
        if let limit = wanted.maxAge, freshness.age > limit, !isForEver { return false }
        if let least = wanted.minFresh, freshness.timeLeft < least { return false }
        if freshness.isFresh { return true }
        guard let most = wanted.maxStale, !said.forbidsStale else { return false }
        return -freshness.timeLeft <= most
    }

    /// Whether a stale response stands in when the server cannot be asked, or has an error of its
    /// own (section 4.2.4; RFC 5861, section 4).
    static func mayServeOnError(_ stored: CachedHead, for request: HTTPRequest, now: Int) -> Bool {
        let said = CacheControl(stored.head.fields)
        let wanted = requestDirectives(request)
        guard !said.forbidsStale, !said.demandsValidation, !wanted.demandsValidation,
            let most = said.staleIfError ?? wanted.staleIfError
        else { return false }
        return -Freshness(stored, now: now).timeLeft <= most
    }

    /// The head for a request that is answered without asking the server: with its age (section 4).
    static func servedHead(_ stored: CachedHead, now: Int) -> HTTPResponse.Head {
        var fields = stored.head.fields
        fields["Age"] = "\(Freshness(stored, now: now).age)"
        return HTTPResponse.Head(
            status: stored.head.status, version: stored.head.version, fields: fields)
    }
}

// What may be stored (section 3).
extension CachePolicy {
    /// Whether a request may be answered by a cache at all.
    ///
    /// Only GET is. A request that has conditions or a range of its own wants the answer to these,
    /// one with a content is beyond what the address names, and what one with other trust, another
    /// socket or a certificate of its own is told is not for those without.
    static func concerns(_ request: HTTPRequest) -> Bool {
        request.method == "GET" && request.body == nil && !request.wantsCertificate
            && request.connection.isOrdinary
            && !requestDirectives(request).forbidsStoring
            && ownConditions.allSatisfy { request.fields[$0] == nil }
    }

    private static let ownConditions = [
        "Range", "If-Range", "If-Match", "If-None-Match", "If-Modified-Since",
        "If-Unmodified-Since",
    ]

    /// Whether the response to a request may be stored, and could ever be used.
    ///
    /// `Authorization` is no hindrance to a private cache (section 3.5), nor is `private`. Of no use
    /// is what is stale at once and has no validator.
    static func isStorable(_ stored: CachedHead, for request: HTTPRequest) -> Bool {
        let said = CacheControl(stored.head.fields)
        guard request.method == "GET", mayBeReused(stored.head, said), stored.head.status != 206
        else { return false }
        let fields = stored.head.fields
        let isExplicit = said.maxAge != nil || fields["Expires"] != nil
        guard isExplicit || said.isPublic || said.isPrivate || isCommon(stored.head.status) else {
            return false
        }
        return Freshness.lifetime(of: stored) > 0
            || fields["ETag"] != nil || fields["Last-Modified"] != nil
    }

    /// Whether one response may answer all requests that asked for it before it came.
    ///
    /// As if it had been stored for no time: not where the server forbids any further use without
    /// asking, and not an answer to one client's credentials or condition.
    static func isShareable(_ head: HTTPResponse.Head) -> Bool {
        let said = CacheControl(head.fields)
        return mayBeReused(head, said) && !said.demandsValidation
            && ![206, 401, 407].contains(head.status)
    }

    private static func mayBeReused(_ head: HTTPResponse.Head, _ said: CacheControl) -> Bool {
        !said.forbidsStoring && head.status >= 200 && head.status != 304
            && selectingFields(head) != nil
    }

    /// The statuses that may be stored without a word about it (RFC 9110, section 15.1), save 206.
    static func isCommon(_ status: Int) -> Bool {
        [200, 203, 204, 300, 301, 308, 404, 405, 410, 414, 501].contains(status)
    }

    /// The fields of a request that its response was selected by, in lower case and in order; `nil`
    /// where no other request matches (section 4.1).
    ///
    /// That is so for `*`, and for `Cookie`: a transport adds cookies from its own jar, which
    /// cannot be seen in the request.
    static func selectingFields(_ head: HTTPResponse.Head) -> [String]? {
        var names: Set<String> = []
        for line in head.fields.values(of: "Vary") {
            for name in line.split(separator: ",") where !name.trimmed.isEmpty {
                names.insert(name.trimmed.lowercased())
            }
        }
        return names.isDisjoint(with: ["*", "cookie"]) ? names.sorted() : nil
    }
}

extension ConnectionOptions {
    /// Whether anybody who asks would reach the same server and be nobody in particular to it.
    fileprivate var isOrdinary: Bool {
        var significant = self
        significant.proxy = .environment
        significant.proxyExceptions = nil
        significant.version = nil
        significant.addressFamily = .any
        significant.tls.minimumVersion = nil
        return significant == ConnectionOptions()
    }
}
