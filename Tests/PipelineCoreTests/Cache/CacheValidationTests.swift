import Testing

@testable import PipelineCore

@Suite("Validation and invalidation (RFC 9111, sections 4.3 and 4.4)")
struct CacheValidationTests {
    @Test("4.3.1: both validators are sent as they came")
    func request() throws {
        let both = stored(["ETag": "W/\"a\"", "Last-Modified": date(-5)])
        let request = try get("/x", fields: ["X": "1"])
        let validation = try #require(CachePolicy.validation(of: both, for: request))
        #expect(validation.url == request.url)
        #expect(
            validation.fields == [
                "X": "1", "If-None-Match": "W/\"a\"", "If-Modified-Since": date(-5),
            ])
        #expect(CachePolicy.validation(of: stored(["Date": date(0)]), for: request) == nil)
    }

    @Test(
        "4.3.4: which stored response a 304 is about",
        arguments: [
            ([:], ["ETag": "\"a\""], true), (["ETag": "\"a\""], ["ETag": "\"a\""], true),
            (["ETag": "\"b\""], ["ETag": "\"a\""], false),
            (["ETag": "\"a\""], ["ETag": "W/\"a\""], false),
            (["ETag": "W/\"a\""], ["ETag": "\"a\""], true),
            (["ETag": "W/\"a\""], ["ETag": "W/\"a\""], true),
            (["ETag": "W/\"b\""], ["ETag": "W/\"a\""], false),
            (["ETag": "\"a\""], ["Last-Modified": date(0)], false),
            (["Last-Modified": date(0)], ["Last-Modified": date(0)], true),
            (["Last-Modified": date(1)], ["Last-Modified": date(0)], false),
            (
                ["ETag": "\"a\"", "Last-Modified": date(1)],
                ["ETag": "\"a\"", "Last-Modified": date(0)], true
            ),
        ] as [(HTTPFields, HTTPFields, Bool)])
    func confirms(answer: HTTPFields, old: HTTPFields, isConfirmed: Bool) {
        let head = HTTPResponse.Head(status: 304, fields: answer)
        #expect(CachePolicy.confirms(head, stored(old)) == isConfirmed)
    }

    @Test(
        "4.2.4: when a stale response stands in for an error",
        arguments: [
            ("max-age=60, stale-if-error=40", "x", 99, true),
            ("max-age=60, stale-if-error=40", "x", 101, false),
            ("max-age=60", "stale-if-error=40", 99, true), ("max-age=60", "x", 61, false),
            ("max-age=60, must-revalidate, stale-if-error=40", "x", 61, false),
            ("max-age=60, no-cache, stale-if-error=40", "x", 61, false),
            ("max-age=60, stale-if-error=40", "no-cache", 61, false),
        ])
    func onError(response: String, request: String, later: Int, isServed: Bool) throws {
        #expect(
            CachePolicy.mayServeOnError(
                stored(["Cache-Control": response]),
                for: try get(fields: ["Cache-Control": request]), now: cacheEpoch + later)
                == isServed)
    }

    @Test(
        "4.4: which addresses an answer makes void",
        arguments: [
            ("POST", 200, [:], ["/a"]), ("PUT", 204, [:], ["/a"]), ("DELETE", 303, [:], ["/a"]),
            ("PATCH", 404, [:], []), ("POST", 500, [:], []), ("GET", 200, [:], []),
            ("HEAD", 200, ["Location": "/b"], []), ("OPTIONS", 200, [:], []),
            ("QUERY", 200, [:], ["/a"]),
            ("POST", 201, ["Location": "/b", "Content-Location": "c"], ["/a", "/b", "/c"]),
            ("POST", 201, ["Location": "http://other.example/b"], ["/a"]),
            ("POST", 201, ["Location": "https://example.org/b"], ["/a"]),
            ("POST", 201, ["Location": "http://[bad"], ["/a"]),
        ] as [(String, Int, HTTPFields, [String])])
    func invalidated(method: String, status: Int, fields: HTTPFields, targets: [String]) throws {
        let head = HTTPResponse.Head(status: status, fields: fields)
        let urls = CachePolicy.invalidated(by: head, to: try get("/a", method: method))
        #expect(urls.map(\.target) == targets)
        #expect(urls.allSatisfy { $0.host == "example.org" })
    }

    @Test("A response answers several requests at once unless that is forbidden")
    func shareable() {
        func isShareable(_ status: Int, _ fields: HTTPFields) -> Bool {
            CachePolicy.isShareable(HTTPResponse.Head(status: status, fields: fields))
        }
        #expect(isShareable(200, [:]))
        #expect(isShareable(200, ["Cache-Control": "max-age=0, private"]))
        #expect(isShareable(503, [:]))
        #expect(!isShareable(200, ["Cache-Control": "no-store"]))
        #expect(!isShareable(200, ["Cache-Control": "no-cache", "ETag": "\"a\""]))
        #expect(!isShareable(200, ["Vary": "*"]))
        #expect(!isShareable(401, [:]))
        #expect(!isShareable(206, [:]))
    }
}
