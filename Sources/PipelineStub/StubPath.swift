/// Which paths a route answers: a path that may have holes.
///
/// Octets are compared after percent-decoding, segment by segment, so `/a%20b` and `/a b` are the
/// same path while `/a%2Fb` is not `/a/b` (RFC 3986, section 2.2). The query takes no part.
public struct StubPath: Sendable, Hashable {
    private let segments: [PathSegment]

    /// A part of a path.
    public enum Piece: Sendable, Hashable {
        /// This text, percent-encoded or not.
        case literal(String)
        /// Whatever stands there, also nothing, as long as it is within one segment: any octets but
        /// `/`, `?` and `#`. What a placeholder of a pipeline becomes.
        case hole
    }

    /// The path that the pieces make when they are joined.
    ///
    /// It ends at the first `?` or `#` of a literal; a `/` at its start may be missing.
    public init(_ pieces: [Piece]) {
        var segments: [[[UInt8]]] = [[[]]]
        pieces: for piece in pieces {
            guard case .literal(let text) = piece else {
                segments[segments.count - 1].append([])
                continue
            }
            for byte in text.utf8 {
                if byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#") { break pieces }
                if byte == UInt8(ascii: "/") {
                    segments.append([[]])
                } else {
                    let literal = segments[segments.count - 1].count - 1
                    segments[segments.count - 1][literal].append(byte)
                }
            }
        }
        // What stands before the first slash is nothing, unless that slash is missing.
        if segments.count > 1, segments[0] == [[]] { segments.removeFirst() }
        self.segments = segments.map { PathSegment(literals: $0.map { $0[...].percentDecoded }) }
    }

    /// A path without holes.
    public init(_ path: String) {
        self.init([.literal(path)])
    }

    /// Whether this is the path of a request, given as ``segments(ofTarget:)``.
    func matches(_ path: [[UInt8]]) -> Bool {
        path.count == segments.count && zip(segments, path).allSatisfy { $0.matches($1) }
    }

    /// How many octets are fixed: of two paths that match, the one with more says more.
    var fixedCount: Int {
        segments.reduce(0) { $0 + $1.literals.reduce(0) { $0 + $1.count } }
    }

    /// The decoded segments of the path in a request target (RFC 9112, section 3.2).
    static func segments(ofTarget target: String) -> [[UInt8]] {
        var rest = Array(target.utf8)[...]
        if rest.first != UInt8(ascii: "/"), let scheme = rest.firstRange(of: Array("://".utf8)) {
            // The absolute form, as sent to a proxy: what follows the authority is the path.
            rest = rest[scheme.upperBound...]
            rest = rest[(rest.firstIndex { "/?#".utf8.contains($0) } ?? rest.endIndex)...]
        }
        let path = rest.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
        let relative = path.first == UInt8(ascii: "/") ? path.dropFirst() : path
        return relative.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
            .map(\.percentDecoded)
    }
}

extension StubPath: ExpressibleByStringLiteral {
    /// A path without holes.
    public init(stringLiteral path: String) {
        self.init(path)
    }
}

extension StubPath: CustomStringConvertible {
    /// The path, decoded, with `{}` for each hole.
    public var description: String {
        segments.map { "/" + $0.description }.joined()
    }
}
