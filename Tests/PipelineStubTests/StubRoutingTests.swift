import PipelineCore
import PipelineStub
import Testing

@Suite("The stub's choice of an answer", .timeLimit(.minutes(1)))
struct StubRoutingTests {
    @Test("a route of which only the path is said is a GET that is answered with 200")
    func shortest() throws {
        let whole = try StubRoute(
            method: "GET", path: StubPath("/a%20b"), answer: StubAnswer(status: 200),
            name: "GET /a b")
        #expect(try StubRoute(path: "/a b") == whole)
    }

    @Test("routes of the same method and path take turns and start over")
    func turns() throws {
        let server = try StubServer(routes: [
            .get("/job", "queued"), .get("/other", "other"), .get("/job", "running"),
            .get("/job", "posted", method: "POST"), .get("/job", "done"),
        ])
        // Turns belong to the server, not to a connection.
        let clients = try (0..<2).map { _ in try StubClient(port: server.port) }
        let bodies = try (0..<7).map { try clients[$0 % 2].request("GET", "/job?n=\($0)").body }
        #expect(
            bodies == ["queued", "running", "done", "queued", "running", "done", "queued"])
        #expect(try clients[0].request("POST", "/job", body: "").body == "posted")
        #expect(try clients[0].request("GET", "/job").body == "running")
    }

    @Test("a path with more fixed octets wins over one with a hole, wherever it stands")
    func specificity() throws {
        let server = try StubServer(routes: [
            StubRoute(
                method: "GET",
                path: StubPath([.literal("/users/"), .hole]),
                answer: StubAnswer(body: Array("someone".utf8)),
                name: "user"
            ),
            .get("/users/me", "me"),
        ])
        let client = try StubClient(port: server.port)
        #expect(try client.request("GET", "/users/7").body == "someone")
        #expect(try client.request("GET", "/users/me").body == "me")
        #expect(try client.request("GET", "/users/me").body == "me")
    }

    @Test("an unknown path gives 404 and names what was asked and what is known")
    func notFound() throws {
        let server = try StubServer(routes: [
            .get("/config"),
            StubRoute(
                method: "PUT",
                path: StubPath([.literal("/u/"), .hole, .literal("/x")]),
                answer: StubAnswer(),
                name: "a \"quoted\" name\n"
            ),
        ])
        let client = try StubClient(port: server.port)
        let response = try client.request("GET", "/confg?a=\"")
        #expect(response.status == 404)
        #expect(response.fields["Content-Type"] == "application/json")
        let expected = [
            #"{"error":"no example answers this path","method":"GET","target":"/confg?a=\"","#,
            #""routes":[{"name":"GET /config","method":"GET","path":"/config"},"#,
            #"{"name":"a \"quoted\" name\n","method":"PUT","path":"/u/{}/x"}]}"#,
        ]
        #expect(response.body == expected.joined())
        #expect(try client.request("GET", "/config").status == 200)
    }

    @Test("a known path with another method gives 405 and the methods allowed")
    func methodNotAllowed() throws {
        let server = try StubServer(routes: [
            .get("/a"), .get("/a"), .get("/a", method: "POST"), .get("/b", method: "DELETE"),
        ])
        let client = try StubClient(port: server.port)
        let response = try client.request("DELETE", "/a")
        #expect(response.status == 405)
        #expect(response.fields["Allow"] == "GET, HEAD, POST")
        #expect(response.body.contains("no example answers this method"))
        // Methods are case-sensitive.
        #expect(try client.request("get", "/a").status == 405)
        let head = try client.request("HEAD", "/b")
        #expect(head.status == 405)
        #expect(head.fields["Allow"] == "DELETE")
        #expect(try client.request("DELETE", "/b").status == 200)
    }

    @Test("HEAD is answered as GET without the content, and takes no turn of it")
    func head() throws {
        let server = try StubServer(routes: [.get("/a", "one"), .get("/a", "second")])
        let client = try StubClient(port: server.port)
        let lengths = try (0..<2).map { _ in
            try client.request("HEAD", "/a").fields["Content-Length"]
        }
        #expect(lengths == ["3", "3"])
        #expect(try client.request("GET", "/a").body == "one")
        #expect(try client.request("HEAD", "/a").fields["Content-Length"] == "6")
    }

    @Test("HEAD is answered from its own route where there is one")
    func ownHead() throws {
        let server = try StubServer(routes: [
            .get("/a", "one"), .get("/a", method: "HEAD", status: 410),
        ])
        let client = try StubClient(port: server.port)
        #expect(try client.request("HEAD", "/a").status == 410)
        #expect(try client.request("GET", "/a").body == "one")
    }

    @Test(
        "a value with a line break or NUL is refused by the name of its field",
        arguments: ["a\r\nSet-Cookie: b", "a\nb", "a\rb", "a\0b", "\r\n"])
    func fieldValues(value: String) {
        #expect {
            try StubRoute(
                method: "GET", path: StubPath("/"), answer: StubAnswer(fields: ["X-Odd": value]),
                name: "login")
        } throws: { error in
            guard let error = error as? StubError else { return false }
            return error.code == .invalidRoute
                && error.message
                    == "the example of login: the header X-Odd holds a line break or NUL"
        }
    }

    @Test(
        "an example that is no HTTP is refused",
        arguments: [
            ("G ET", "X", 200), ("", "X", 200), ("GET", "X Y", 200), ("GET", "", 200),
            ("GET", "Ü", 200), ("GET", "X", 99), ("GET", "X", 1_000), ("GET", "X:", 200),
        ])
    func invalidRoutes(method: String, field: String, status: Int) {
        #expect(throws: StubError.self) {
            try StubRoute(
                method: method, path: StubPath("/"),
                answer: StubAnswer(status: status, fields: [field: "v"]), name: "odd")
        }
    }
}
