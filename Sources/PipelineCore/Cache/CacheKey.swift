/// What a stored response is found by, as two SHA-256 sums: nothing of an address can be read.
struct CacheKey: Sendable, Hashable {
    /// The sum of the address: one for all responses that an unsafe method voids together.
    let address: String
    /// The sum of all else that selects a response: whose it is, and the fields of the request.
    let variant: String

    /// The key of the response to a request.
    ///
    /// - Parameters:
    ///   - request: Its fields are part of the key: nobody gets what another's token got, whatever
    ///     it is called, and no virtual host gets the response of another.
    ///   - user: Whose cookies a transport adds without showing them.
    ///   - names: The fields that the response was selected by (RFC 9111, section 4.1), in lower
    ///     case and in order.
    init(_ request: HTTPRequest, user: String, selectedBy names: [String] = []) {
        address = Self.address(request.url)
        let own = Set(request.fields.map { $0.name.lowercased() }).subtracting(Self.harmlessFields)
        var parts = [user, "\(own.count)"]
        for name in own.sorted() + names {
            let values = request.fields.values(of: name)
            parts += [name, "\(values.count)"] + values.map { $0.trimmed }
        }
        variant = Self.sum(parts)
    }

    /// The fields that no server tells its clients apart by, unless it says so by `Vary`.
    private static let harmlessFields: Set<String> = [
        "accept-encoding", "user-agent", "cache-control", "pragma", "connection", "range",
        "if-range", "if-match", "if-none-match", "if-modified-since", "if-unmodified-since",
        "traceparent", "tracestate",
    ]

    /// The part that all keys of an address have, whatever the `Host` of their requests: a change
    /// voids rather too much than too little.
    static func address(_ url: HTTPURL) -> String {
        sum([Origin(url).description, url.target])
    }

    /// The sum of texts, each with its length, so that no two lists look the same.
    private static func sum(_ parts: [String]) -> String {
        SHA256.hexadecimal(parts.flatMap { Array("\($0.utf8.count):\($0)".utf8) })
    }
}
