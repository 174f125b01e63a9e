import PipelineCore
import TestSupport
import Testing

@Suite("O12: Expect: 100-continue", .timeLimit(.minutes(1)))
struct ExpectationTests {
    @Test(
        "O12: a body of several MiB arrives whole and is not held back by an expectation",
        arguments: TransportUnderTest.all)
    func largeBody(_ subject: TransportUnderTest) async throws {
        let server = try ByteServer.answering { _ in ByteServer.http() }
        let body = String(repeating: "0123456789abcdef", count: 200_000)
        let record = try await subject.make().record(try server.request("POST", body: body))
        #expect(record.status == 200)
        let request = try #require(server.requests.first)
        #expect(request.bodyText == body)
        #expect(request.fields["Expect"] == nil)
    }

    @Test(
        "O12 (i): an expectation that is never answered delays the body by little",
        arguments: TransportUnderTest.all)
    func expectationUnanswered(_ subject: TransportUnderTest) async throws {
        let server = try ByteServer.answering { request in ByteServer.http(body: request.body) }
        let record = try await subject.make().record(
            try server.request("POST", fields: ["Expect": "100-continue"], body: "abc"))
        #expect(record.bodyText == "abc")
        let total = try #require(record.metrics).timings.total
        #expect(total < 3_000_000)
        #expect(server.requests.count == 1)
    }

    @Test(
        "O12 (ii): an expectation that is refused costs a second head, and only its answer counts",
        arguments: TransportUnderTest.all, [200, 417])
    func expectationRefused(_ subject: TransportUnderTest, _ second: Int) async throws {
        let server = try ByteServer { connection in
            guard connection.readHead() != nil else { return }
            connection.send(ByteServer.http(status: 417, body: "first"))
            guard connection.readRequest() != nil else { return }
            connection.send(ByteServer.http(status: second, body: "second"))
            connection.waitForPeerClose()
        }
        let record = try await subject.make().record(
            try server.request("POST", fields: ["Expect": "100-continue"], body: "abc"))
        #expect(record.heads.map(\.status) == [second])
        #expect(record.bodyText == "second")
        #expect(server.requests.map(\.bodyText) == ["abc"])
    }
}
