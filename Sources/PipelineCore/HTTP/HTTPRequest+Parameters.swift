extension HTTPRequest {
    /// Names with their values in order, for the query of an address or for a form.
    ///
    /// Written as a literal, or made from pairs that are known later:
    ///
    /// ```swift
    /// let query: HTTPRequest.Parameters = ["tag": "red", "tag": "blue"]
    /// let form = HTTPRequest.Parameters(["user": name, "city": city])
    /// ```
    public struct Parameters: Sendable, Hashable {
        private var pairs: [Pair]

        private struct Pair: Hashable {
            let name: String
            let value: String
        }

        /// The pairs of a dictionary, which has no order, sorted by name.
        public init(_ values: [String: String]) {
            pairs = values.sorted { $0.key < $1.key }.map { Pair(name: $0.key, value: $0.value) }
        }

        /// Adds a pair after the others, whether or not the name is there already.
        public mutating func append(_ name: String, _ value: String) {
            pairs.append(Pair(name: name, value: value))
        }

        /// `name=value&name=value`, with every byte percent-encoded that is not unreserved
        /// (RFC 3986, section 2.3); empty for no pairs.
        var encoded: String {
            var result: [UInt8] = []
            for pair in pairs {
                if !result.isEmpty { result.append(UInt8(ascii: "&")) }
                PercentEncoding.append(encoding: pair.name.utf8, to: &result)
                result.append(UInt8(ascii: "="))
                PercentEncoding.append(encoding: pair.value.utf8, to: &result)
            }
            return String(decoding: result, as: UTF8.self)
        }
    }
}

extension HTTPRequest.Parameters: ExpressibleByDictionaryLiteral {
    /// The pairs in the order written; a name may come more than once.
    public init(dictionaryLiteral elements: (String, String)...) {
        pairs = elements.map { Pair(name: $0.0, value: $0.1) }
    }
}
