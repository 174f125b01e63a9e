import PipelineCore
import PipelineCurl
import TestSupport
import Testing

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

@Suite("Bodies of several pieces", .timeLimit(.minutes(1)))
struct PiecesTests {
    /// A file that goes away with the value.
    private final class File: Sendable {
        let path: String

        init(_ bytes: [UInt8]) throws {
            var template = Array("/tmp/pieces-XXXXXX".utf8CString)
            let descriptor = mkstemp(&template)
            path = String(decoding: template.dropLast().map(UInt8.init), as: UTF8.self)
            try #require(descriptor >= 0)
            try #require(write(descriptor, bytes, bytes.count) == bytes.count)
            close(descriptor)
        }

        deinit { unlink(path) }

        func resize(_ size: Int) { truncate(path, off_t(size)) }
    }

    private static let content = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }

    private static func request(
        _ server: ByteServer, _ pieces: [HTTPRequest.Body.Piece], method: String = "POST",
        path: String = "/"
    ) throws -> HTTPRequest {
        var request = try server.request(method, path)
        request.body = .pieces(pieces)
        return request
    }

    @Test(
        "They go out in order, with a length that is known in advance",
        arguments: ["POST", "PUT"])
    func order(_ method: String) async throws {
        let server = try ByteServer.answering { _ in ByteServer.http(body: "ok") }
        let file = try File(Self.content)
        let empty = try File([])
        let pieces: [HTTPRequest.Body.Piece] = [
            .bytes(Array("<".utf8)), .file(path: file.path, size: Self.content.count), .bytes([]),
            .file(path: empty.path, size: 0), .bytes(Array("|".utf8)),
            .file(path: file.path, size: 3), .bytes(Array(">".utf8)),
        ]
        let record = await CurlTransport().record(try Self.request(server, pieces, method: method))
        #expect(record.bodyText == "ok", "\(String(describing: record.error))")
        let request = try #require(server.requests.first)
        #expect(request.method == method)
        #expect(
            request.body == Array("<".utf8) + Self.content + Array("|".utf8)
                + Self.content[..<3] + Array(">".utf8))
        #expect(request.fields.values(of: "Content-Length") == ["\(Self.content.count + 6)"])
        #expect(request.fields["Transfer-Encoding"] == nil)
        #expect(request.fields["Expect"] == nil)
    }

    @Test("No pieces are an empty body, and the next request has its own")
    func noPieces() async throws {
        let server = try ByteServer.answering { _ in ByteServer.http() }
        let transport = CurlTransport()
        _ = await transport.record(try Self.request(server, [.bytes([0x61])]))
        _ = await transport.record(try Self.request(server, []))
        _ = await transport.record(try Self.request(server, [.bytes([]), .bytes([])]))
        _ = await transport.record(try server.request("POST", body: "b"))
        _ = await transport.record(try Self.request(server, [.bytes([0x63])]))
        #expect(server.requests.map(\.bodyText) == ["a", "", "", "b", "c"])
        #expect(server.requests.map { $0.fields["Content-Length"] } == ["1", "0", "0", "1", "1"])
        #expect(server.connectionCount == 1)
    }

    @Test("A file that is missing is named before anything is sent")
    func missingFile() async throws {
        let server = try ByteServer.answering { _ in ByteServer.http() }
        let transport = CurlTransport()
        for (path, message) in [
            ("/no/such/file", "the file /no/such/file cannot be sent: no such file or directory"),
            ("/tmp", "the file /tmp cannot be sent: it is not a regular file"),
        ] {
            let request = try Self.request(server, [.bytes([1]), .file(path: path, size: 3)])
            let error = try #require(await transport.record(request).error)
            #expect(error.code == .invalidRequest)
            #expect(error.message == message)
            #expect(error.isBeforeSending)
        }
        #expect(server.connectionCount == 0)
    }

    @Test("A file that has become shorter is noticed before anything is sent")
    func shorterFile() async throws {
        let server = try ByteServer.answering { _ in ByteServer.http() }
        let file = try File([1, 2, 3])
        let request = try Self.request(server, [.file(path: file.path, size: 5)])
        let error = try #require(await CurlTransport().record(request).error)
        #expect(error.code == .invalidRequest)
        #expect(error.message == "the file \(file.path) has become shorter: it has 3 of 5 bytes")
        #expect(error.isBeforeSending)
        #expect(server.connectionCount == 0)
    }

    @Test("A file that becomes shorter while it is sent fails the exchange, in so many words")
    func shrinkingFile() async throws {
        let size = 50_000_000
        let file = try File([])
        file.resize(size)
        let server = try ByteServer { connection in
            if connection.number > 1 {
                guard connection.readRequest() != nil else { return }
                connection.send(ByteServer.http(body: "next"))
                return
            }
            // Sent faster than it is read: what is not read yet is not sent as yet.
            guard connection.readHead() != nil else { return }
            file.resize(1_000)
            connection.waitForPeerClose()
        }
        let transport = CurlTransport()
        let record = await transport.record(
            try Self.request(server, [.file(path: file.path, size: size)]))
        let error = try #require(record.error)
        #expect(error.code == .invalidRequest)
        #expect(
            error.message.hasPrefix("the file \(file.path) has become shorter while it was sent: "),
            "\(error.message)")
        #expect(error.message.hasSuffix(" of \(size) bytes"))
        #expect(!error.isBeforeSending)
        #expect(await transport.record(try server.request()).bodyText == "next")
    }

    @Test("O13: sent again on another connection, the body is whole", arguments: ["PUT", "POST"])
    func sentAgain(_ method: String) async throws {
        let server = try ByteServer { connection in
            while let request = connection.readRequest() {
                if connection.number == 1, request.target == "/second" { return connection.reset() }
                connection.send(ByteServer.http())
            }
        }
        let file = try File(Self.content)
        let transport = CurlTransport()
        _ = await transport.record(try server.request("GET", "/first"))
        let record = await transport.record(
            try Self.request(
                server, [.bytes([7]), .file(path: file.path, size: Self.content.count)],
                method: method, path: "/second"))
        let deliveries = server.requests.filter { $0.target == "/second" }
        #expect(deliveries.first?.body == [7] + Self.content)
        if method == "PUT" {
            #expect(record.status == 200, "\(String(describing: record.error))")
            #expect(deliveries.map(\.connection) == [1, 2])
            #expect(deliveries.last?.body == [7] + Self.content)
        } else {
            #expect(record.error?.code == .connectionLost)
            #expect(deliveries.count == 1)
        }
    }

    @Test("A cancel ends the sending of a file", arguments: [false, true])
    func cancel(isRead: Bool) async throws {
        let size = 2_000_000_000
        let file = try File([])
        file.resize(size)
        let begun = Gate()
        let server = try ByteServer { connection in
            guard connection.readHead() != nil else { return }
            begun.open()
            isRead ? connection.waitForPeerClose() : connection.waitUntilStopped()
        }
        let recorder = Recorder()
        let exchange = CurlTransport().start(
            try Self.request(server, [.file(path: file.path, size: size)]), receiver: recorder)
        await begun.wait()
        let start = ContinuousClock.now
        exchange.cancel()
        let record = await recorder.finished()
        #expect(start.duration(to: try #require(record.finishedAt)) < .milliseconds(250))
        #expect(record.error?.code == .cancelled)
    }

    @Test("A large file takes no more memory than a small one")
    func memory() async {
        await #expect(processExitsWith: .success) {
            let size = 200_000_000
            let file = try File([])
            file.resize(size)
            let server = try ByteServer { connection in
                guard connection.readHead() != nil else { return }
                connection.waitForPeerClose()
            }
            let transport = CurlTransport()
            // The server only counts on being closed: each exchange ends by its time limit.
            var request = try Self.request(server, [.file(path: file.path, size: 1_000_000)])
            request.timeout = .milliseconds(300)
            #expect(await transport.record(request).error?.code == .timedOut)
            let before = peakMemory()
            #expect(before > 0)
            request.body = .pieces([.file(path: file.path, size: size)])
            request.timeout = .milliseconds(1_500)
            let error = try #require(await transport.record(request).error)
            #expect(error.message.hasSuffix("waiting for the first byte"), "\(error.message)")
            #expect(peakMemory() - before < 4_000_000)
        }
    }
}

/// The most memory that this process has had resident so far, in bytes.
private func peakMemory() -> Int {
    var usage = rusage()
    #if canImport(Darwin)
        getrusage(RUSAGE_SELF, &usage)
        return usage.ru_maxrss
    #else
        // RUSAGE_SELF, whose type differs between C libraries.
        getrusage(0, &usage)
        return usage.ru_maxrss * 1_024
    #endif
}
