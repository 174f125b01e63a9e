/// The redirects of one request, one decision for each response.
///
/// Credentials go to the origin that the request was written for and to no other. What was dropped
/// once stays dropped, also when the chain comes back: who sent it away may have chosen what it
/// comes back with (the Fetch standard, HTTP-redirect fetch; cases O07, O08).
package struct RedirectChain: Sendable {
    /// How many redirects were followed.
    package private(set) var count = 0
    /// Whether a redirect led to another origin; from then on no credentials may be added.
    package private(set) var hasLeftOrigin = false

    private let limit: Int
    private let origin: Origin
    private let confidentialFields: [String]
    private let holdsSecret: @Sendable (String) -> Bool
    private var visited: Set<Stop>

    /// Where a request went: coming back with the same method is a loop.
    private struct Stop: Hashable {
        let method: String
        let url: HTTPURL

        init(_ request: HTTPRequest) {
            (method, url) = (request.method, request.url)
        }
    }

    /// A chain that has not begun.
    ///
    /// - Parameters:
    ///   - limit: How many redirects are followed; none when it is not above 0.
    ///   - request: The request as it was written, whose origin may have its credentials.
    ///   - confidentialFields: The names of further fields that only that origin may have.
    ///   - holdsSecret: Whether the value of a field holds a secret, in whatever form.
    package init(
        limit: Int, request: HTTPRequest, confidentialFields: [String] = [],
        holdsSecret: @escaping @Sendable (String) -> Bool
    ) {
        self.limit = limit
        self.confidentialFields = confidentialFields
        self.holdsSecret = holdsSecret
        origin = Origin(request.url)
        visited = [Stop(request)]
    }

    /// What becomes of a response.
    package enum Decision: Sendable {
        /// It is the answer.
        case deliver
        /// This request is sent next; it comes from the one before and keeps its timeout.
        case follow(HTTPRequest)
        /// The request has failed: what is wrong, in one sentence without a full stop.
        case fail(String)
    }

    /// Decides about the response to the request that was sent last.
    package mutating func next(
        after head: HTTPResponse.Head, to request: HTTPRequest
    ) -> Decision {
        guard limit > 0, [301, 302, 303, 307, 308].contains(head.status),
            head.hasField("Location")
        else { return .deliver }
        // A Location without a value is as none, as curl has it: it would lead back for ever.
        let locations = Self.locations(of: head).filter { !$0.isEmpty }
        guard let location = locations.first else { return .deliver }
        let status = HTTPStatus.described(head.status)
        guard locations.allSatisfy({ $0 == location }) else {
            return .fail("\(status) with \(locations.count) different Location fields")
        }
        let url: HTTPURL
        do {
            url = try request.url.resolving(location)
        } catch {
            return .fail("\(status) with a Location that cannot be followed: \(error)")
        }
        var next = request
        next.url = url
        if Self.turnsIntoGet(request.method, status: head.status) {
            Self.dropBody(of: &next)
        }
        guard count < limit else { return .fail(tooMany(last: next)) }
        count += 1
        visited.insert(Stop(next))
        hasLeftOrigin = hasLeftOrigin || Origin(url) != origin
        if hasLeftOrigin { dropCredentials(of: &next) }
        return .follow(next)
    }

    private func tooMany(last: HTTPRequest) -> String {
        let redirects = limit == 1 ? "1 redirect" : "\(limit) redirects"
        let loop = visited.contains(Stop(last)) ? ", where it had been before: a loop" : ""
        return "more than \(redirects), the last to \(last.url)\(loop)"
    }

    /// The values of all Location lines; bytes that are not ASCII are percent-encoded as they came,
    /// since nobody says which character set they are in.
    private static func locations(of head: HTTPResponse.Head) -> [String] {
        var wire: [UInt8] = []
        for byte in head.wireFields {
            if byte < 0x80 { wire.append(byte) } else { PercentEncoding.append(byte, to: &wire) }
        }
        return HTTPFields(wire: wire).values(of: "Location")
    }

    /// RFC 9110, sections 15.4.2 to 15.4.4: 303 always asks for another resource; after 301 and 302
    /// user agents have made a POST a GET for so long that servers count on it.
    private static func turnsIntoGet(_ method: String, status: Int) -> Bool {
        status == 303 || (status == 301 || status == 302) && method == "POST"
    }

    private static func dropBody(of request: inout HTTPRequest) {
        if request.method != "HEAD" { request.method = "GET" }
        request.body = nil
        for name in bodyFields { request.fields[name] = nil }
    }

    private func dropCredentials(of request: inout HTTPRequest) {
        request.hasLeftOrigin = true
        for name in Self.originFields + confidentialFields { request.fields[name] = nil }
        request.fields = HTTPFields(request.fields.filter { !holdsSecret($0.value) })
        // A certificate tells who the client is, and what it may do.
        let tls = request.connection.tls
        guard tls.certificate != nil || tls.key != nil else { return }
        request.connection.tls.certificate = nil
        request.connection.tls.key = nil
    }

    /// The fields that tell of a body and mean nothing without it.
    private static let bodyFields = [
        "Content-Type", "Content-Length", "Content-Encoding", "Content-Language",
        "Content-Location", "Transfer-Encoding", "Digest", "Content-Digest", "Repr-Digest",
        "Expect",
    ]

    /// The fields that are for one origin only.
    private static let originFields = ["Authorization", "Cookie", "Proxy-Authorization", "Host"]
}
