/// An address of the loopback interface where connecting takes forever.
///
/// Its queue of connections is full, and nobody accepts any. On systems that refuse connections
/// then, instead of keeping them waiting, it is of no use: the first attempt fails at once.
public final class SilentListener: Sendable {
    /// The port, chosen by the system.
    public let port: Int
    private let listener: Socket
    private let queued: [Socket]

    /// Starts to listen and fills the queue.
    public init() throws {
        let listener = try Socket.listening(.ipv4, backlog: 0)
        self.listener = listener
        port = listener.localPort
        queued = [Socket.connected(to: listener.localPort, .ipv4)].compactMap(\.self)
    }

    deinit {
        for socket in queued + [listener] {
            socket.close()
        }
    }

    /// The address of a path that nobody will ever answer for.
    public var url: String { "http://127.0.0.1:\(port)/" }
}
