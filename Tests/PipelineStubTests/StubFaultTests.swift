import PipelineCore
import Testing

@testable import PipelineStub

@Suite("Faults of a stub")
struct StubFaultTests {
    private let now = ContinuousClock.now
    private static let get = Array("GET / HTTP/1.1\r\nHost: a\r\n\r\n".utf8)[...]

    private func responder(_ faults: [FaultPlace: StubFault]) throws -> Responder {
        let routes: [StubRoute] = try [.get("/", "one"), .get("/", "two"), .get("/", "three")]
        return Responder(router: Router(routes), faults: faults, log: nil)
    }

    /// What a connection says to one more request; empty when it closes.
    private func answer(
        _ connection: inout Connection, _ responder: Responder,
        to request: ArraySlice<UInt8> = get
    ) -> String {
        connection.received(request)
        guard connection.next(now, responder) == .send else { return "" }
        defer { connection.sent(connection.unsent.count) }
        return String(decoding: connection.unsent, as: UTF8.self)
    }

    @Test("spoil the request of their number, whatever connection it comes on")
    func number() throws {
        let responder = try responder([.number(2): .status(503)])
        var (one, other) = (Connection(), Connection())
        #expect(answer(&one, responder).hasSuffix("one"))
        #expect(answer(&other, responder).hasPrefix("HTTP/1.1 503 "))
        _ = one.next(now, responder)
        #expect(answer(&one, responder).hasSuffix("three"))
    }

    @Test("close the connection without an answer, also when a client sends the request again")
    func drop() throws {
        let responder = try responder([.number(2): .drop])
        var (kept, new, next) = (Connection(), Connection(), Connection())
        #expect(answer(&kept, responder).hasSuffix("one"))
        _ = kept.next(now, responder)
        #expect(answer(&kept, responder).isEmpty)
        #expect(answer(&new, responder).isEmpty)
        #expect(answer(&next, responder).hasSuffix("three"))
    }

    @Test("drop a request once when it came first on its connection")
    func dropFirst() throws {
        let responder = try responder([.number(1): .drop])
        var (one, other) = (Connection(), Connection())
        #expect(answer(&one, responder).isEmpty)
        #expect(answer(&other, responder).hasSuffix("two"))
    }

    @Test("announce a byte that never comes")
    func cutShort() throws {
        let responder = try responder([.number(1): .cutShort])
        var connection = Connection()
        let answer = answer(&connection, responder)
        #expect(answer == "HTTP/1.1 200 \r\nContent-Length: 4\r\nConnection: close\r\n\r\none")
    }

    @Test("close the connection where there is no content to cut short")
    func cutShortWithoutContent() throws {
        let route = try StubRoute(
            method: "GET", path: StubPath("/"), answer: StubAnswer(status: 204), name: "none")
        let responder = Responder(
            router: Router([route]), faults: [.number(1): .cutShort], log: nil)
        var (one, other) = (Connection(), Connection())
        #expect(answer(&one, responder).isEmpty)
        #expect(answer(&other, responder).hasPrefix("HTTP/1.1 204 "))
    }

    @Test("do not drop a request again that no client sends again by itself")
    func dropOfPost() throws {
        let post = Array("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n".utf8)[...]
        let route = try StubRoute(
            method: "POST", path: StubPath("/"), answer: StubAnswer(), name: "post")
        let responder = Responder(router: Router([route]), faults: [.number(2): .drop], log: nil)
        var (kept, new) = (Connection(), Connection())
        #expect(answer(&kept, responder, to: post).hasPrefix("HTTP/1.1 200 "))
        _ = kept.next(now, responder)
        #expect(answer(&kept, responder, to: post).isEmpty)
        #expect(answer(&new, responder, to: post).hasPrefix("HTTP/1.1 200 "))
    }

    @Test("spoil the answer of the route of their name once, whenever its turn comes")
    func routeName() throws {
        let routes: [StubRoute] = try ["one", "two", "three"].map { name in
            let answer = StubAnswer(body: Array(name.utf8))
            return try StubRoute(
                method: "GET", path: StubPath("/"), answer: answer, name: name)
        }
        let responder = Responder(
            router: Router(routes), faults: [.route(name: "two"): .status(503)], log: nil)
        let answers = (0..<5).map { _ in
            var connection = Connection()
            return answer(&connection, responder).split(separator: "\r\n").last
        }
        #expect(answers == ["one", "Content-Length: 0", "three", "one", "two"])
    }

    @Test("hold an answer back in addition to its own delay")
    func delay() throws {
        let responder = try responder([.number(1): .delay(.seconds(60))])
        var connection = Connection()
        #expect(answer(&connection, responder).isEmpty)
        #expect(connection.deadline == now + .seconds(60))
        #expect(connection.next(now + .seconds(60), responder) == .send)
    }
}
