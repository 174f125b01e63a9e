import PipelineCore
import Testing

@Suite("Redirects")
struct RedirectChainTests {
    @Test(
        "O07: method and body across the statuses",
        arguments: [
            (301, "POST", "GET", false), (302, "POST", "GET", false), (303, "POST", "GET", false),
            (307, "POST", "POST", true), (308, "POST", "POST", true), (301, "PUT", "PUT", true),
            (302, "DELETE", "DELETE", true), (303, "PUT", "GET", false),
            (303, "HEAD", "HEAD", false), (301, "HEAD", "HEAD", true), (303, "GET", "GET", false),
            (307, "PATCH", "PATCH", true), (302, "post", "post", true),
        ])
    func methodAndBody(status: Int, method: String, expected: String, keepsBody: Bool) throws {
        let fields = HTTPFields(Self.bodyFields.map { HTTPField(name: $0, value: "v") })
        let request = HTTPRequest(
            method: method, url: try HTTPURL("http://a/a"), fields: fields, body: .bytes([1]))
        let next = try followed(request, status, "/b")
        #expect(next.url.text == "http://a/b")
        #expect(next.method == expected)
        #expect(next.body == (keepsBody ? .bytes([1]) : nil))
        #expect(next.fields == (keepsBody ? fields : ["accept": "v"]))
    }

    private static let bodyFields = [
        "content-type", "content-length", "Content-Encoding", "Content-Language", "accept",
        "Content-Location", "Transfer-Encoding", "Digest", "Content-Digest", "Repr-Digest",
        "Expect",
    ]

    @Test(
        "O08: credentials and secrets stay with the origin they were written for",
        arguments: [
            ("/b", true), ("http://HOST:80/b", true), ("http://host:81/b", false),
            ("http://other/b", false), ("https://host/b", false), ("//host:80/", true),
            ("http://host./", false),
        ])
    func origins(location: String, isSame: Bool) throws {
        let next = try followed(try confidential(), 302, location)
        let everywhere: HTTPFields = ["Accept": "json"]
        #expect(next.fields == (isSame ? try confidential().fields : everywhere))
    }

    @Test
    func `O08: what was dropped is not restored when the chain comes back`() throws {
        let request = try confidential()
        var chain = RedirectChain(limit: 10, request: request) { $0.contains("s3cret") }
        let away = try follow(&chain, request, "http://other/")
        #expect(chain.hasLeftOrigin)
        let back = try follow(&chain, away, "http://host/c")
        #expect(back.fields == ["Accept": "json"])
        #expect(chain.hasLeftOrigin)
        #expect(chain.count == 2)
        // Nor does a caller's mistake get further than one hop.
        let again = try follow(&chain, request, "/d")
        #expect(again.fields == ["Accept": "json"])
    }

    @Test
    func `A hop keeps what is not about its origin`() throws {
        var request = try confidential()
        request.timeout = .seconds(3)
        request.wantsCertificate = true
        let next = try followed(request, 308, "//other/")
        #expect(next.timeout == .seconds(3))
        #expect(next.wantsCertificate)
        #expect(next.sharedConnection === request.sharedConnection)
    }

    @Test(
        "What is no redirect is delivered",
        arguments: [
            (200, "/b", 10), (201, "/b", 10), (300, "/b", 10), (304, "/b", 10), (305, "/b", 10),
            (306, "/b", 10), (399, "/b", 10), (404, "/b", 10), (302, nil, 10), (302, "", 10),
            (302, "/b", 0), (302, "/b", -1), (302, "nonsense://", 0),
        ])
    func delivered(status: Int, location: String?, limit: Int) throws {
        let request = HTTPRequest(url: try HTTPURL("http://a/"))
        var chain = RedirectChain(limit: limit, request: request) { _ in false }
        let fields: HTTPFields = location.map { ["Location": $0] } ?? [:]
        let decision = chain.next(after: .init(status: status, fields: fields), to: request)
        guard case .deliver = decision else {
            Issue.record("\(decision)")
            return
        }
        #expect(chain.count == 0)
    }

    @Test(
        "A Location that leads nowhere fails with the status and the reason",
        arguments: [
            (
                ["ftp://a/"],
                "302 Found with a Location that cannot be followed: expected the scheme http or "
                    + "https, found ftp"
            ),
            (["/a", "/b"], "302 Found with 2 different Location fields"),
            (["/a", "", "/a", "/b"], "302 Found with 3 different Location fields"),
        ])
    func invalid(locations: [String], reason: String) throws {
        #expect(try failure(locations, limit: 10) == reason)
    }

    @Test
    func `O19: several equal Location fields are one, whatever the case of their name`() throws {
        let request = HTTPRequest(url: try HTTPURL("http://a/"))
        var chain = RedirectChain(limit: 1, request: request) { _ in false }
        let head = HTTPResponse.Head(status: 302, fields: ["location": "/b", "LOCATION": "/b"])
        guard case .follow(let next) = chain.next(after: head, to: request) else {
            Issue.record("not followed")
            return
        }
        #expect(next.url.text == "http://a/b")
    }

    @Test
    func `Bytes of a Location that are not ASCII are encoded as they came`() throws {
        let request = HTTPRequest(url: try HTTPURL("http://a/"))
        var chain = RedirectChain(limit: 1, request: request) { _ in false }
        let wire = Array("Location: /caf".utf8) + [0xE9] + Array("?é\r\n".utf8)
        let head = HTTPResponse.Head(status: 302, version: "1.1", wireFields: wire)
        guard case .follow(let next) = chain.next(after: head, to: request) else {
            Issue.record("not followed")
            return
        }
        #expect(next.url.text == "http://a/caf%E9?%C3%A9")
    }

    @Test
    func `More redirects than the limit fail, naming the last address`() throws {
        var request = HTTPRequest(url: try HTTPURL("http://a/0"))
        var chain = RedirectChain(limit: 10, request: request) { _ in false }
        for count in 1...10 {
            request = try follow(&chain, request, "/\(count)")
            #expect(chain.count == count)
        }
        #expect(
            failure(&chain, request, ["/11"])
                == "more than 10 redirects, the last to http://a/11")
        #expect(chain.count == 10)
    }

    @Test
    func `A chain that comes back to an address is told as a loop`() throws {
        let request = HTTPRequest(url: try HTTPURL("http://a/0"))
        var chain = RedirectChain(limit: 1, request: request) { _ in false }
        let next = try follow(&chain, request, "/1")
        #expect(
            failure(&chain, next, ["/0"])
                == "more than 1 redirect, the last to http://a/0, where it had been before: a loop")
    }

    @Test
    func `A login that answers POST with 303 to its own address is no loop`() throws {
        let request = HTTPRequest(method: "POST", url: try HTTPURL("http://a/0"))
        var chain = RedirectChain(limit: 1, request: request) { _ in false }
        let next = try follow(&chain, request, "/1", status: 307)
        let message = failure(&chain, next, ["/0"], status: 303)
        #expect(message == "more than 1 redirect, the last to http://a/0")
    }

    private func confidential() throws -> HTTPRequest {
        HTTPRequest(
            url: try HTTPURL("http://host/a"),
            fields: [
                "authorization": "Basic x", "Cookie": "a=b", "Proxy-Authorization": "Basic y",
                "Host": "virtual", "X-Api-Key": "key s3cret", "Accept": "json",
            ])
    }

    private func followed(
        _ request: HTTPRequest, _ status: Int, _ location: String
    ) throws -> HTTPRequest {
        var chain = RedirectChain(limit: 10, request: request) { $0.contains("s3cret") }
        return try follow(&chain, request, location, status: status)
    }

    private func follow(
        _ chain: inout RedirectChain, _ request: HTTPRequest, _ location: String, status: Int = 302
    ) throws -> HTTPRequest {
        let head = HTTPResponse.Head(status: status, fields: ["Location": location])
        guard case .follow(let next) = chain.next(after: head, to: request) else {
            throw NotFollowed()
        }
        return next
    }

    private struct NotFollowed: Error {}

    private func failure(_ locations: [String], limit: Int) throws -> String? {
        let request = HTTPRequest(url: try HTTPURL("http://a/"))
        var chain = RedirectChain(limit: limit, request: request) { _ in false }
        return failure(&chain, request, locations)
    }

    private func failure(
        _ chain: inout RedirectChain, _ request: HTTPRequest, _ locations: [String],
        status: Int = 302
    ) -> String? {
        let fields = HTTPFields(locations.map { HTTPField(name: "Location", value: $0) })
        let head = HTTPResponse.Head(status: status, fields: fields)
        guard case .fail(let message) = chain.next(after: head, to: request) else { return nil }
        return message
    }
}
