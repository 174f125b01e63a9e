/// A connection with its socket: performs what the connection asks for.
struct Client {
    private(set) var connection = Connection()
    /// Whether the connection goes on; once `false`, this value is to be dropped.
    private(set) var isOpen = true
    private let socket: Socket

    init(_ socket: Socket) {
        self.socket = socket
    }

    func addInterest(to poller: inout Poller) {
        poller.add(socket, input: connection.wantsInput, output: !connection.unsent.isEmpty)
    }

    /// Reads what has come, then does all that can be done without waiting.
    mutating func handle(
        _ readiness: Poller.Readiness, _ now: ContinuousClock.Instant, _ responder: Responder,
        _ buffer: inout [UInt8]
    ) {
        guard readiness.isAny || connection.deadline.map({ now >= $0 }) == true else { return }
        // A hang-up without interest in input would be told again and again: there is no one left
        // to answer.
        isOpen = !readiness.isBroken && (!readiness.isHungUp || connection.wantsInput)
        if isOpen, readiness.isReadable || readiness.isHungUp { receive(&buffer) }
        while isOpen {
            switch connection.next(now, responder) {
            case .wait:
                return
            case .send:
                guard let count = socket.write(connection.unsent) else { break }
                if count == 0 { return }
                connection.sent(count)
                continue
            case .endSending:
                socket.endSending()
                continue
            case .close:
                break
            }
            isOpen = false
        }
    }

    private mutating func receive(_ buffer: inout [UInt8]) {
        switch socket.read(into: &buffer) {
        case .bytes(let count): connection.received(buffer[..<count])
        case .end: connection.inputEnded()
        case .nothing: break
        case .failed: isOpen = false
        }
    }
}
