import PipelineCore
import TestSupport
import Testing

@Suite("O18: content codings", .timeLimit(.minutes(1)))
struct ContentCodingTests {
    @Test("A gzip body is undone, and counted as it came", arguments: TransportUnderTest.all)
    func gzip(_ subject: TransportUnderTest) async throws {
        let server = try ByteServer.answering { request in
            ByteServer.http(fields: ["Content-Encoding": "gzip"], body: Samples.gzippedJSON)
        }
        let record = try await subject.make().record(try server.request())
        #expect(record.bodyText == Samples.json)
        #expect(record.metrics?.wireBodySize == Samples.gzippedJSON.count)
        let codings = try #require(server.requests.first?.fields["Accept-Encoding"])
        #expect(codings.contains("gzip"))
    }

    @Test(
        "O18: gzip twice is undone twice, and gzip of nothing is nothing",
        arguments: TransportUnderTest.all)
    func unusualCodings(_ subject: TransportUnderTest) async throws {
        let server = try ByteServer.answering { request in
            request.target == "/empty"
                ? ByteServer.http(fields: ["Content-Encoding": "gzip"])
                : ByteServer.http(
                    fields: ["Content-Encoding": "gzip, gzip"], body: Samples.twiceGzippedJSON)
        }
        let transport = try subject.make()
        let empty = await transport.record(try server.request("GET", "/empty"))
        #expect(empty.error == nil)
        #expect(empty.body.isEmpty)
        let twice = await transport.record(try server.request("GET", "/twice"))
        #expect(twice.error == nil)
        #expect(twice.bodyText == Samples.json)
    }

    @Test(
        "The coding that is asked for in other words is undone all the same",
        arguments: TransportUnderTest.all)
    func codingOfTheUsersOwn(_ subject: TransportUnderTest) async throws {
        let server = try ByteServer.answering { _ in
            ByteServer.http(fields: ["Content-Encoding": "gzip"], body: Samples.gzippedJSON)
        }
        let record = try await subject.make().record(
            try server.request(fields: ["Accept-Encoding": "gzip"]))
        #expect(record.bodyText == Samples.json)
    }

    struct Damage: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var coding: String
        var body: [UInt8]
    }

    static let damages = [
        Damage(testDescription: "unknown", coding: "xyz", body: Array("{}".utf8)),
        Damage(testDescription: "not gzip", coding: "gzip", body: Array("{}".utf8)),
        Damage(
            testDescription: "gzip without its end", coding: "gzip",
            body: Array(Samples.gzippedJSON.dropLast(10))),
        Damage(testDescription: "half unknown", coding: "xyz, gzip", body: Samples.gzippedJSON),
    ]

    @Test(
        "O18: a coding that cannot be undone is named, and its bytes never reach the receiver",
        arguments: TransportUnderTest.all, damages)
    func damaged(_ subject: TransportUnderTest, _ damage: Damage) async throws {
        let server = try ByteServer.answering { _ in
            ByteServer.http(fields: ["content-encoding": damage.coding], body: damage.body)
        }
        let record = try await subject.make(row: damage.testDescription).record(
            try server.request())
        let error = try #require(record.error)
        #expect(error.code == .cannotDecode, "\(error)")
        #expect(error.message.contains("content coding \(damage.coding) "), "\(error.message)")
        #expect(!error.isBeforeSending)
        #expect(!record.bodyText.contains("{}"))
    }

    @Test(
        "O18: a coding that is advertised is undone, and one that is not fails",
        arguments: TransportUnderTest.all, Samples.codedJSON)
    func advertised(
        _ subject: TransportUnderTest, _ coded: (coding: String, body: [UInt8])
    ) async throws {
        let server = try ByteServer.answering { _ in
            ByteServer.http(fields: ["Content-Encoding": coded.coding], body: coded.body)
        }
        let record = try await subject.make(row: coded.coding).record(try server.request())
        let advertised = try #require(server.requests.first?.fields["Accept-Encoding"])
            .split(separator: ",").map { $0.drop { $0 == " " } }
        if advertised.contains(where: { $0 == coded.coding }) {
            #expect(record.bodyText == Samples.json)
            #expect(record.error == nil)
        } else {
            #expect(record.body.isEmpty)
            #expect(record.error?.code == .cannotDecode)
        }
    }
}
