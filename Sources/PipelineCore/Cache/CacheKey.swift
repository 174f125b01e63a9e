/// What a stored response is found by, as two SHA-256 sums: nothing of an address can be read.
struct CacheKey: Sendable, Hashable {
    /// The sum of the address: one for all responses that an unsafe method voids together.
    let address: String
    /// The sum of all else that selects a response: whose it is, credentials, the fields of `Vary`.
    let variant: String

    /// The key of the response to a request.
    ///
    /// - Parameters:
    ///   - request: Its credentials are part of the key: nobody gets what another's token got.
    ///   - user: Whose cookies a transport adds without showing them.
    ///   - names: The fields that the response was selected by (RFC 9111, section 4.1), in lower
    ///     case and in order.
    init(_ request: HTTPRequest, user: String, selectedBy names: [String] = []) {
        address = Self.address(request.url)
        var parts = [user]
        for name in ["authorization", "cookie"] + names {
            let values = request.fields.values(of: name)
            parts += [name, "\(values.count)"] + values.map { $0.trimmed }
        }
        variant = Self.sum(parts)
    }

    /// The part that all keys of an address have.
    static func address(_ url: HTTPURL) -> String {
        sum([Origin(url).description, url.target])
    }

    /// The sum of texts, each with its length, so that no two lists look the same.
    private static func sum(_ parts: [String]) -> String {
        SHA256.hexadecimal(parts.flatMap { Array("\($0.utf8.count):\($0)".utf8) })
    }
}
