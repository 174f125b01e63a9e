import Testing

@testable import PipelineCore

@Suite("What a cache may keep and use (RFC 9111)")
struct CachePolicyTests {
    @Test(
        "3: what may be stored",
        arguments: [
            (200, ["ETag": "\"a\""], true), (200, ["Last-Modified": date(-5)], true),
            (200, ["Cache-Control": "max-age=1"], true), (200, ["Expires": date(9)], true),
            (200, [:], false), (200, ["Cache-Control": "max-age=0"], false),
            (200, ["Cache-Control": "max-age=0", "ETag": "\"a\""], true),
            (200, ["Cache-Control": "no-store, max-age=60"], false),
            (200, ["Cache-Control": "no-cache", "ETag": "\"a\""], true),
            (200, ["Cache-Control": "private, max-age=60"], true),
            (200, ["ETag": "\"a\"", "Vary": "*"], false),
            (200, ["ETag": "\"a\"", "Vary": "Accept, *"], false),
            (200, ["ETag": "\"a\"", "Vary": "cookie"], false),
            (200, ["ETag": "\"a\"", "Vary": "Accept"], true),
            (206, ["Cache-Control": "max-age=60"], false),
            (304, ["Cache-Control": "max-age=60"], false),
            (404, ["Cache-Control": "max-age=60"], true), (404, ["ETag": "\"a\""], true),
            (301, ["Expires": date(9)], true), (302, ["ETag": "\"a\""], false),
            (302, ["Cache-Control": "max-age=60"], true), (500, ["ETag": "\"a\""], false),
            (302, ["Cache-Control": "private", "ETag": "\"a\""], true),
        ] as [(Int, HTTPFields, Bool)])
    func storable(status: Int, fields: HTTPFields, isStorable: Bool) throws {
        let stored = stored(status: status, fields)
        #expect(CachePolicy.isStorable(stored, for: try get()) == isStorable)
        #expect(!CachePolicy.isStorable(stored, for: try get(method: "POST")))
        let authorized = try get(fields: ["Authorization": "Bearer a"])
        #expect(CachePolicy.isStorable(stored, for: authorized) == isStorable, "section 3.5")
    }

    @Test("3.1: fields of the connection are not stored, those it names included")
    func connectionFields() {
        let head = stored([
            "Connection": "close, X-Hop", "x-hop": "1", "Keep-Alive": "2", "ETag": "\"a\"",
            "Transfer-Encoding": "chunked", "Set-Cookie": "a=b", "X-End": "3",
        ])
        #expect(head.head.fields.map(\.name) == ["ETag", "Set-Cookie", "X-End"])
    }

    @Test("3.2: a 304 replaces the fields it has, but not those of the content, nor the age")
    func merge() {
        let old = stored([
            "Date": date(-500), "Age": "400", "ETag": "\"a\"", "Content-Length": "7",
            "Content-Type": "text/a", "X-Old": "1", "X-Both": "1",
        ])
        let answer = stored(
            status: 304,
            [
                "x-both": "2", "Content-Length": "0", "Content-Type": "text/b",
                "Cache-Control": "max-age=9", "Connection": "close",
            ], requestedAt: cacheEpoch + 7, receivedAt: cacheEpoch + 8)
        let merged = old.updated(by: answer)
        #expect(merged.head.status == 200)
        #expect(
            merged.head.fields == [
                "ETag": "\"a\"", "Content-Length": "7", "Content-Type": "text/a", "X-Old": "1",
                "x-both": "2", "Cache-Control": "max-age=9",
            ])
        #expect((merged.requestedAt, merged.receivedAt) == (cacheEpoch + 7, cacheEpoch + 8))
        #expect(Freshness(merged, now: cacheEpoch + 8).age == 1)
    }

    /// What decides about a response that is fresh for 60 s.
    private static let fresh: HTTPFields = ["Cache-Control": "max-age=60", "ETag": "\"a\""]

    @Test(
        "4 and 5.2: whether a stored response is used",
        arguments: [
            ("fresh", fresh, [:], 59, .serve), ("stale", fresh, [:], 60, .validate),
            ("no-cache", ["Cache-Control": "no-cache, max-age=9", "ETag": "a"], [:], 0, .validate),
            ("5.2.1.4", fresh, ["Cache-Control": "no-cache"], 0, .validate),
            ("5.4", fresh, ["Pragma": "no-cache"], 0, .validate),
            ("5.4", fresh, ["Pragma": "no-cache", "Cache-Control": "x"], 0, .serve),
            ("5.2.1.1", fresh, ["Cache-Control": "max-age=5"], 5, .serve),
            ("5.2.1.1", fresh, ["Cache-Control": "max-age=5"], 6, .validate),
            ("5.2.1.3", fresh, ["Cache-Control": "min-fresh=10"], 50, .serve),
            ("5.2.1.3", fresh, ["Cache-Control": "min-fresh=10"], 51, .validate),
            ("5.2.1.2", fresh, ["Cache-Control": "max-stale=10"], 70, .serve),
            ("5.2.1.2", fresh, ["Cache-Control": "max-stale=10"], 71, .validate),
            ("5.2.1.2", fresh, ["Cache-Control": "max-stale"], 99_999, .serve),
            (
                "5.2.2.2", ["Cache-Control": "max-age=60, must-revalidate", "ETag": "a"],
                ["Cache-Control": "max-stale"], 61, .validate
            ),
            ("5.2.1.7", fresh, ["Cache-Control": "only-if-cached"], 5, .serve),
            ("5.2.1.7", fresh, ["Cache-Control": "only-if-cached"], 60, .unavailable),
            ("offline", fresh, ["Cache-Control": "only-if-cached, max-stale"], 99_999, .serve),
            (
                "RFC 8246", ["Cache-Control": "max-age=60, immutable", "ETag": "a"],
                ["Cache-Control": "max-age=0"], 59, .serve
            ),
            (
                "RFC 8246", ["Cache-Control": "max-age=60, immutable", "ETag": "a"],
                ["Cache-Control": "no-cache"], 59, .validate
            ),
            (
                "RFC 8246", ["Cache-Control": "max-age=60, immutable", "ETag": "a"],
                ["Cache-Control": "max-age=0"], 60, .validate
            ),
            ("no validator", ["Cache-Control": "max-age=60"], [:], 60, .fetch),
            ("an empty one", ["Cache-Control": "max-age=60", "ETag": ""], [:], 60, .fetch),
        ] as [(String, HTTPFields, HTTPFields, Int, Kind)])
    func decision(
        name: String, response: HTTPFields, request: HTTPFields, later: Int, kind: Kind
    ) throws {
        let request = try get(fields: request)
        let decision = CachePolicy.decision(
            for: request, stored: stored(response), now: cacheEpoch + later)
        #expect(Kind(decision) == kind)
    }

    enum Kind: Sendable {
        case serve, validate, fetch, unavailable

        init(_ decision: CachePolicy.Decision) {
            switch decision {
            case .serve: self = .serve
            case .validate: self = .validate
            case .fetch: self = .fetch
            case .unavailable: self = .unavailable
            }
        }
    }

    @Test("4: nothing stored is fetched, or unavailable to who wants nothing else")
    func nothingStored() throws {
        let only = try get(fields: ["Cache-Control": "only-if-cached"])
        #expect(CachePolicy.decision(for: try get(), stored: nil, now: 0) == .fetch)
        #expect(CachePolicy.decision(for: only, stored: nil, now: 0) == .unavailable)
    }

    @Test("4: what is served says how old it is, once")
    func servedAge() {
        let head = CachePolicy.servedHead(stored(["Age": "5", "ETag": "a"]), now: cacheEpoch + 7)
        #expect(head.fields.values(of: "age") == ["12"])
    }

    @Test("4.1: the fields that select a response, in one order")
    func vary() {
        let head = HTTPResponse.Head(
            status: 200,
            fields: HTTPFields([
                HTTPField(name: "Vary", value: "B ,a,"), HTTPField(name: "vary", value: "b"),
            ]))
        #expect(CachePolicy.selectingFields(head) == ["a", "b"])
        #expect(CachePolicy.selectingFields(HTTPResponse.Head(status: 200)) == [])
    }

    @Test(
        "Requests that no cache may answer",
        arguments: [
            ["Range": "bytes=0-1"], ["If-None-Match": "a"], ["if-modified-since": date(0)],
            ["If-Match": "a"], ["If-Range": "a"], ["If-Unmodified-Since": date(0)],
            ["Cache-Control": "no-store"],
        ] as [HTTPFields])
    func unconcerned(fields: HTTPFields) throws {
        #expect(!CachePolicy.concerns(try get(fields: fields)))
    }

    @Test("Requests that a cache may answer, and what about their connection matters")
    func concerned() throws {
        var request = try get(fields: ["Authorization": "a", "Cache-Control": "no-cache"])
        request.connection.version = .http1
        request.connection.proxy = .none
        #expect(CachePolicy.concerns(request))
        for method in ["HEAD", "POST", "get"] {
            #expect(!CachePolicy.concerns(try get(method: method)))
        }
        var other = request
        other.connection.tls.isVerified = false
        #expect(!CachePolicy.concerns(other))
        other = request
        other.connection.tls.certificate = "me.pem"
        #expect(!CachePolicy.concerns(other))
        other = request
        other.body = .bytes([])
        #expect(!CachePolicy.concerns(other))
        other = request
        other.wantsCertificate = true
        #expect(!CachePolicy.concerns(other))
    }
}
