import PipelineCore
import TestSupport
import Testing

@Suite("Large bodies", .timeLimit(.minutes(1)))
struct LargeBodyTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test(
        "64 MiB come down in parts, and memory does not grow", .needsNginx,
        arguments: TransportUnderTest.all)
    func download(_ subject: TransportUnderTest) async throws {
        let size = 64 << 20
        let server = try NginxServer()
        try server.writeSparse(size, as: "large")
        let transport = try subject.make()
        // What the first exchange takes is not the body's.
        _ = await transport.record(try server.request("GET", "/none"))
        let receiver = StreamReceiver()
        _ = transport.start(try server.request("GET", "/large"), receiver: receiver)
        let metrics = try await receiver.finished().get()
        #expect(receiver.size == size)
        #expect(metrics.wireBodySize == size)
        #expect(metrics.decodedBodySize == size)
        #expect(receiver.largestPart < 1 << 20)
        #expect(receiver.memoryGrowth < 16 << 20, "\(receiver.memoryGrowth) bytes")
    }

    @Test(
        "16 MiB of a file go up, between pieces of bytes", .needsNginx,
        arguments: TransportUnderTest.all)
    func upload(_ subject: TransportUnderTest) async throws {
        let file = try folder.write(Self.content(megabytes: 16), as: "large")
        let server = try NginxServer("dav_methods PUT;")
        let body = HTTPRequest.Body.pieces([
            .bytes(Array("start".utf8)), .file(path: file, size: 16 << 20), .bytes([]),
            .bytes(Array("end".utf8)),
        ])
        let record = try await subject.make().record(
            try server.request("PUT", "/large", body: body))
        #expect(record.status == 201, "\(String(describing: record.error))")
        let received = try FileBytes.read("\(server.root)/large", limit: 32 << 20)
        let expected =
            Array("start".utf8) + Self.content(megabytes: 16) + Array("end".utf8)
        // Not compared by the macro, which would write out every byte of a difference.
        let isSame = received == expected
        #expect(isSame)
    }

    @Test(
        "A body of pieces is sent in one piece, with its length, each time",
        arguments: TransportUnderTest.all)
    func pieces(_ subject: TransportUnderTest) async throws {
        let server = try ByteServer.answering { request in ByteServer.http(body: request.body) }
        let file = try folder.write("file", as: "file")
        let empty = try folder.write("", as: "empty")
        let transport = try subject.make()
        let bodies: [(pieces: [HTTPRequest.Body.Piece], text: String)] = [
            ([], ""), ([.bytes([])], ""), ([.file(path: empty, size: 0)], ""),
            ([.file(path: file, size: 4)], "file"),
            ([.bytes(Array("a".utf8)), .file(path: file, size: 4)], "afile"),
            ([.file(path: file, size: 4), .file(path: file, size: 4)], "filefile"),
            // Of a file that has grown, the rest is left.
            ([.file(path: file, size: 3), .bytes(Array("b".utf8))], "filb"),
        ]
        for (pieces, text) in bodies {
            for method in ["POST", "PUT"] {
                var request = try server.request(method)
                request.body = .pieces(pieces)
                let record = await transport.record(request)
                #expect(record.bodyText == text, "\(String(describing: record.error))")
                #expect(server.requests.last?.fields["Content-Length"] == "\(text.utf8.count)")
                #expect(server.requests.last?.fields["Transfer-Encoding"] == nil)
            }
        }
        #expect(server.connectionCount == 1)
    }

    @Test(
        "O13 (ii): a file goes out whole again where a request may be sent again, and once only else",
        arguments: TransportUnderTest.all, ["PUT", "POST"])
    func fileIsSentAgain(_ subject: TransportUnderTest, _ method: String) async throws {
        let server = try ByteServer { connection in
            while let request = connection.readRequest() {
                if connection.number == 1, request.target == "/second" { return connection.reset() }
                connection.send(ByteServer.http())
            }
        }
        let content = Self.content(megabytes: 1)
        let file = try folder.write(content, as: "file")
        let transport = try subject.make(row: method)
        #expect(await transport.record(try server.request("GET", "/first")).error == nil)
        var request = try server.request(method, "/second")
        request.body = .pieces([.bytes([7]), .file(path: file, size: content.count)])
        let record = await transport.record(request)
        let deliveries = server.requests.filter { $0.target == "/second" }
        #expect(deliveries.map(\.connection) == (method == "PUT" ? [1, 2] : [1]))
        for delivery in deliveries {
            let isWhole = delivery.body == [7] + content
            #expect(isWhole)
        }
        #expect(record.status == (method == "PUT" ? 200 : nil))
        #expect(record.error?.code == (method == "PUT" ? nil : .connectionLost))
    }

    @Test(
        "A file that has become shorter fails the request, and the server sees no whole one",
        arguments: TransportUnderTest.all)
    func shorterFile(_ subject: TransportUnderTest) async throws {
        let server = try ByteServer.answering { _ in ByteServer.http() }
        let file = try folder.write("file", as: "file")
        let transport = try subject.make()
        var request = try server.request("POST")
        request.body = .pieces([.file(path: file, size: 500)])
        let error = try #require(await transport.record(request).error)
        #expect(error.message.contains(file), "\(error.message)")
        #expect(server.requests.isEmpty)
        #expect(await transport.record(try server.request()).status == 200)
    }

    @Test(
        "A file that is not there fails the request before anything is sent",
        arguments: TransportUnderTest.all)
    func missingFile(_ subject: TransportUnderTest) async throws {
        let server = try ByteServer.answering { _ in ByteServer.http() }
        var request = try server.request("POST")
        request.body = .pieces([.file(path: folder.file("none"), size: 4)])
        let error = try #require(try await subject.make().record(request).error)
        #expect(error.code == .invalidRequest)
        #expect(error.message.contains(folder.file("none")), "\(error.message)")
        #expect(error.isBeforeSending)
        #expect(server.requests.isEmpty)
    }

    /// Content whose blocks can be told apart, should one be lost or doubled.
    private static func content(megabytes: Int) -> [UInt8] {
        var content: [UInt8] = []
        content.reserveCapacity(megabytes << 20)
        for number in 0..<(megabytes * 16) {
            content += [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: 65_535) + [0x0A]
        }
        return content
    }
}
