import PipelineCore
import PipelineCurl
import Synchronization
import TestSupport
import Testing

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

@Suite("The life of a transport", .timeLimit(.minutes(1)))
struct LifetimeTests {
    @Test("Nothing is left of a hundred transports: no thread, no descriptor")
    func nothingIsLeft() async {
        await #expect(processExitsWith: .success) {
            let server = try ByteServer.answering { _ in ByteServer.http() }
            func use(_ transport: CurlTransport) async throws {
                let record = await transport.record(try server.request())
                #expect(record.status == 200)
                transport.shutDown()
            }
            try await use(CurlTransport())
            let before = Usage.descriptors
            for _ in 1...100 { try await use(CurlTransport()) }
            server.stop()
            // The server had the other ends, and its own socket.
            #expect(Usage.descriptors <= before)
            #expect(Usage.threads < 20)
        }
    }

    @Test("The thread of a transport that is merely dropped ends, too")
    func droppedTransport() async {
        await #expect(processExitsWith: .success) {
            let (closed, closing) = AsyncStream.makeStream(of: Void.self)
            let server = try ByteServer { connection in
                while connection.readRequest() != nil { connection.send(ByteServer.http()) }
                closing.yield()
            }
            for _ in 1...100 {
                #expect(await CurlTransport().record(try server.request()).status == 200)
            }
            // A thread closes its connection as its last act but a few: most have ended then.
            var count = 0
            for await _ in closed {
                count += 1
                if count == 100 { break }
            }
            server.stop()
            #expect(Usage.threads < 50)
        }
    }

    @Test("A dropped transport finishes what is under way")
    func droppedWhileBusy() async throws {
        let server = try ByteServer { connection in
            guard connection.readRequest() != nil else { return }
            connection.pause(milliseconds: 100)
            connection.send(ByteServer.http(body: "ok"))
        }
        let record = await CurlTransport().record(try server.request())
        #expect(record.bodyText == "ok")
    }

    @Test("Shutting down cancels what is under way, and what comes later")
    func shutDown() async throws {
        let server = try ByteServer { connection in
            _ = connection.readRequest()
            connection.waitForPeerClose()
        }
        let transport = CurlTransport()
        let recorders = (1...5).map { _ in Recorder() }
        for recorder in recorders {
            _ = transport.start(try server.request(), receiver: recorder)
        }
        _ = await server.waitForRequests(5)
        transport.shutDown()
        // It has waited, so all is said.
        #expect(recorders.map(\.record.error?.code) == Array(repeating: .cancelled, count: 5))
        #expect(await transport.record(try server.request()).error?.code == .cancelled)
        transport.shutDown()
        #expect(server.requests.count == 5)
    }

    @Test("Whoever shuts down waits for the end, also while somebody else does")
    func shutDownTogether() async throws {
        let server = try ByteServer { connection in
            _ = connection.readRequest()
            connection.waitForPeerClose()
        }
        let transport = CurlTransport()
        // A receiver that takes its time: the thread is still there when the last call comes.
        let recorder = Recorder(onFinish: { usleep(100_000) })
        _ = transport.start(try server.request(), receiver: recorder)
        _ = await server.waitForRequests(1)
        let endsSeen = Locked<[Int]>([])
        let threads = (1...4).compactMap { _ in
            PosixThread {
                transport.shutDown()
                endsSeen.change { $0.append(recorder.record.results.count) }
            }
        }
        for thread in threads { thread.join() }
        #expect(endsSeen.value == [1, 1, 1, 1])
    }

    @Test("Shutting down an unused transport does nothing")
    func shutDownUnused() async throws {
        let server = try ByteServer.answering { _ in ByteServer.http() }
        let transport = CurlTransport()
        transport.shutDown()
        #expect(await transport.record(try server.request()).error?.code == .cancelled)
        #expect(server.connectionCount == 0)
    }

    @Test("Shutting down from inside a call of the receiver does not wait for itself")
    func shutDownFromTheReceiver() async throws {
        let server = try ByteServer.answering { _ in ByteServer.http() }
        let transport = CurlTransport()
        let recorder = Recorder(onFinish: { transport.shutDown() })
        _ = transport.start(try server.request(), receiver: recorder)
        #expect(await recorder.finished().error == nil)
        #expect(await transport.record(try server.request()).error?.code == .cancelled)
    }

    @Test("Neither receiver nor exchange keeps the other alive after the end")
    func noCycle() async throws {
        let server = try ByteServer.answering { _ in ByteServer.http() }
        let transport = CurlTransport()
        weak var receiver: Keeper?
        do {
            let recorder = Recorder()
            let keeper = Keeper(recorder)
            receiver = keeper
            keeper.keep(transport.start(try server.request(), receiver: keeper))
            _ = await recorder.finished()
        }
        transport.shutDown()
        #expect(receiver == nil)
    }

    @Test("Thousands of exchanges, each started at the end of another, use one connection")
    func chain() async throws {
        let server = try ByteServer.answering { _ in ByteServer.http(body: "ok") }
        let transport = CurlTransport()
        let chain = Chain(transport, try server.request(), length: 2_000)
        await chain.run()
        #expect(server.requests.count == 2_000)
        #expect(server.connectionCount == 1)
    }
}

/// A receiver that keeps its exchange.
private final class Keeper: ResponseReceiver {
    private let recorder: Recorder
    private let exchange = Mutex<(any Exchange)?>(nil)

    init(_ recorder: Recorder) {
        self.recorder = recorder
    }

    func keep(_ exchange: any Exchange) {
        self.exchange.withLock { $0 = exchange }
    }

    func receiveHead(_ head: HTTPResponse.Head) {}
    func receiveBody(_ bytes: RawSpan) -> Bool { true }

    func finish(_ result: Result<ExchangeMetrics, TransportError>) {
        recorder.finish(result)
    }
}

/// Starts the next exchange from the end of the one before.
private final class Chain: ResponseReceiver {
    private let transport: CurlTransport
    private let request: HTTPRequest
    private let left: Atomic<Int>
    private let last = Recorder()

    init(_ transport: CurlTransport, _ request: HTTPRequest, length: Int) {
        self.transport = transport
        self.request = request
        left = Atomic(length)
    }

    func run() async {
        _ = transport.start(request, receiver: self)
        _ = await last.finished()
    }

    func receiveHead(_ head: HTTPResponse.Head) {}
    func receiveBody(_ bytes: RawSpan) -> Bool { true }

    func finish(_ result: Result<ExchangeMetrics, TransportError>) {
        if left.subtract(1, ordering: .relaxed).newValue == 0 {
            last.finish(result)
        } else {
            _ = transport.start(request, receiver: self)
        }
    }
}
