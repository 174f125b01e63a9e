import PipelineCore
import TestSupport
import Testing

@Suite("What a receiver is told of a response", .timeLimit(.minutes(1)))
struct ResponseTests {
    struct Bodiless: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var method = "GET"
        var status: Int
        var fields: HTTPFields
    }

    @Test(
        "O10: HEAD, 204 and 304 end with the head and leave the connection usable",
        arguments: TransportUnderTest.all,
        [
            Bodiless(
                testDescription: "(i) HEAD", method: "HEAD", status: 200,
                fields: ["Content-Length": "500", "Content-Encoding": "gzip"]),
            Bodiless(
                testDescription: "(ii) 204", status: 204,
                fields: ["Content-Encoding": "gzip", "Content-Length": "0"]),
            Bodiless(
                testDescription: "(iii) 304", status: 304, fields: ["Content-Length": "500"]),
        ])
    func noBody(_ subject: TransportUnderTest, _ answer: Bodiless) async throws {
        let server = try ByteServer.answering { _ in
            ByteServer.http(status: answer.status, fields: answer.fields)
        }
        let transport = try subject.make(row: answer.testDescription)
        for _ in 1...2 {
            let record = await transport.record(try server.request(answer.method))
            #expect(record.error == nil)
            #expect(record.heads.map(\.status) == [answer.status])
            #expect(record.body.isEmpty)
        }
        #expect(server.connectionCount == 1)
    }

    @Test("O19: fields keep their order and are never joined", arguments: TransportUnderTest.all)
    func repeatedFields(_ subject: TransportUnderTest) async throws {
        let server = try ByteServer.answering { _ in
            ByteServer.http(fields: [
                "set-cookie": "a=1; Expires=Wed, 09 Jun 2100 10:18:14 GMT", "content-type": "x/y",
                "Vary": "A", "Set-Cookie": "b=2", "vary": "B", "X-Empty": "",
            ])
        }
        let record = try await subject.make().record(try server.request())
        let fields = try #require(record.heads.first?.fields)
        #expect(
            fields.values(of: "Set-Cookie")
                == ["a=1; Expires=Wed, 09 Jun 2100 10:18:14 GMT", "b=2"])
        #expect(fields["Content-Type"] == "x/y")
        #expect(
            fields.map(\.name)
                == [
                    "set-cookie", "content-type", "Vary", "Set-Cookie", "vary", "X-Empty",
                    "Content-Length",
                ])
    }

    @Test(
        "Interim heads and trailers are not mistaken for the head",
        arguments: TransportUnderTest.all)
    func interimHeadsAndTrailers(_ subject: TransportUnderTest) async throws {
        let server = try ByteServer.answering { _ in
            Array(
                """
                HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n\
                HTTP/1.1 201 Created\r\nTransfer-Encoding: chunked\r\nX-A: 1\r\n\r\n\
                2\r\nok\r\n0\r\nX-Trailer: t\r\nStatus: 500\r\n\r\n
                """.utf8)
        }
        let transport = try subject.make()
        for _ in 1...2 {
            let record = await transport.record(try server.request())
            #expect(record.heads.map(\.status) == [201])
            #expect(record.heads.first?.fields.map(\.name) == ["Transfer-Encoding", "X-A"])
            #expect(record.bodyText == "ok")
        }
        #expect(server.connectionCount == 1)
    }

    @Test(
        "A field line that goes on in the next one is one value", arguments: TransportUnderTest.all)
    func foldedField(_ subject: TransportUnderTest) async throws {
        let server = try ByteServer.answering { _ in
            Array("HTTP/1.0 200 OK\r\nX-A: one\r\n  two\r\nContent-Length: 0\r\n\r\n".utf8)
        }
        let record = try await subject.make().record(try server.request())
        let head = try #require(record.heads.first)
        #expect(head.version == "1.0")
        #expect(head.fields["X-A"]?.split(separator: " ") == ["one", "two"])
        #expect(head.fields.count == 2)
    }

    @Test("The head is reported before the body has come", arguments: TransportUnderTest.all)
    func headComesFirst(_ subject: TransportUnderTest) async throws {
        let server = try ByteServer { connection in
            guard connection.readRequest() != nil else { return }
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n")
            guard connection.readRequest() != nil else { return }
        }
        let recorder = Recorder()
        let exchange = try subject.make().start(try server.request(), receiver: recorder)
        await recorder.headReceived()
        #expect(recorder.record.status == 200)
        #expect(recorder.record.results.isEmpty)
        exchange.cancel()
        _ = await recorder.finished()
    }

    @Test("A body that ends with the connection is whole", arguments: TransportUnderTest.all)
    func bodyUntilClose(_ subject: TransportUnderTest) async throws {
        let server = try ByteServer { connection in
            guard connection.readRequest() != nil else { return }
            connection.send("HTTP/1.1 200 OK\r\n\r\nall of it")
        }
        let record = try await subject.make().record(try server.request())
        #expect(record.bodyText == "all of it")
        #expect(record.error == nil)
    }

    @Test(
        "O14: an IPv6 literal is connected to, and Host has its brackets",
        arguments: TransportUnderTest.all)
    func ipv6(_ subject: TransportUnderTest) async throws {
        let server = try ByteServer.answering(.ipv6) { _ in ByteServer.http(body: "six") }
        let record = try await subject.make().record(try server.request("GET", "/p"))
        #expect(record.bodyText == "six")
        #expect(record.metrics?.remoteAddress == "::1")
        #expect(server.requests.first?.fields["Host"] == "[::1]:\(server.port)")
    }

    @Test(
        "The metrics tell the phases in order, the peer and whether the connection was new",
        arguments: TransportUnderTest.all)
    func metrics(_ subject: TransportUnderTest) async throws {
        let server = try ByteServer.answering { _ in ByteServer.http(body: "12345") }
        let transport = try subject.make()
        let first = try #require(await transport.record(try server.request()).metrics)
        let second = try #require(await transport.record(try server.request()).metrics)
        for metrics in [first, second] {
            let timings = metrics.timings
            let phases = [
                timings.nameLookup, timings.connect, timings.secureConnect, timings.sendStart,
                timings.firstByte, timings.total,
            ]
            #expect(phases == phases.sorted())
            #expect(timings.total > 0)
            #expect(metrics.remoteAddress == "127.0.0.1")
            #expect(metrics.remotePort == server.port)
            #expect(metrics.wireBodySize == 5)
        }
        #expect(!first.isConnectionReused)
        #expect(second.isConnectionReused)
    }

    @Test("Redirects are told, not followed", arguments: TransportUnderTest.all)
    func redirect(_ subject: TransportUnderTest) async throws {
        let server = try ByteServer.answering { _ in
            ByteServer.http(status: 302, fields: ["location": "/elsewhere"])
        }
        let record = try await subject.make().record(try server.request())
        #expect(record.status == 302)
        #expect(record.heads.first?.fields["Location"] == "/elsewhere")
        #expect(server.requests.count == 1)
    }
}
