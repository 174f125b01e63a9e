import PipelineCore

/// A loopback server that says exactly the bytes a test wants, right or wrong.
///
/// Each connection is served by a script on a thread of its own. Whatever a script waits for ends
/// when the server is stopped, or after ten seconds at the latest.
///
/// ```swift
/// let server = try ByteServer.answering { _ in ByteServer.http(status: 200, body: "{}") }
/// ```
public final class ByteServer: Sendable {
    /// The loopback address that a server listens on.
    public enum Family: Sendable {
        /// `127.0.0.1`
        case ipv4
        /// `::1`
        case ipv6
    }

    /// What a server does with a connection.
    public typealias Script = @Sendable (Connection) -> Void

    /// The port, chosen by the system.
    public let port: Int
    private let family: Family
    private let listener: Socket
    private let accepting: PosixThread
    private let sessions = Sessions()

    /// Starts to listen; the script runs once for each connection, which is closed at its end.
    public init(_ family: Family = .ipv4, script: @escaping Script) throws {
        self.family = family
        let listener = try Socket.listening(family)
        self.listener = listener
        port = listener.localPort
        let thread = PosixThread { [sessions] in
            while let socket = listener.accept() {
                guard sessions.begin(socket, script) else { return socket.close() }
            }
        }
        guard let thread else { throw Socket.Failure(call: "pthread_create", number: 0) }
        accepting = thread
    }

    deinit {
        stop()
    }

    /// A server that reads requests and answers each, keeping connections open.
    public static func answering(
        _ family: Family = .ipv4,
        with answer: @escaping @Sendable (ReceivedRequest) -> [UInt8]
    ) throws -> ByteServer {
        try ByteServer(family) { connection in
            while let request = connection.readRequest() {
                connection.send(answer(request))
            }
        }
    }

    /// Host and port as they stand in an address.
    public var authority: String { family == .ipv4 ? "127.0.0.1:\(port)" : "[::1]:\(port)" }

    /// The `http` address of a path on this server.
    public func url(_ path: String = "/") -> String { "http://\(authority)\(path)" }

    /// All requests read so far on all connections, in the order in which they were complete.
    public var requests: [ReceivedRequest] { sessions.log.requests }

    /// How many connections were accepted so far.
    public var connectionCount: Int { sessions.connectionCount }

    /// Waits until so many requests were read, and returns all that were.
    ///
    /// Returns fewer when the server is stopped before.
    public func waitForRequests(_ count: Int) async -> [ReceivedRequest] {
        await sessions.log.waitForRequests(count)
    }

    /// Closes everything and waits until every script has ended.
    ///
    /// May be called any number of times, but not by a script.
    public func stop() {
        guard sessions.stop() else { return }
        // Not every system ends an `accept` when its socket is closed, but each takes a connection.
        Socket.connected(to: port, family)?.close()
        accepting.join()
        listener.close()
        sessions.join()
    }
}
