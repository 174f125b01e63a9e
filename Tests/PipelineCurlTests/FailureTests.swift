import PipelineCore
import PipelineCurl
import TestSupport
import Testing

@Suite("Failures and their words", .timeLimit(.minutes(1)))
struct FailureTests {
    struct Answer: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var bytes: String
        var isReset = false
        var code: TransportError.Code
        var message: String
        var isHeadReported = false
    }

    /// Answers to the only request of a connection, which is then closed.
    static let answers = [
        Answer(
            testDescription: "nothing", bytes: "", code: .connectionLost,
            message: "the connection was closed before a response came"),
        Answer(
            testDescription: "a reset", bytes: "", isReset: true, code: .connectionLost,
            message: "was lost before a response came"),
        Answer(
            testDescription: "half a head", bytes: "HTTP/1.1 200 OK\r\nContent-Le",
            code: .connectionLost, message: "within the head"),
        Answer(
            testDescription: "O11: 11 of 500 bytes",
            bytes: "HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\n{\"ok\":true}",
            code: .bodyCutShort, message: "the body ended after 11 of 500 bytes",
            isHeadReported: true),
        Answer(
            testDescription: "O11: no last chunk",
            bytes: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n",
            code: .bodyCutShort, message: "the body ended after 2 bytes", isHeadReported: true),
        Answer(
            testDescription: "a chunk without a size",
            bytes: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nok\r\n",
            code: .invalidResponse, message: "chunks", isHeadReported: true),
        Answer(
            testDescription: "no HTTP", bytes: "SSH-2.0-OpenSSH_9.2\r\n\r\n",
            code: .invalidResponse, message: "the response breaks the rules of HTTP"),
        Answer(
            testDescription: "a length that is none",
            bytes: "HTTP/1.1 200 OK\r\nContent-Length: many\r\n\r\n", code: .invalidResponse,
            message: "the response breaks the rules of HTTP"),
        Answer(
            testDescription: "O18: an unknown coding",
            bytes: "HTTP/1.1 200 OK\r\ncontent-encoding: xyz\r\nContent-Length: 2\r\n\r\n{}",
            code: .cannotDecode, message: "the content coding xyz cannot be undone",
            isHeadReported: true),
        Answer(
            testDescription: "O18: damaged gzip",
            bytes: "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 2\r\n\r\n{}",
            code: .cannotDecode, message: "the content coding gzip cannot be undone",
            isHeadReported: true),
    ]

    @Test("A broken answer fails with its kind and sizes", arguments: answers)
    func brokenAnswer(_ answer: Answer) async throws {
        let server = try ByteServer { connection in
            guard connection.readRequest() != nil else { return }
            connection.send(answer.bytes)
            if answer.isReset { connection.reset() }
        }
        let record = await CurlTransport().record(try server.request())
        let error = try #require(record.error)
        #expect(error.code == answer.code, "\(error)")
        #expect(error.message.contains(answer.message))
        #expect(!error.message.hasSuffix("."))
        #expect(error.libraryCode != 0)
        #expect(!error.isBeforeSending)
        #expect(record.heads.count == (answer.isHeadReported ? 1 : 0))
        #expect(record.results.count == 1)
        #expect(server.requests.count == 1)
    }

    @Test("O11: gzip that decodes whole but is cut short of its length fails")
    func codedBodyCutShort() async throws {
        let server = try ByteServer { connection in
            guard connection.readRequest() != nil else { return }
            connection.send(
                ByteServer.http(
                    fields: ["Content-Encoding": "gzip", "Content-Length": "500"],
                    body: Samples.gzippedJSON))
        }
        let record = await CurlTransport().record(try server.request())
        #expect(record.bodyText == Samples.json)
        let error = try #require(record.error)
        #expect(error.code == .bodyCutShort)
        #expect(error.message.contains("after \(Samples.gzippedJSON.count) of 500 bytes"))
    }

    @Test("A head that is larger than libcurl takes is called that")
    func largeHead() async throws {
        let field = "X-Large: \(String(repeating: "x", count: 400_000))\r\n"
        let server = try ByteServer { connection in
            guard connection.readRequest() != nil else { return }
            connection.send("HTTP/1.1 200 OK\r\n\(field)\r\n")
        }
        let error = try #require(await CurlTransport().record(try server.request()).error)
        #expect(error.code == .invalidResponse)
        #expect(error.message.hasPrefix("the head of the response is too large"))
        #expect(!error.isBeforeSending)
    }

    @Test("The body is named once in a sentence about it")
    func wording() async throws {
        let server = try ByteServer { connection in
            guard connection.readRequest() != nil else { return }
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n1234567")
        }
        let record = await CurlTransport().record(try server.request())
        #expect(record.error?.message == "the body ended after 7 of 100 bytes")
    }

    @Test("O18: bytes of an unknown coding never reach the receiver")
    func unknownCodingIsNotDelivered() async throws {
        let server = try ByteServer.answering { _ in
            ByteServer.http(fields: ["Content-Encoding": "xyz"], body: "{}")
        }
        let record = await CurlTransport().record(try server.request())
        #expect(record.body.isEmpty)
        #expect(record.error?.code == .cannotDecode)
    }

    @Test("A refused connection names address and reason")
    func refusedConnection() async throws {
        let server = try ByteServer.answering { _ in ByteServer.http() }
        let request = try server.request()
        server.stop()
        let error = try #require(await CurlTransport().record(request).error)
        #expect(error.code == .cannotConnect)
        #expect(error.message == "connection refused at 127.0.0.1:\(server.port)")
        #expect(error.libraryCode == 7)
        #expect(error.isBeforeSending)
    }

    @Test("A name without an address is named")
    func unknownHost() async throws {
        let url = try HTTPURL("http://no-such-host.invalid/")
        let error = try #require(
            await CurlTransport().record(HTTPRequest(url: url, timeout: .seconds(20))).error)
        #expect(error.code == .cannotResolve)
        #expect(error.message == "could not resolve host no-such-host.invalid")
        #expect(error.isBeforeSending)
    }

    @Test("A receiver that wants no more ends the exchange, and gets no more")
    func refusedByReceiver() async throws {
        let server = try ByteServer.answering { _ in
            ByteServer.http(body: String(repeating: "x", count: 1_000_000))
        }
        let transport = CurlTransport()
        let recorder = Recorder(onBody: { $0 < 100_000 })
        _ = transport.start(try server.request(), receiver: recorder)
        let record = await recorder.finished()
        #expect(record.error?.code == .refusedByReceiver)
        #expect(record.body.count < 300_000)

        let next = await transport.record(try server.request())
        #expect(next.body.count == 1_000_000)
    }
}
