import PipelineCore
import TestSupport
import Testing

@Suite("Answers that break the rules", .timeLimit(.minutes(1)))
struct BrokenAnswerTests {
    struct Answer: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var bytes: String
        var isReset = false
        var code: TransportError.Code
        /// What the message must tell.
        var message = ""
        var isHeadReported = false
    }

    private static let head = "HTTP/1.1 200 OK\r\n"

    /// Answers to the only request of a connection, which is then closed.
    static let answers = [
        Answer(testDescription: "nothing", bytes: "", code: .connectionLost),
        Answer(testDescription: "a reset", bytes: "", isReset: true, code: .connectionLost),
        Answer(
            testDescription: "half a head", bytes: head + "Content-Le", code: .connectionLost,
            message: "within the head"),
        Answer(
            testDescription: "a reset within the head", bytes: head + "Content-Le", isReset: true,
            code: .connectionLost),
        Answer(
            testDescription: "only an interim head", bytes: "HTTP/1.1 100 Continue\r\n\r\n",
            code: .connectionLost),
        Answer(testDescription: "no HTTP", bytes: "SSH-2.0-x\r\n\r\n", code: .invalidResponse),
        Answer(testDescription: "HTTP/0.9", bytes: "<p>Hello</p>", code: .invalidResponse),
        Answer(
            testDescription: "HTTP/9.9", bytes: "HTTP/9.9 200 OK\r\n\r\n", code: .invalidResponse),
        Answer(
            testDescription: "a status that is no number", bytes: "HTTP/1.1 OK\r\n\r\n",
            code: .invalidResponse),
        Answer(
            testDescription: "the status 99", bytes: "HTTP/1.1 99 Low\r\n\r\n",
            code: .invalidResponse),
        Answer(
            testDescription: "the status 1000", bytes: "HTTP/1.1 1000 High\r\n\r\n",
            code: .invalidResponse),
        Answer(
            testDescription: "a change of protocols that nobody asked for",
            bytes: "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n",
            code: .invalidResponse),
        Answer(
            testDescription: "NUL in a field", bytes: head + "X-A: a\0b\r\n\r\n",
            code: .invalidResponse),
    ]

    /// Bodies whose length is wrong, or cannot be told.
    static let lengths = [
        Answer(
            testDescription: "O11: 11 of 500 bytes",
            bytes: head + "Content-Length: 500\r\n\r\n{\"ok\":true}", code: .bodyCutShort,
            message: "11 of 500 bytes", isHeadReported: true),
        Answer(
            testDescription: "O11: none of 500 bytes",
            bytes: head + "Content-Length: 500\r\n\r\n", code: .bodyCutShort,
            message: "0 of 500 bytes", isHeadReported: true),
        Answer(
            testDescription: "a reset within the body",
            bytes: head + "Content-Length: 500\r\n\r\nx", isReset: true, code: .connectionLost,
            isHeadReported: true),
        Answer(
            testDescription: "a length that is none",
            bytes: head + "Content-Length: many\r\n\r\n", code: .invalidResponse),
        Answer(
            testDescription: "a negative length", bytes: head + "Content-Length: -1\r\n\r\n",
            code: .invalidResponse),
        Answer(
            testDescription: "a length of 40 digits",
            bytes: head + "Content-Length: \(String(repeating: "9", count: 40))\r\n\r\nok",
            code: .invalidResponse),
        Answer(
            testDescription: "two lengths",
            bytes: head + "Content-Length: 2\r\nContent-Length: 3\r\n\r\nabc",
            code: .invalidResponse),
    ]

    private static let chunked = head + "Transfer-Encoding: chunked\r\n\r\n"

    static let chunks = [
        Answer(
            testDescription: "O11: no last chunk", bytes: chunked + "2\r\nok\r\n",
            code: .bodyCutShort, message: "2 bytes", isHeadReported: true),
        Answer(
            testDescription: "O11: half a chunk", bytes: chunked + "5\r\nok", code: .bodyCutShort,
            message: "2 bytes", isHeadReported: true),
        Answer(
            testDescription: "O11: half a size", bytes: chunked + "2\r\nok\r\n1",
            code: .bodyCutShort, message: "2 bytes", isHeadReported: true),
        Answer(
            testDescription: "a chunk without a size", bytes: chunked + "zz\r\nok\r\n",
            code: .invalidResponse, message: "chunk", isHeadReported: true),
        Answer(
            testDescription: "a chunk of a negative size", bytes: chunked + "-2\r\nok\r\n",
            code: .invalidResponse, message: "chunk", isHeadReported: true),
        Answer(
            testDescription: "a chunk of 40 digits",
            bytes: chunked + String(repeating: "F", count: 40) + "\r\nok\r\n",
            code: .invalidResponse, message: "chunk", isHeadReported: true),
        Answer(
            testDescription: "a chunk that is longer than its size",
            bytes: chunked + "2\r\nokay\r\n0\r\n\r\n", code: .invalidResponse,
            message: "chunk", isHeadReported: true),
    ]

    @Test(
        "A broken answer fails with its kind", arguments: TransportUnderTest.all,
        answers + lengths + chunks)
    func brokenAnswer(_ subject: TransportUnderTest, _ answer: Answer) async throws {
        let server = try ByteServer { connection in
            guard connection.readRequest() != nil else { return }
            connection.send(answer.bytes)
            if answer.isReset {
                // What was sent is to be read before the reset arrives.
                connection.pause(milliseconds: 50)
                connection.reset()
            }
        }
        let record = try await subject.make(row: answer.testDescription).record(
            try server.request())
        let error = try #require(record.error)
        #expect(error.code == answer.code, "\(error)")
        #expect(error.message.contains(answer.message), "\(error.message)")
        #expect(!error.message.isEmpty && !error.message.hasSuffix("."))
        #expect(!error.isBeforeSending)
        #expect(record.heads.count == (answer.isHeadReported ? 1 : 0))
        #expect(record.results.count == 1)
        #expect(server.requests.count == 1)
    }

    @Test(
        "O11: gzip that decodes whole but is cut short of its length fails",
        arguments: TransportUnderTest.all)
    func codedBodyCutShort(_ subject: TransportUnderTest) async throws {
        let server = try ByteServer { connection in
            guard connection.readRequest() != nil else { return }
            connection.send(
                ByteServer.http(
                    fields: ["Content-Encoding": "gzip", "Content-Length": "500"],
                    body: Samples.gzippedJSON))
        }
        let record = try await subject.make().record(try server.request())
        #expect(record.bodyText == Samples.json)
        let error = try #require(record.error)
        #expect(error.code == .bodyCutShort)
        #expect(error.message.contains("\(Samples.gzippedJSON.count) of 500 bytes"))
    }

    @Test(
        "A head that never ends is given up, long before the time is over",
        arguments: TransportUnderTest.all, [1_000, 100_000])
    func endlessHead(_ subject: TransportUnderTest, _ lineSize: Int) async throws {
        let server = try ByteServer { connection in
            guard connection.readRequest() != nil else { return }
            connection.send("HTTP/1.1 200 OK\r\n")
            let line = "X-Large: \(String(repeating: "x", count: lineSize))\r\n"
            while connection.send(line) {}
        }
        let error = try #require(
            try await subject.make(row: "\(lineSize)").record(try server.request()).error)
        #expect(error.code == .invalidResponse, "\(error)")
        #expect(!error.isBeforeSending)
    }

    @Test(
        "A line that never ends is given up, long before the time is over",
        arguments: TransportUnderTest.all)
    func endlessLine(_ subject: TransportUnderTest) async throws {
        let server = try ByteServer { connection in
            guard connection.readRequest() != nil else { return }
            connection.send("HTTP/1.1 200 OK\r\nX-Large: ")
            let part = [UInt8](repeating: UInt8(ascii: "x"), count: 10_000)
            while connection.send(part) {}
        }
        let error = try #require(try await subject.make().record(try server.request()).error)
        #expect(error.code == .invalidResponse, "\(error)")
    }

    static let junk = [
        Answer(
            testDescription: "after a length", bytes: head + "Content-Length: 2\r\n\r\nokJUNK",
            code: .other),
        Answer(
            testDescription: "a whole answer after a length",
            bytes: head + "Content-Length: 2\r\n\r\nok" + head
                + "Content-Length: 4\r\n\r\nJUNK", code: .other),
        Answer(
            testDescription: "after the last chunk", bytes: chunked + "2\r\nok\r\n0\r\n\r\nJUNK",
            code: .other),
    ]

    @Test(
        "Junk after a body is dropped, and the next exchange never sees it",
        arguments: TransportUnderTest.all, junk)
    func trailingJunk(_ subject: TransportUnderTest, _ answer: Answer) async throws {
        let server = try ByteServer { connection in
            while let request = connection.readRequest() {
                connection.send(
                    request.target == "/next"
                        ? ByteServer.http(body: "next") : Array(answer.bytes.utf8))
            }
        }
        let transport = try subject.make(row: answer.testDescription)
        let first = await transport.record(try server.request())
        #expect(first.bodyText == "ok")
        #expect(first.error == nil)
        for _ in 1...2 {
            let next = await transport.record(try server.request("GET", "/next"))
            #expect(next.bodyText == "next", "\(String(describing: next.error))")
        }
    }

    @Test("A refused connection names address and reason", arguments: TransportUnderTest.all)
    func refusedConnection(_ subject: TransportUnderTest) async throws {
        let server = try ByteServer.answering { _ in ByteServer.http() }
        let request = try server.request()
        server.stop()
        let error = try #require(try await subject.make().record(request).error)
        #expect(error.code == .cannotConnect)
        #expect(error.message.contains("refused"), "\(error.message)")
        #expect(error.message.contains("127.0.0.1:\(server.port)"), "\(error.message)")
        #expect(error.isBeforeSending)
    }

    @Test("A name without an address is named", arguments: TransportUnderTest.all)
    func unknownHost(_ subject: TransportUnderTest) async throws {
        let url = try HTTPURL("http://no-such-host.invalid/")
        let error = try #require(
            try await subject.make().record(HTTPRequest(url: url, timeout: .seconds(20))).error)
        #expect(error.code == .cannotResolve)
        #expect(error.message.contains("no-such-host.invalid"))
        #expect(error.isBeforeSending)
    }

    @Test(
        "A receiver that wants no more ends the exchange, and gets no more",
        arguments: TransportUnderTest.all)
    func refusedByReceiver(_ subject: TransportUnderTest) async throws {
        let server = try ByteServer.answering { _ in
            ByteServer.http(body: String(repeating: "x", count: 1_000_000))
        }
        let transport = try subject.make()
        let recorder = Recorder(onBody: { $0 < 100_000 })
        _ = transport.start(try server.request(), receiver: recorder)
        let record = await recorder.finished()
        #expect(record.error?.code == .refusedByReceiver)
        #expect(record.body.count < 300_000)

        let next = await transport.record(try server.request())
        #expect(next.body.count == 1_000_000)
    }
}
