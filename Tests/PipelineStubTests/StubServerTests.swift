import PipelineCore
import PipelineStub
import Testing

@Suite("The stub server", .timeLimit(.minutes(1)))
struct StubServerTests {
    @Test("answers with the status, fields and body of the example")
    func example() throws {
        let answer = StubAnswer(
            status: 201,
            fields: ["Content-Type": "text/plain", "Set-Cookie": "a=1", "set-cookie": "b=2"],
            body: Array("made".utf8)
        )
        let server = try StubServer(routes: [
            StubRoute(method: "POST", path: StubPath("/things"), answer: answer, name: "make")
        ])
        let client = try StubClient(port: server.port)
        let response = try client.request("POST", "/things?x=1", body: "{}")
        #expect(response.status == 201)
        #expect(response.body == "made")
        #expect(response.fields["content-type"] == "text/plain")
        #expect(response.fields.values(of: "Set-Cookie") == ["a=1", "b=2"])
        #expect(response.fields["Connection"] == nil)
        #expect(server.baseURL == "http://127.0.0.1:\(server.port)")
        let request = try #require(server.requests.first)
        #expect(server.requests.count == 1)
        #expect(request.method == "POST")
        #expect(request.target == "/things?x=1")
        #expect(request.fields["host"] == "stub")
        #expect(request.body == Array("{}".utf8))
    }

    @Test("keeps a connection open for further requests")
    func keepAlive() throws {
        let server = try StubServer(routes: [.get("/a", "first"), .get("/b", "second")])
        let client = try StubClient(port: server.port)
        #expect(try client.request("GET", "/a").body == "first")
        #expect(try client.request("GET", "/b").body == "second")
        #expect(try client.request("GET", "/a").body == "first")
        #expect(server.requests.map(\.target) == ["/a", "/b", "/a"])
    }

    @Test("answers pipelined requests in order, a delayed one first")
    func pipelining() throws {
        let server = try StubServer(routes: [
            .get("/slow", "slow", delay: .milliseconds(30)), .get("/fast", "fast"),
        ])
        let client = try StubClient(port: server.port)
        let get = { (path: String) in "GET \(path) HTTP/1.1\r\nHost: stub\r\n\r\n" }
        client.write(get("/slow") + get("/fast") + get("/fast"))
        let bodies = try (0..<3).map { _ in try client.response().body }
        #expect(bodies == ["slow", "fast", "fast"])
    }

    @Test("answers requests that end before the client closes its sending side")
    func halfClose() throws {
        let server = try StubServer(routes: [.get("/a", "one"), .get("/a", "two")])
        let client = try StubClient(port: server.port)
        let get = "GET /a HTTP/1.1\r\nHost: stub\r\n\r\n"
        client.write(get + get)
        client.endSending()
        #expect(try client.response().body == "one")
        #expect(try client.response().body == "two")
        #expect(client.isAtEnd())
    }

    @Test("does without content where the status has none", arguments: [100, 204, 304])
    func noContent(status: Int) throws {
        let server = try StubServer(routes: [
            .get("/none", "text", status: status), .get("/b", "b"),
        ])
        let client = try StubClient(port: server.port)
        let response = try client.request("GET", "/none")
        #expect(response.status == status)
        #expect(response.fields["Content-Length"] == nil)
        #expect(try client.request("GET", "/b").body == "b")
    }

    @Test("frames messages itself, whatever the example's fields say")
    func framingFields() throws {
        let answer = StubAnswer(
            fields: [
                "content-length": "999", "Transfer-Encoding": "chunked", "Connection": "close",
                "Keep-Alive": "timeout=1",
            ],
            body: Array("four".utf8)
        )
        let server = try StubServer(routes: [
            StubRoute(method: "GET", path: StubPath("/"), answer: answer, name: "copied")
        ])
        let client = try StubClient(port: server.port)
        for _ in 0..<2 {
            let response = try client.request("GET", "/")
            #expect(response.fields.map(\.name) == ["Content-Length"])
            #expect(response.body == "four")
        }
    }

    @Test("closes when the client says so, and after HTTP/1.0, without waiting for the client")
    func close() throws {
        var times: [Duration] = []
        let server = try StubServer(routes: [.get("/", "text")])
        for head in [
            "GET / HTTP/1.1\r\nHost: stub\r\nConnection: close\r\n\r\n",
            "GET / HTTP/1.1\r\nHost: stub\r\nConnection: TE, Close\r\nTE: trailers\r\n\r\n",
            "GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n",
        ] {
            let client = try StubClient(port: server.port)
            client.write(head + head)
            let response = try client.response()
            #expect(response.body == "text")
            #expect(response.fields["Connection"] == "close")
            let start = ContinuousClock.now
            #expect(client.isAtEnd())
            times.append(ContinuousClock.now - start)
        }
        // The fastest, since a busy machine may hold up any of them.
        #expect(try #require(times.min()) < .milliseconds(500))
        #expect(server.requests.count == 3)
    }

    @Test("reads content in chunks, also byte by byte")
    func chunks() throws {
        let server = try StubServer(routes: [.get("/up", method: "PUT")])
        let client = try StubClient(port: server.port)
        let head = "PUT /up HTTP/1.1\r\nHost: stub\r\ntransfer-encoding: Chunked\r\n\r\n"
        let request = head + "3;name=value\r\nabc\r\nA\r\n0123456789\r\n0\r\nTrailer: x\r\n\r\n"
        client.write(request)
        #expect(try client.response().status == 200)
        for byte in request.utf8 { client.write([byte]) }
        #expect(try client.response().status == 200)
        #expect(
            server.requests.map(\.body) == Array(repeating: Array("abc0123456789".utf8), count: 2))
    }

    @Test("takes 8 MiB of content and gives it back")
    func largeContent() throws {
        let text = String(repeating: "0123456789abcdef", count: 8 << 16)
        let server = try StubServer(routes: [.get("/big", text, method: "POST")])
        let client = try StubClient(port: server.port)
        #expect(try client.request("POST", "/big", body: text).body == text)
        #expect(server.requests.first?.body == Array(text.utf8))
    }

    @Test("gives leave to send content to a client that waits for it")
    func expectContinue() throws {
        let server = try StubServer(routes: [.get("/up", "done", method: "PUT")])
        let client = try StubClient(port: server.port)
        client.write(
            "PUT /up HTTP/1.1\r\nHost: stub\r\nExpect: 100-Continue\r\nContent-Length: 2\r\n\r\n")
        #expect(try client.response().status == 100)
        #expect(server.requests.isEmpty)
        client.write("ok")
        #expect(try client.response().body == "done")
    }

    @Test("answers a slow client without holding up another")
    func slowClients() throws {
        let server = try StubServer(routes: [
            .get("/never", delay: .seconds(3_600)), .get("/a", "at once"),
        ])
        let delayed = try StubClient(port: server.port)
        delayed.write("GET /never HTTP/1.1\r\nHost: stub\r\n\r\n")
        let halfway = try StubClient(port: server.port)
        halfway.write("GET /a HTT")
        let other = try StubClient(port: server.port)
        #expect(try other.request("GET", "/a").body == "at once")
        halfway.write("P/1.1\r\nHost: stub\r\n\r\n")
        #expect(try halfway.response().body == "at once")
        #expect(!delayed.hasInput())
    }

    @Test("keeps no requests when told not to")
    func keepsNoRequests() throws {
        let server = try StubServer(routes: [.get("/")], keepsRequests: false)
        #expect(try StubClient(port: server.port).request("GET", "/").status == 200)
        #expect(server.requests.isEmpty)
    }
}
