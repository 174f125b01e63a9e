import PipelineCore
import TestSupport
import Testing

@Suite("Cookies", .timeLimit(.minutes(1)))
struct CookieTests {
    private static func server() throws -> ByteServer {
        try .answering { request in
            ByteServer.http(
                status: request.target == "/login" ? 401 : 200,
                fields: request.target == "/login" ? ["Set-Cookie": "sid=9; Path=/"] : [:])
        }
    }

    @Test(
        "O09: a cookie that came with a 401 goes to its host, whichever handle carries it out",
        arguments: TransportUnderTest.all)
    func jarIsShared(_ subject: TransportUnderTest) async throws {
        let server = try Self.server()
        let other = try Self.server()
        let transport = try subject.make()
        _ = await transport.record(try server.request("GET", "/login"))
        // At once, so that a new handle is needed.
        let recorders = [Recorder(), Recorder()]
        for recorder in recorders {
            _ = transport.start(try server.request("GET", "/me"), receiver: recorder)
        }
        for recorder in recorders { #expect(await recorder.finished().error == nil) }
        #expect(server.requests.map { $0.fields["Cookie"] } == [nil, "sid=9", "sid=9"])

        let elsewhere = HTTPRequest(url: try HTTPURL("http://localhost:\(other.port)/"))
        #expect(await transport.record(elsewhere).error == nil)
        #expect(other.requests.first?.fields["Cookie"] == nil)
    }

    @Test("Each transport has a jar of its own", arguments: TransportUnderTest.all)
    func jarsAreApart(_ subject: TransportUnderTest) async throws {
        let server = try Self.server()
        _ = try await subject.make().record(try server.request("GET", "/login"))
        _ = try await subject.make().record(try server.request("GET", "/me"))
        #expect(server.requests.last?.fields["Cookie"] == nil)
    }

    @Test(
        "Cookies of the request's own and those of the jar go out in one line",
        arguments: TransportUnderTest.all)
    func oneLine(_ subject: TransportUnderTest) async throws {
        let server = try Self.server()
        let transport = try subject.make()
        _ = await transport.record(try server.request("GET", "/login"))
        _ = await transport.record(
            try server.request("GET", "/me", fields: ["Cookie": "a=1", "cookie": "b=2"]))
        #expect(server.requests.last?.fields.values(of: "Cookie") == ["sid=9; a=1; b=2"])
    }
}
