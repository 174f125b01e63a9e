import PipelineCore
import Synchronization

/// One connection of a server, used by its script.
public final class Connection: Sendable {
    /// Which connection of its server it is, counted from 1.
    public let number: Int

    private struct State {
        var isClosed = false
        /// Bytes that came after the request read last.
        var unread: [UInt8] = []
    }

    private let socket: Socket
    private let log: RequestLog
    private let state = Mutex(State())

    init(_ socket: Socket, number: Int, log: RequestLog) {
        self.socket = socket
        self.number = number
        self.log = log
    }

    /// Waits for a whole request; `nil` when the peer closes, breaks the rules or sends nothing.
    public func readRequest() -> ReceivedRequest? {
        guard var request = readHead() else { return nil }
        guard readBody(of: &request) else { return nil }
        log.append(request)
        return request
    }

    /// Waits for a head and leaves the content unread, and the request unrecorded.
    public func readHead() -> ReceivedRequest? {
        guard let head = read(through: "\r\n\r\n") else { return nil }
        return ReceivedRequest(head: head, connection: number)
    }

    /// Waits for the content that the head announces, and puts it into the request.
    public func readBody(of request: inout ReceivedRequest) -> Bool {
        if let length = request.fields["Content-Length"].flatMap({ Int($0) }) {
            guard let body = read(length) else { return false }
            request.body = body
        } else if request.fields["Transfer-Encoding"] == "chunked" {
            guard let body = readChunks() else { return false }
            request.body = body
        }
        return true
    }

    /// Sends these bytes; returns whether the connection still took them.
    @discardableResult
    public func send(_ bytes: [UInt8]) -> Bool {
        socket.send(bytes)
    }

    /// Sends this text; returns whether the connection still took it.
    @discardableResult
    public func send(_ text: String) -> Bool {
        send(Array(text.utf8))
    }

    /// Waits that long, less when the peer sends or closes: a pause between two parts of an answer.
    public func pause(milliseconds: Int) {
        socket.waitForInput(milliseconds: milliseconds)
    }

    /// Waits until the peer has closed, and drops what it sends until then.
    public func waitForPeerClose() {
        while !socket.receive().isEmpty {}
    }

    /// Reads nothing, and waits until the peer breaks off or the server is stopped.
    public func waitUntilStopped() {
        socket.waitForHangUp()
    }

    /// Closes the connection in order.
    public func close() {
        let wasOpen = state.withLock { state in
            defer { state.isClosed = true }
            return !state.isClosed
        }
        if wasOpen {
            socket.close()
        }
    }

    /// Breaks the connection off: the peer sees a reset.
    public func reset() {
        socket.setResetOnClose()
        close()
    }

    /// Ends whatever the script waits for.
    func interrupt() {
        // With the lock held, so that the descriptor is not yet another file's.
        state.withLock { state in
            if !state.isClosed {
                socket.shutDown()
            }
        }
    }

    private func readChunks() -> [UInt8]? {
        var body: [UInt8] = []
        while let line = read(through: "\r\n") {
            let digits = String(decoding: line.dropLast(2), as: UTF8.self)
            guard let size = Int(digits, radix: 16) else { return nil }
            if size == 0 {
                return read(through: "\r\n") == nil ? nil : body
            }
            guard let chunk = read(size + 2) else { return nil }
            body += chunk.dropLast(2)
        }
        return nil
    }

    private func read(_ count: Int) -> [UInt8]? {
        read { $0.count >= count ? count : nil }
    }

    private func read(through end: String) -> [UInt8]? {
        let end = Array(end.utf8)
        return read { bytes in
            guard bytes.count >= end.count else { return nil }
            let place = (0...(bytes.count - end.count)).first { bytes[$0...].starts(with: end) }
            return place.map { $0 + end.count }
        }
    }

    /// Reads until `size` says how many bytes belong together.
    private func read(until size: ([UInt8]) -> Int?) -> [UInt8]? {
        var bytes = state.withLock { state in
            defer { state.unread = [] }
            return state.unread
        }
        while true {
            if let count = size(bytes) {
                let rest = Array(bytes[count...])
                state.withLock { $0.unread = rest }
                return Array(bytes[..<count])
            }
            let more = socket.receive()
            guard !more.isEmpty else { return nil }
            bytes += more
        }
    }
}
