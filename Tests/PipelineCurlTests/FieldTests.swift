import PipelineCore
import PipelineCurl
import TestSupport
import Testing

@Suite("Header fields of requests", .timeLimit(.minutes(1)))
struct FieldTests {
    @Test("Fields go out in order, repeated and empty ones too")
    func fieldsInOrder() async throws {
        let server = try ByteServer.answering { _ in ByteServer.http() }
        let fields: HTTPFields = [
            "X-B": "2", "X-A": "1", "x-b": "3", "X-Empty": "", "X-Blank": " ",
        ]
        _ = await CurlTransport().record(try server.request(fields: fields))
        let request = try #require(server.requests.first)
        let sent = request.fields.filter { $0.name.lowercased().hasPrefix("x-") }
        #expect(sent.map(\.name) == ["X-B", "X-A", "x-b", "X-Empty", "X-Blank"])
        #expect(sent.map(\.value) == ["2", "1", "3", "", ""])
        #expect(request.fields["Host"] == server.authority)
        #expect(request.fields["User-Agent"] == "pipeline-run")
    }

    @Test(
        "A field of the user's replaces the implicit one, in whatever case",
        arguments: ["accept", "user-agent", "content-type", "accept-encoding", "host"])
    func implicitFieldIsReplaced(_ name: String) async throws {
        let server = try ByteServer.answering { _ in ByteServer.http() }
        _ = await CurlTransport().record(
            try server.request("POST", fields: [name: "mine"], body: "x"))
        let request = try #require(server.requests.first)
        #expect(request.fields.values(of: name) == ["mine"])
    }

    @Test("The coding that is asked for in other words is undone all the same")
    func codingOfTheUsersOwn() async throws {
        let server = try ByteServer.answering { _ in
            ByteServer.http(fields: ["Content-Encoding": "gzip"], body: Samples.gzippedJSON)
        }
        let record = await CurlTransport().record(
            try server.request(fields: ["Accept-Encoding": "gzip"]))
        #expect(record.bodyText == Samples.json)
    }

    @Test("Fields of one request do not stay for the next")
    func fieldsDoNotStay() async throws {
        let server = try ByteServer.answering { _ in ByteServer.http() }
        let transport = CurlTransport()
        _ = await transport.record(
            try server.request(fields: ["X-A": "1", "Cookie": "a=1", "User-Agent": "mine"]))
        _ = await transport.record(try server.request())
        let request = try #require(server.requests.last)
        #expect(request.fields["X-A"] == nil)
        #expect(request.fields["Cookie"] == nil)
        #expect(request.fields["User-Agent"] == "pipeline-run")
    }

    static let forged: [(name: String, value: String)] = [
        ("X-Token", "v\r\nX-Evil: 1"), ("X-Token", "v\nX-Evil: 1"), ("X-Token", "v\rX-Evil: 1"),
        ("X-Token", "v\0"), ("X-Token\r\nX-Evil", "v"), ("X-To:ken", "v"), ("X To", "v"), ("", "v"),
        ("X-Tökén", "v"), ("Cookie", "a=1\r\nX-Evil: 1"), ("Content-Type", "a\nb"),
    ]

    @Test("A forged field is refused before anything is sent (O20)", arguments: forged)
    func forgedFieldIsRefused(_ name: String, _ value: String) async throws {
        let server = try ByteServer.answering { _ in ByteServer.http() }
        let transport = CurlTransport()
        let record = await transport.record(
            try server.request(fields: [name: value]))
        let error = try #require(record.error)
        #expect(error.code == .invalidRequest)
        #expect(error.isBeforeSending)
        #expect(!error.message.contains("Evil: 1"))
        if name == "X-Token" { #expect(error.message.contains(name)) }

        let next = await transport.record(try server.request())
        #expect(next.status == 200)
        #expect(server.requests.count == 1)
    }

    @Test(
        "A method that is not a word of HTTP's is refused (O20)",
        arguments: ["", "GET ", "GET /evil HTTP/1.1\r\n", "P\nST", "MÉTHODE", "A:B"])
    func forgedMethodIsRefused(_ method: String) async throws {
        let server = try ByteServer.answering { _ in ByteServer.http() }
        let record = await CurlTransport().record(try server.request(method))
        #expect(record.error?.code == .invalidRequest)
        #expect(server.connectionCount == 0)
    }

    @Test("A Content-Length that is not the body's is refused")
    func wrongLengthIsRefused() async throws {
        let server = try ByteServer.answering { _ in ByteServer.http() }
        let transport = CurlTransport()
        let wrong = await transport.record(
            try server.request("POST", fields: ["content-length": "5"], body: "abc"))
        #expect(wrong.error?.code == .invalidRequest)
        let right = await transport.record(
            try server.request("POST", fields: ["content-length": "3"], body: "abc"))
        #expect(right.error == nil)
        #expect(server.requests.map { $0.fields.values(of: "Content-Length") } == [["3"]])
    }

    @Test("A HEAD request with a body is refused")
    func headWithBodyIsRefused() async throws {
        let server = try ByteServer.answering { _ in ByteServer.http() }
        let record = await CurlTransport().record(try server.request("HEAD", body: "x"))
        #expect(record.error?.code == .invalidRequest)
    }

    @Test("An address goes out byte for byte")
    func addressIsKept() async throws {
        let server = try ByteServer.answering { _ in ByteServer.http() }
        let target = "/a/../b/./%2F%2b+%20;x=1?q=%C3%A9&r=a/b?c"
        _ = await CurlTransport().record(try server.request("GET", target))
        #expect(server.requests.map(\.target) == [target])
    }
}
