import PipelineCore
import Testing

@testable import PipelineStub

@Suite("A stub's connection, without a socket")
struct ConnectionTests {
    private let now = ContinuousClock.now
    private let responder: Responder
    private static let get = Array("GET / HTTP/1.1\r\nHost: a\r\n\r\n".utf8)

    init() throws {
        let routes: [StubRoute] = try [
            .get("/", "now"), .get("/late", "late", delay: .milliseconds(250)),
        ]
        responder = Responder(router: Router(routes), log: nil)
    }

    @Test("answers a request that comes byte by byte once its last byte has come")
    func byteByByte() {
        var connection = Connection()
        for byte in Self.get.dropLast() {
            connection.received([byte])
            #expect(connection.next(now, responder) == .wait)
        }
        connection.received(Self.get.suffix(1))
        #expect(connection.next(now, responder) == .send)
        let answer = String(decoding: connection.unsent, as: UTF8.self)
        #expect(answer == "HTTP/1.1 200 \r\nContent-Length: 3\r\n\r\nnow")
        connection.sent(5)
        #expect(connection.next(now, responder) == .send)
        #expect(connection.unsent.starts(with: "1.1 200 ".utf8))
        connection.sent(connection.unsent.count)
        #expect(connection.next(now, responder) == .wait)
        #expect(connection.isReading)
    }

    @Test("holds an answer back until its delay is over and not an instant less")
    func delay() {
        var connection = Connection()
        connection.received("GET /late HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(connection.next(now, responder) == .wait)
        #expect(connection.deadline == now + .milliseconds(250))
        #expect(connection.next(now + .milliseconds(249), responder) == .wait)
        #expect(connection.next(now + .milliseconds(250), responder) == .send)
        #expect(connection.deadline == nil)
    }

    @Test("ends a delay when the peer has closed")
    func delayEnded() {
        var connection = Connection()
        connection.received("GET /late HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(connection.next(now, responder) == .wait)
        connection.inputEnded()
        #expect(connection.next(now, responder) == .close)
    }

    @Test("after its last answer waits for the peer to close, for a second at most")
    func draining() {
        var connection = Connection()
        connection.received("nonsense\r\n")
        #expect(connection.next(now, responder) == .send)
        connection.sent(connection.unsent.count)
        #expect(connection.next(now, responder) == .endSending)
        #expect(connection.next(now, responder) == .wait)
        connection.received(Self.get[...])
        #expect(connection.next(now, responder) == .wait)
        #expect(connection.wantsInput)
        let deadline = now + .seconds(1)
        #expect(connection.deadline == deadline)
        var closed = connection
        closed.inputEnded()
        #expect(closed.next(now, responder) == .close)
        #expect(connection.next(deadline, responder) == .close)
    }

    @Test("stops reading from a peer that pipelines without taking its answers")
    func backpressure() {
        var connection = Connection()
        while connection.wantsInput {
            connection.received(Self.get[...])
            #expect(connection.next(now, responder) == .send)
        }
        #expect(connection.unsent.count < 100)
        while connection.next(now, responder) == .send { connection.sent(connection.unsent.count) }
        #expect(connection.wantsInput)
    }
}

extension Connection {
    fileprivate mutating func received(_ text: String) {
        received(Array(text.utf8)[...])
    }
}
