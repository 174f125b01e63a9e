/// How old a stored response is and until when it is fresh (RFC 9111, section 4.2), in seconds.
struct Freshness: Sendable, Hashable {
    /// The age from which on it is stale.
    let lifetime: Int
    /// How long ago the server made it or confirmed it.
    let age: Int

    /// What is so at this time, in seconds since the beginning of 1970 in UTC.
    init(_ stored: CachedHead, now: Int) {
        lifetime = Self.lifetime(of: stored)
        age = Self.age(of: stored, now: now)
    }

    /// Whether it may be used without asking.
    var isFresh: Bool { lifetime > age }

    /// How much longer it is fresh; negative when it is stale.
    var timeLeft: Int { lifetime - age }

    /// Section 4.2.1: `max-age` before `Expires` before a guess.
    static func lifetime(of stored: CachedHead) -> Int {
        let fields = stored.head.fields
        let said = CacheControl(fields)
        if let maxAge = said.maxAge { return maxAge }
        if let expires = fields["Expires"] {
            // What is no date, such as 0, has passed (section 5.3).
            guard let end = HTTPDate.parse(expires, now: stored.receivedAt) else { return 0 }
            return limited(end - date(of: stored))
        }
        guard said.isPublic || CachePolicy.isCommon(stored.head.status) else { return 0 }
        return guess(stored)
    }

    /// Section 4.2.2: a tenth of the time for which it had not changed, at most a day.
    private static func guess(_ stored: CachedHead) -> Int {
        guard let text = stored.head.fields["Last-Modified"],
            let change = HTTPDate.parse(text, now: stored.receivedAt)
        else { return 0 }
        return min(limited(date(of: stored) - change) / 10, 86_400)
    }

    /// Section 4.2.3.
    private static func age(of stored: CachedHead, now: Int) -> Int {
        // Of a response from the future only the server knows how old it is.
        guard now >= stored.receivedAt else { return CacheControl.mostSeconds }
        let apparent = limited(stored.receivedAt - date(of: stored))
        let told = stored.head.fields["Age"]?.split(separator: ",").first
        let corrected =
            (CacheControl.seconds(told?.trimmed) ?? 0)
            + limited(stored.receivedAt - stored.requestedAt)
        return limited(max(apparent, corrected) + limited(now - stored.receivedAt))
    }

    /// When the server made it; when it came, where the server has no clock (RFC 9110, section
    /// 6.6.1).
    private static func date(of stored: CachedHead) -> Int {
        stored.head.fields["Date"].flatMap { HTTPDate.parse($0, now: stored.receivedAt) }
            ?? stored.receivedAt
    }

    private static func limited(_ seconds: Int) -> Int {
        min(max(0, seconds), CacheControl.mostSeconds)
    }
}
