/// The one thread's work: waits for all sockets at once, so no peer can hold up another.
struct ServerLoop {
    private let listener: Socket
    private let stopSignal: Socket
    private let responder: Responder
    private let connectionLimit: Int
    private var clients: [Client] = []
    private var poller = Poller()
    private var buffer = [UInt8](repeating: 0, count: 64 << 10)
    /// When to try again to take connections, after there was no room for one.
    private var acceptsAgain: ContinuousClock.Instant?

    /// Connections that cannot be taken leave the listener readable: without a pause the loop would
    /// turn for nothing.
    private static let pause = Duration.milliseconds(50)

    init(listener: Socket, stopSignal: Socket, responder: Responder, connectionLimit: Int) {
        self.listener = listener
        self.stopSignal = stopSignal
        self.responder = responder
        self.connectionLimit = connectionLimit
    }

    /// Serves until a byte comes over the stop signal, then leaves all sockets to be closed.
    ///
    /// Ends as well when the listener is broken, which would be told again and again.
    mutating func run() {
        while waitForEvents(), !poller[0].isAny, !poller[1].isBroken {
            let now = ContinuousClock.now
            for index in clients.indices {
                clients[index].handle(poller[index + 2], now, responder, &buffer)
            }
            clients.removeAll { !$0.isOpen }
            if poller[1].isReadable { accept(now) }
        }
    }

    private mutating func waitForEvents() -> Bool {
        let now = ContinuousClock.now
        if let instant = acceptsAgain, now >= instant { acceptsAgain = nil }
        poller.removeAll()
        poller.add(stopSignal, input: true, output: false)
        poller.add(listener, input: acceptsAgain == nil, output: false)
        var deadline = acceptsAgain
        for client in clients {
            client.addInterest(to: &poller)
            if let instant = client.connection.deadline {
                deadline = min(deadline ?? instant, instant)
            }
        }
        return poller.wait(deadline.map { now.duration(to: $0) })
    }

    /// Takes one connection; if more are waiting, the next round takes the next.
    private mutating func accept(_ now: ContinuousClock.Instant) {
        if clients.count < connectionLimit || closeOldestReader() {
            switch listener.acceptConnection() {
            case .connection(let socket): clients.append(Client(socket))
            case .nothing: break
            case .exhausted: acceptsAgain = now + Self.pause
            }
        } else {
            acceptsAgain = now + Self.pause
        }
    }

    /// Makes room at the cost of the connection that has been open longest without being owed an
    /// answer, as a server may at any time (RFC 9112, section 9.5).
    private mutating func closeOldestReader() -> Bool {
        guard let index = clients.firstIndex(where: \.connection.isReading) else { return false }
        clients.remove(at: index)
        return true
    }
}
