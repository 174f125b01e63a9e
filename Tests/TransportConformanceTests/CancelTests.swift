import PipelineCore
import Synchronization
import TestSupport
import Testing

@Suite("Cancelling an exchange", .timeLimit(.minutes(1)))
struct CancelTests {
    /// What a server does when the exchange is cancelled.
    enum Moment: String, CaseIterable, Sendable {
        case handshake, silent, drippingHead, drippingBody, floodingBody, notReading
    }

    /// The 50 ms that are promised, and time for a machine that runs other tests too.
    static let limit = Duration.milliseconds(250)

    /// A server that opens the gate when it has come to that moment, or soon will.
    private static func server(_ moment: Moment, _ reached: Gate = Gate()) throws -> ByteServer {
        try ByteServer { connection in
            switch moment {
            case .handshake, .notReading:
                if moment == .notReading { _ = connection.readHead() }
                reached.open()
                return connection.waitUntilStopped()
            default:
                guard connection.readRequest() != nil else { return }
                reached.open()
            }
            switch moment {
            case .handshake, .notReading, .silent:
                connection.waitForPeerClose()
            case .drippingHead, .drippingBody:
                connection.send("HTTP/1.1 200 OK\r\n")
                connection.send(moment == .drippingHead ? "X-A: " : "Content-Length: 9999\r\n\r\n")
                while connection.send("x") { connection.pause(milliseconds: 10) }
            case .floodingBody:
                connection.send("HTTP/1.1 200 OK\r\n\r\n")
                let part = [UInt8](repeating: 0x78, count: 100_000)
                while connection.send(part) {}
            }
        }
    }

    @Test(
        "A cancel ends it within 50 ms, whatever the server does",
        arguments: TransportUnderTest.all, Moment.allCases)
    func cancelIsPrompt(_ subject: TransportUnderTest, _ moment: Moment) async throws {
        let reached = Gate()
        let server = try Self.server(moment, reached)
        let recorder = Recorder()
        let scheme = moment == .handshake ? "https" : "http"
        var request = HTTPRequest(
            url: try HTTPURL("\(scheme)://\(server.authority)/"), timeout: .seconds(20))
        if moment == .notReading {
            request.method = "POST"
            request.body = .bytes([UInt8](repeating: 0x78, count: 20_000_000))
        }
        let exchange = try subject.make(row: moment.rawValue).start(request, receiver: recorder)
        await reached.wait()
        if moment == .drippingBody || moment == .floodingBody { await recorder.headReceived() }
        let record = try await Self.cancel(exchange, recorder)
        #expect(record.error?.isBeforeSending == (moment == .handshake))
    }

    @Test(
        "A cancel at any of fifty moments ends the exchange once, and leaves the transport whole",
        arguments: TransportUnderTest.all)
    func fiftyMoments(_ subject: TransportUnderTest) async throws {
        let server = try ByteServer { connection in
            while connection.readRequest() != nil {
                connection.pause(milliseconds: 3)
                connection.send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n")
                connection.pause(milliseconds: 3)
                connection.send("\r\n")
                for _ in 1...5 {
                    connection.pause(milliseconds: 2)
                    guard connection.send("x") else { return }
                }
            }
        }
        let transport = try subject.make()
        var generator = SeededGenerator(seed: printedSeed("cancel at fifty moments"))
        for _ in 1...50 {
            let recorder = Recorder()
            let exchange = transport.start(try server.request(), receiver: recorder)
            // Not to wait for something: the moment itself is what varies.
            try await Task.sleep(for: .microseconds(Int.random(in: 0...18_000, using: &generator)))
            let start = ContinuousClock.now
            exchange.cancel()
            let record = await recorder.finished()
            #expect(start.duration(to: try #require(record.finishedAt)) < Self.limit)
            #expect(record.results.count == 1)
            #expect(record.error == nil ? record.bodyText == "xxxxx" : true)
            #expect(record.error.map { $0.code == .cancelled } ?? true)
        }
        #expect(await transport.record(try server.request()).bodyText == "xxxxx")
    }

    @Test("A cancel ends an attempt to connect", arguments: TransportUnderTest.all)
    func cancelWhileConnecting(_ subject: TransportUnderTest) async throws {
        let listener = try SilentListener()
        let recorder = Recorder()
        let exchange = try subject.make().start(
            HTTPRequest(url: try HTTPURL(listener.url), timeout: .seconds(20)), receiver: recorder)
        let record = try await Self.cancel(exchange, recorder)
        #expect(record.error?.isBeforeSending == true)
    }

    private static func cancel(
        _ exchange: any Exchange, _ recorder: Recorder
    ) async throws -> Recorder.Record {
        let start = ContinuousClock.now
        exchange.cancel()
        exchange.cancel()
        let record = await recorder.finished()
        let end = try #require(record.finishedAt)
        #expect(start.duration(to: end) < limit)
        #expect(record.error?.code == .cancelled)
        #expect(record.results.count == 1)
        return record
    }

    @Test(
        "A cancel leaves other exchanges and the next ones alone", arguments: TransportUnderTest.all
    )
    func othersGoOn(_ subject: TransportUnderTest) async throws {
        let server = try ByteServer { connection in
            while let request = connection.readRequest() {
                if request.target == "/silent" { return connection.waitForPeerClose() }
                connection.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\no")
                connection.pause(milliseconds: 100)
                connection.send("k")
            }
        }
        let transport = try subject.make()
        let silent = Recorder()
        let other = Recorder()
        let exchange = transport.start(try server.request("GET", "/silent"), receiver: silent)
        _ = transport.start(try server.request("GET", "/other"), receiver: other)
        await other.headReceived()
        exchange.cancel()
        #expect(await silent.finished().error?.code == .cancelled)
        #expect(await other.finished().bodyText == "ok")
        #expect(await transport.record(try server.request("GET", "/next")).bodyText == "ok")
    }

    @Test("A cancel after the end changes nothing", arguments: TransportUnderTest.all)
    func cancelAfterTheEnd(_ subject: TransportUnderTest) async throws {
        let server = try ByteServer.answering { _ in ByteServer.http() }
        let transport = try subject.make()
        let recorder = Recorder()
        let exchange = transport.start(try server.request(), receiver: recorder)
        #expect(await recorder.finished().error == nil)
        exchange.cancel()
        #expect(await transport.record(try server.request()).error == nil)
        #expect(recorder.record.results.count == 1)
    }

    @Test(
        "A cancel from inside a call of the receiver holds from there on",
        arguments: TransportUnderTest.all)
    func cancelFromTheReceiver(_ subject: TransportUnderTest) async throws {
        let server = try Self.server(.floodingBody)
        let exchange = ExchangeBox()
        let recorder = Recorder(onBody: { size in
            if size > 100_000 { exchange.cancel() }
            return true
        })
        exchange.set(try subject.make().start(try server.request(), receiver: recorder))
        let record = await recorder.finished()
        #expect(record.error?.code == .cancelled)
        #expect(record.body.count < 300_000)
    }

    @Test(
        "A cancel from inside the call for the head holds, though all has come",
        arguments: TransportUnderTest.all)
    func cancelAtTheHead(_ subject: TransportUnderTest) async throws {
        let server = try ByteServer.answering { _ in ByteServer.http(body: "ok") }
        let exchange = ExchangeBox()
        let recorder = Recorder(onHead: { exchange.cancel() })
        let transport = try subject.make()
        let request = try server.request()
        // From the transport's thread, so that the exchange is in its box before the head comes.
        let first = Recorder(onFinish: {
            exchange.set(transport.start(request, receiver: recorder))
        })
        _ = transport.start(request, receiver: first)
        let record = await recorder.finished()
        #expect(record.error?.code == .cancelled)
        #expect(record.heads.count == 1)
        #expect(record.body.isEmpty)
    }

    @Test(
        "An exchange that is cancelled at its start never reaches the server",
        arguments: TransportUnderTest.all, 1...20)
    func cancelAtOnce(_ subject: TransportUnderTest, _ round: Int) async throws {
        let server = try ByteServer.answering { _ in ByteServer.http() }
        let transport = try subject.make()
        _ = await transport.record(try server.request("GET", "/first"))
        let second = Recorder()
        let secondRequest = try server.request("GET", "/second")
        let first = Recorder(onFinish: {
            transport.start(secondRequest, receiver: second).cancel()
        })
        _ = transport.start(try server.request("GET", "/first"), receiver: first)
        let record = await second.finished()
        #expect(record.error?.code == .cancelled)
        #expect(record.error?.isBeforeSending == true)
        #expect(server.requests.map(\.target) == ["/first", "/first"])
    }

    @Test(
        "Starting and cancelling from many threads gives each exchange one end",
        arguments: TransportUnderTest.all)
    func manyThreads(_ subject: TransportUnderTest) async throws {
        let server = try ByteServer.answering { _ in ByteServer.http(body: "ok") }
        let transport = try subject.make()
        await withTaskGroup(of: Int.self) { group in
            for number in 0..<200 {
                group.addTask {
                    guard let request = try? server.request() else { return 0 }
                    let recorder = Recorder()
                    let exchange = transport.start(request, receiver: recorder)
                    if number.isMultiple(of: 3) { exchange.cancel() }
                    return await recorder.finished().results.count
                }
            }
            for await count in group { #expect(count == 1) }
        }
    }
}

/// An exchange for its own receiver to cancel.
private final class ExchangeBox: Sendable {
    private let exchange = Mutex<(any Exchange)?>(nil)

    func set(_ exchange: any Exchange) {
        self.exchange.withLock { $0 = exchange }
    }

    func cancel() {
        exchange.withLock(\.self)?.cancel()
    }
}
