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
}
