import PipelineCore
import TestSupport
import Testing

@Suite("What goes over the wire for each method", .timeLimit(.minutes(1)))
struct MethodTests {
    struct Shape: Sendable, CustomTestStringConvertible {
        var method: String
        var body: String?
        /// The `Content-Length` that must be sent.
        var length: String?

        var testDescription: String { "\(method) with \(body.map { "\"\($0)\"" } ?? "no body")" }
    }

    static let shapes = [
        Shape(method: "GET"),
        Shape(method: "GET", body: "q", length: "1"),
        Shape(method: "POST", body: "a=1", length: "3"),
        Shape(method: "POST", body: "", length: "0"),
        Shape(method: "POST", length: "0"),
        Shape(method: "HEAD"),
        Shape(method: "PUT", body: "content", length: "7"),
        Shape(method: "PUT", length: "0"),
        Shape(method: "PATCH", body: "{}", length: "2"),
        Shape(method: "DELETE"),
        Shape(method: "DELETE", body: "why", length: "3"),
        Shape(method: "OPTIONS"),
        Shape(method: "PROPFIND", body: "<x/>", length: "4"),
        Shape(method: "get"),
    ]

    @Test(
        "A method is sent as written, with its body and length", arguments: TransportUnderTest.all,
        shapes)
    func methodIsSent(_ subject: TransportUnderTest, _ shape: Shape) async throws {
        let server = try Self.server()
        let record = try await subject.make().record(
            try server.request(shape.method, "/p?q", body: shape.body))
        try Self.check(server.requests, [shape])
        #expect(record.status == 200)
        #expect(record.bodyText == (shape.method == "HEAD" ? "" : "ok"))
    }

    @Test(
        "A transport keeps nothing of the request before, whatever the pair",
        arguments: TransportUnderTest.all)
    func nothingStays(_ subject: TransportUnderTest) async throws {
        let server = try Self.server()
        let transport = try subject.make()
        var expected: [Shape] = []
        for first in Self.shapes {
            for second in Self.shapes {
                for shape in [first, second] {
                    let request = try server.request(shape.method, "/p?q", body: shape.body)
                    let record = await transport.record(request)
                    #expect(record.error == nil)
                    expected.append(shape)
                }
            }
        }
        try Self.check(server.requests, expected)
        #expect(server.connectionCount == 1)
    }

    private static func server() throws -> ByteServer {
        try .answering { request in
            ByteServer.http(
                fields: request.method == "HEAD" ? ["Content-Length": "2"] : [:],
                body: request.method == "HEAD" ? "" : "ok")
        }
    }

    private static func check(_ requests: [ReceivedRequest], _ shapes: [Shape]) throws {
        try #require(requests.count == shapes.count)
        for (request, shape) in zip(requests, shapes) {
            #expect(request.method == shape.method)
            #expect(request.target == "/p?q")
            #expect(request.bodyText == (shape.body ?? ""))
            #expect(request.fields["Content-Length"] == shape.length)
            #expect(request.fields["Transfer-Encoding"] == nil)
            #expect(request.fields["Content-Type"] == nil)
            #expect(request.fields["Expect"] == nil)
        }
    }
}
