import PipelineCore

/// The names and values that an HTTP Archive has apart, read from fields and addresses.
///
/// Values stay as they were sent: what is percent-encoded twice would, decoded, hold the forms of
/// secrets that were masked before.
enum HARPairs {
    typealias Pair = (name: String, value: String)

    /// The parameters of an address.
    static func query(_ url: String) -> [Pair] {
        guard let mark = url.utf8.firstIndex(of: UInt8(ascii: "?")) else { return [] }
        return url[url.index(after: mark)...].split(separator: "&").map(pair)
    }

    /// The cookies that a request sends (RFC 6265, section 4.2).
    static func cookies(_ fields: HTTPFields) -> [Pair] {
        fields.values(of: "Cookie").flatMap { value in
            value.split(separator: ";").map { pair($0.drop { $0 == " " }) }
        }
    }

    /// The cookies that a response sets.
    static func setCookies(_ fields: HTTPFields) -> [SetCookie] {
        fields.values(of: "Set-Cookie").compactMap { SetCookie($0) }
    }

    /// A date of HTTP as RFC 3339 writes it; `nil` for none.
    static func time(_ date: String) -> String? {
        HTTPDate.parse(date, now: UTCTime.now.secondsSince1970).map {
            UTCTime(secondsSince1970: $0, milliseconds: 0).description
        }
    }

    private static func pair(_ text: Substring) -> Pair {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        return (String(parts[0]), parts.count > 1 ? String(parts[1]) : "")
    }
}
