/// What the `Cache-Control` fields of a message say (RFC 9111, section 5.2).
///
/// Directives that contradict one another are all kept, so that the most restrictive can be honoured
/// (section 4.2.1). What is broken ends at the next comma: a directive behind it still counts.
struct CacheControl: Sendable, Hashable {
    /// Nothing of the message may be stored.
    private(set) var forbidsStoring = false
    /// What is stored may be used only after the server was asked.
    ///
    /// So is the form that names fields, `no-cache="Set-Cookie"`: a cache may read it as the other.
    private(set) var demandsValidation = false
    /// What is stale may not be used, even where the client would take it.
    private(set) var forbidsStale = false
    /// The response may be stored whatever its status.
    private(set) var isPublic = false
    /// The response is for one user; nothing else to a cache that belongs to one.
    private(set) var isPrivate = false
    /// The content never changes while it is fresh (RFC 8246).
    private(set) var isImmutable = false
    /// The client wants no answer from the network.
    private(set) var isOnlyIfCached = false
    /// The age in seconds up to which the response is fresh, or that the client takes.
    ///
    /// 0 when the value is none: what cannot be read counts as stale (section 4.2.1).
    private(set) var maxAge: Int?
    /// For how many seconds a stale response is taken; the most where no number is given.
    private(set) var maxStale: Int?
    /// For how many seconds more it has to be fresh.
    private(set) var minFresh: Int?
    /// For how many seconds a stale response stands in for an error (RFC 5861, section 4).
    private(set) var staleIfError: Int?

    /// More seconds than a cache counts (section 1.2.2).
    static let mostSeconds = 2_147_483_648

    /// Reads all lines of the field together; of a doubled directive the first counts.
    init(_ lines: [String]) {
        for line in lines {
            var rest = Array(line.utf8)[...]
            while let (name, value) = rest.takeDirective() { take(name, value) }
        }
    }

    /// What the fields of a message say.
    init(_ fields: HTTPFields) {
        self.init(fields.values(of: "Cache-Control"))
    }

    private mutating func take(_ name: String, _ value: String?) {
        switch name {
        case "no-store": forbidsStoring = true
        case "no-cache": demandsValidation = true
        case "must-revalidate": forbidsStale = true
        case "public": isPublic = true
        case "private": isPrivate = true
        case "immutable": isImmutable = true
        case "only-if-cached": isOnlyIfCached = true
        case "max-age": maxAge = maxAge ?? Self.seconds(value) ?? 0
        case "max-stale":
            maxStale = maxStale ?? (value == nil ? Self.mostSeconds : Self.seconds(value))
        case "min-fresh": minFresh = minFresh ?? Self.seconds(value)
        case "stale-if-error": staleIfError = staleIfError ?? Self.seconds(value)
        // A cache ignores what it does not know (section 5.2.3), and what is for shared ones.
        default: break
        }
    }

    /// `delta-seconds` (section 1.2.2); `nil` for what is no such number.
    static func seconds(_ text: String?) -> Int? {
        guard let text, !text.isEmpty, text.utf8.allSatisfy(\.isASCIIDigit) else { return nil }
        return min(Int(text) ?? mostSeconds, mostSeconds)
    }
}

extension ArraySlice<UInt8> {
    /// Takes the next directive, its name in lower case and its value without quotes; `nil` at the
    /// end.
    fileprivate mutating func takeDirective() -> (name: String, value: String?)? {
        while true {
            self = drop { $0 == UInt8(ascii: ",") || $0.isBlank }
            guard !isEmpty else { return nil }
            let name = prefix { $0.isTokenCharacter }
            self = dropFirst(name.count).drop(while: \.isBlank)
            let value = take("=") ? takeValue() : .some(nil)
            self = drop(while: \.isBlank)
            let isWhole = isEmpty || first == UInt8(ascii: ",")
            // What follows a directive and is none makes its value unreadable, not its name.
            if !isWhole { self = drop { $0 != UInt8(ascii: ",") } }
            guard !name.isEmpty else { continue }
            let text = String(decoding: name.map(\.lowercasedASCII), as: UTF8.self)
            return (text, isWhole ? value ?? "" : "")
        }
    }

    /// Takes a token or a quoted string; `nil` for neither.
    private mutating func takeValue() -> String?? {
        self = drop(while: \.isBlank)
        if first == UInt8(ascii: "\"") {
            var rest = self
            guard let value = rest.takeQuotedString() else { return nil }
            self = rest
            return value
        }
        let token = prefix { $0.isTokenCharacter }
        self = dropFirst(token.count)
        return String(decoding: token, as: UTF8.self)
    }

    /// RFC 9110, section 5.6.4; `nil` without an end.
    private mutating func takeQuotedString() -> String? {
        var value: [UInt8] = []
        removeFirst()
        while let byte = popFirst() {
            if byte == UInt8(ascii: "\"") { return String(decoding: value, as: UTF8.self) }
            guard let literal = byte == UInt8(ascii: "\\") ? popFirst() : byte else { return nil }
            value.append(literal)
        }
        return nil
    }
}

extension UInt8 {
    /// A space or a tab.
    fileprivate var isBlank: Bool { self == 0x20 || self == 0x09 }
}
