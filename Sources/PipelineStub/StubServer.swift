import PipelineCore
import Synchronization

/// A small HTTP/1.1 server on loopback that answers from examples.
///
/// It makes a pipeline run without a network and still over real HTTP: in a first run, in
/// `pipeline-run serve`, and in the tests of an app:
///
/// ```swift
/// let server = try StubServer(routes: [
///     StubRoute(path: "/config"),
///     StubRoute(method: "POST", path: "/login", answer: StubAnswer(status: 401)),
/// ])
/// defer { server.stop() }
/// // … run what is tested against server.baseURL
/// #expect(server.requests.map(\.target) == ["/config"])
/// ```
///
/// A server that is told to breaks the answer to one request, so that an app can see what its
/// start-up does then: `StubServer(routes: routes, breaking: [3: .drop])` closes the connection
/// instead of answering the third request.
///
/// Of the routes whose path matches a request, the one with the most fixed octets is meant. Several
/// routes of that method and path answer in turn, in their order here, and start over after the
/// last. `HEAD` is answered as `GET` would be unless it has a route of its own. A path that no
/// route answers gives 404, and 405 when the path has other methods; both say in JSON which routes
/// there are. Requests may come pipelined, with content of up to 64 MiB. One thread serves up to
/// 1,024 connections.
///
/// All members may be used from any thread.
public final class StubServer: Sendable {
    /// The port on 127.0.0.1 that the server listens on.
    public let port: Int

    private let log: RequestLog
    private let running: Mutex<Running?>

    private struct Running {
        let thread: PosixThread
        let stopSignal: Socket
    }

    /// Binds to 127.0.0.1 and begins to serve at once.
    ///
    /// - Parameters:
    ///   - routes: The examples, in the order they take turns in.
    ///   - faults: What goes wrong with the first request that is received whole, the second and so
    ///     on, from 1 on.
    ///   - port: The port to listen on; 0, the default, takes one that is free.
    ///   - keepsRequests: Whether ``requests`` is kept, the default. A server that runs for long
    ///     passes `false`, since what is kept grows with each request.
    /// - Throws: ``StubError`` with ``StubError/Code/cannotListen`` when the port is taken or not
    ///   within 0 to 65535, or the system has no descriptor or thread left.
    public convenience init(
        routes: [StubRoute], breaking faults: [Int: StubFault] = [:], port: Int = 0,
        keepsRequests: Bool = true
    ) throws(StubError) {
        try self.init(
            routes: routes, faults: .numbered(faults), port: port, keepsRequests: keepsRequests)
    }

    init(
        routes: [StubRoute], faults: [FaultPlace: StubFault] = [:], port: Int = 0,
        keepsRequests: Bool = true, connectionLimit: Int = 1_024
    ) throws(StubError) {
        guard let number = UInt16(exactly: port) else {
            throw StubError(.cannotListen, "expected a port from 0 to 65535, found \(port)")
        }
        let listener = try Socket.listening(onPort: number)
        guard let (stopSignal, stopReceiver) = Socket.pair() else {
            throw StubError(.cannotListen, "the system has no descriptor left for the server")
        }
        let log = RequestLog()
        let router = Router(routes)
        let thread = PosixThread {
            var loop = ServerLoop(
                listener: listener,
                stopSignal: stopReceiver,
                responder: Responder(
                    router: router, faults: faults, log: keepsRequests ? log : nil),
                connectionLimit: connectionLimit
            )
            loop.run()
        }
        guard let thread else {
            throw StubError(.cannotListen, "the system has no thread left for the server")
        }
        self.port = listener.port
        self.log = log
        self.running = Mutex(Running(thread: thread, stopSignal: stopSignal))
    }

    deinit {
        stop()
    }

    /// The address to put before the paths: `http://127.0.0.1:` and the port.
    public var baseURL: String { "http://127.0.0.1:\(port)" }

    /// The requests that were received whole, in order of receipt, whatever they were answered.
    ///
    /// A request is here before its answer is sent, and before the answer's delay. One whose head
    /// or content never came whole is not. Empty when `keepsRequests` was `false`.
    public var requests: [StubRequest] { log.requests }

    /// Ends all connections, frees the port and waits for the server's thread, which takes no time.
    ///
    /// May be called any number of times; every call returns after the end. A server that is not
    /// referenced any more stops by itself.
    public func stop() {
        // Joined under the lock so that a second call does not return early. The server's thread
        // never takes this lock.
        running.withLock { running in
            guard let ended = running.take() else { return }
            _ = ended.stopSignal.write([0])
            ended.thread.join()
        }
    }
}
