/// The one form of a request that both sides sign.
struct AWSCanonicalRequest {
    /// Method, path, query, fields and the sum of the body, each on its line.
    let text: String
    /// The names of the fields that are signed, in lower case and order, with semicolons between.
    let signedNames: String

    /// - Parameter encodesTwice: Whether the path is cleaned and its percent signs are encoded once
    ///   more, as all services but S3 want it.
    init(_ request: HTTPRequest, payload: String, encodesTwice: Bool) {
        let target = Array(request.url.target.utf8)
        let path = target.prefix { $0 != UInt8(ascii: "?") }
        let query = target[path.endIndex...].dropFirst()
        let fields = Self.fields(of: request)
        signedNames = fields.map(\.name).joined(separator: ";")
        let lines = [
            request.method,
            encodesTwice ? Self.cleanPath(path) : Self.plainPath(path),
            Self.sorted(query),
            fields.map { "\($0.name):\($0.value)\n" }.joined(),
            signedNames,
            payload,
        ]
        text = lines.joined(separator: "\n")
    }

    /// Without dot segments and doubled slashes, every byte encoded that is reserved, `%` too.
    private static func cleanPath(_ path: ArraySlice<UInt8>) -> String {
        let clean = HTTPURL.removingDotSegments(path)
        let segments = clean.split(separator: UInt8(ascii: "/"))
        let end = clean.last == UInt8(ascii: "/") && !segments.isEmpty ? "/" : ""
        return "/" + segments.map { encoded($0) }.joined(separator: "/") + end
    }

    /// As it is, each segment encoded once.
    private static func plainPath(_ path: ArraySlice<UInt8>) -> String {
        path.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
            .map { encoded(decoded($0)) }.joined(separator: "/")
    }

    /// Each name and value encoded once, in the order of their bytes.
    private static func sorted(_ query: ArraySlice<UInt8>) -> String {
        var pairs: [(name: String, value: String)] = []
        for pair in query.split(separator: UInt8(ascii: "&")) {
            let name = pair.prefix { $0 != UInt8(ascii: "=") }
            let value = pair[name.endIndex...].dropFirst()
            pairs.append((encoded(decoded(name)), encoded(decoded(value))))
        }
        pairs.sort { ($0.name, $0.value) < ($1.name, $1.value) }
        return pairs.map { "\($0.name)=\($0.value)" }.joined(separator: "&")
    }

    /// By name; the values of one name in the order they are sent, with commas between.
    private static func fields(of request: HTTPRequest) -> [(name: String, value: String)] {
        var values: [String: [String]] = [:]
        for field in request.fields {
            let name = String(decoding: field.name.utf8.map(\.lowercasedASCII), as: UTF8.self)
            guard !changing.contains(name) else { continue }
            values[name, default: []].append(collapsed(field.value))
        }
        if values["host"] == nil {
            let port = Origin(request.url).isUsualPort ? "" : ":\(request.url.port)"
            values["host"] = [request.url.host + port]
        }
        return values.sorted { $0.key < $1.key }.map { ($0.key, $0.value.joined(separator: ",")) }
    }

    /// The fields that the transport or a proxy may add, change or take away.
    private static let changing: Set = [
        "accept-encoding", "authorization", "connection", "content-length", "cookie", "expect",
        "keep-alive", "proxy-authorization", "te", "trailer", "transfer-encoding", "upgrade",
        "user-agent", "via", "x-amzn-trace-id",
    ]

    /// Without spaces at the ends, and one for each run of them within.
    private static func collapsed(_ value: String) -> String {
        Array(value.utf8)[...].split { $0 == 0x20 || $0 == 0x09 }
            .map { String(decoding: $0, as: UTF8.self) }.joined(separator: " ")
    }

    private static func encoded(_ bytes: some Sequence<UInt8>) -> String {
        var result: [UInt8] = []
        PercentEncoding.append(encoding: bytes, to: &result)
        return String(decoding: result, as: UTF8.self)
    }

    /// The bytes behind `%XX`, which need not be UTF-8.
    ///
    /// A plus sign is one: only forms have it for a space.
    private static func decoded(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        PercentEncoding.decode(bytes).bytes
    }
}
