import PipelineCore
import TestSupport
import Testing

@Suite("Header fields of requests", .timeLimit(.minutes(1)))
struct FieldTests {
    @Test("Fields go out in order, repeated and empty ones too", arguments: TransportUnderTest.all)
    func fieldsInOrder(_ subject: TransportUnderTest) async throws {
        let server = try ByteServer.answering { _ in ByteServer.http() }
        let fields: HTTPFields = [
            "X-B": "2", "X-A": "1", "x-b": "3", "X-Empty": "", "X-Blank": " ",
        ]
        _ = try await subject.make().record(try server.request(fields: fields))
        let request = try #require(server.requests.first)
        let sent = request.fields.filter { $0.name.lowercased().hasPrefix("x-") }
        #expect(sent.map(\.name) == ["X-B", "X-A", "x-b", "X-Empty", "X-Blank"])
        #expect(sent.map(\.value) == ["2", "1", "3", "", ""])
        #expect(request.fields["Host"] == server.authority)
    }

    @Test(
        "A field of the user's replaces the implicit one, in whatever case",
        arguments: TransportUnderTest.all,
        ["accept", "user-agent", "content-type", "accept-encoding", "host"])
    func implicitFieldIsReplaced(
        _ subject: TransportUnderTest, _ name: String
    ) async throws {
        let server = try ByteServer.answering { _ in ByteServer.http() }
        _ = try await subject.make().record(
            try server.request("POST", fields: [name: "mine"], body: "x"))
        let request = try #require(server.requests.first)
        #expect(request.fields.values(of: name) == ["mine"])
    }

    @Test("Fields of one request do not stay for the next", arguments: TransportUnderTest.all)
    func fieldsDoNotStay(_ subject: TransportUnderTest) async throws {
        let server = try ByteServer.answering { _ in ByteServer.http() }
        let transport = try subject.make()
        _ = await transport.record(
            try server.request(fields: ["X-A": "1", "Cookie": "a=1", "User-Agent": "mine"]))
        _ = await transport.record(try server.request())
        let request = try #require(server.requests.last)
        #expect(request.fields["X-A"] == nil)
        #expect(request.fields["Cookie"] == nil)
        #expect(request.fields["User-Agent"] != "mine")
    }

    @Test(
        "A field that frames the body is refused before anything is sent",
        arguments: TransportUnderTest.all,
        [
            HTTPField(name: "transfer-encoding", value: "chunked"),
            HTTPField(name: "Content-Length", value: "7"),
        ])
    func framingIsRefused(_ subject: TransportUnderTest, _ field: HTTPField) async throws {
        let server = try ByteServer.answering { _ in ByteServer.http() }
        let request = try server.request("POST", fields: [field.name: field.value], body: "x")
        let error = try await subject.make().record(request).error
        #expect(error?.code == .invalidRequest)
        #expect(error?.isBeforeSending == true)
        #expect(error?.message.contains(field.value) == false)
        #expect(server.requests.isEmpty)
    }

    static let forged = [
        ("X-Token", "v\r\nX-Evil: 1"), ("X-Token", "v\nX-Evil: 1"), ("X-Token", "v\rX-Evil: 1"),
        ("X-Token", "v\0"), ("X-Token\r\nX-Evil", "v"), ("X-To:ken", "v"), ("X To", "v"), ("", "v"),
        ("X-Tökén", "v"), ("Cookie", "a=1\r\nX-Evil: 1"), ("Cookie", "a=1\nb=2"),
        ("Cookie", "a=1\0"), ("Content-Type", "a\nb"),
    ].map { HTTPField(name: $0, value: $1) }

    @Test(
        "O20: a forged field is refused before anything is sent", arguments: TransportUnderTest.all,
        forged)
    func forgedFieldIsRefused(
        _ subject: TransportUnderTest, _ forged: HTTPField
    ) async throws {
        let server = try ByteServer.answering { _ in ByteServer.http() }
        let transport = try subject.make()
        let record = await transport.record(
            try server.request(fields: HTTPFields([forged])))
        let error = try #require(record.error)
        #expect(error.code == .invalidRequest)
        #expect(error.isBeforeSending)
        #expect(!error.message.contains("Evil: 1"))
        if forged.name == "X-Token" { #expect(error.message.contains("X-Token")) }

        let next = await transport.record(try server.request())
        #expect(next.status == 200)
        #expect(server.requests.count == 1)
    }

    @Test(
        "O20: a method that is not a word of HTTP's is refused",
        arguments: TransportUnderTest.all,
        ["", "GET ", "GET /evil HTTP/1.1\r\n", "P\nST", "MÉTHODE", "A:B"])
    func forgedMethodIsRefused(
        _ subject: TransportUnderTest, _ method: String
    ) async throws {
        let server = try ByteServer.answering { _ in ByteServer.http() }
        let record = try await subject.make().record(try server.request(method))
        #expect(record.error?.code == .invalidRequest)
        #expect(server.connectionCount == 0)
    }

    @Test("A Content-Length that is not the body's is refused", arguments: TransportUnderTest.all)
    func wrongLengthIsRefused(_ subject: TransportUnderTest) async throws {
        let server = try ByteServer.answering { _ in ByteServer.http() }
        let transport = try subject.make()
        let wrong = await transport.record(
            try server.request("POST", fields: ["content-length": "5"], body: "abc"))
        #expect(wrong.error?.code == .invalidRequest)
        let right = await transport.record(
            try server.request("POST", fields: ["content-length": "3"], body: "abc"))
        #expect(right.error == nil)
        #expect(server.requests.map { $0.fields.values(of: "Content-Length") } == [["3"]])
    }

    @Test("A HEAD request with a body is refused", arguments: TransportUnderTest.all)
    func headWithBodyIsRefused(_ subject: TransportUnderTest) async throws {
        let server = try ByteServer.answering { _ in ByteServer.http() }
        let record = try await subject.make().record(try server.request("HEAD", body: "x"))
        #expect(record.error?.code == .invalidRequest)
    }

    @Test("O15: an address goes out byte for byte", arguments: TransportUnderTest.all)
    func addressIsKept(_ subject: TransportUnderTest) async throws {
        let server = try ByteServer.answering { _ in ByteServer.http() }
        let target = "/a/../b/./%2F%2b+%20;x=1?q=%C3%A9&r=a/b?c"
        _ = try await subject.make().record(try server.request("GET", target))
        #expect(server.requests.map(\.target) == [target])
    }
}
