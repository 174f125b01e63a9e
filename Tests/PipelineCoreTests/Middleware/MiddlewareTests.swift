import TestSupport
import Testing

@testable import PipelineCore

@Suite("Middleware", .timeLimit(.minutes(1)))
struct MiddlewareTests {
    private struct Failing: Middleware {
        let error: any Error

        func intercept(_ request: HTTPRequest, next: Next) async throws -> IncomingResponse {
            throw error
        }
    }

    private struct Problem: Error {}

    private let request: HTTPRequest

    init() throws {
        request = try .get("http://test/a")
    }

    @Test("sees requests in the order of the list and responses in the opposite one")
    func order() async throws {
        let log = Locked<[String]>([])
        let inner = ScriptedTransport { _ in .respond(body: "text") }
        let transport = inner.using([Note(name: "one", log: log), Note(name: "two", log: log)])
        let record = await transport.record(request)
        #expect(record.bodyText == "text")
        #expect(record.results.count == 1)
        #expect(log.value == ["one sends", "two sends", "two has 200", "one has 200"])
        #expect(inner.requests.first?.fields.values(of: "Via") == ["one", "two"])
    }

    @Test("fails before sending only when nothing was sent before", arguments: [true, false])
    func failureBeforeSending(hasAnswer: Bool) async throws {
        let answers = Locked(hasAnswer ? 1 : 0)
        let refusal = TransportError(.cannotConnect, "refused", isBeforeSending: true)
        let inner = ScriptedTransport { _ in
            let isAnswered = answers.change { left in
                defer { left -= 1 }
                return left > 0
            }
            return isAnswered ? .respond(status: 401) : .fail(refusal)
        }
        let record = await inner.using([Twice()]).record(request)
        #expect(record.error?.code == .cannotConnect)
        #expect(record.error?.isBeforeSending == !hasAnswer)
    }

    @Test("ends the exchange with what it throws")
    func errors() async throws {
        let inner = ScriptedTransport { _ in .respond() }
        let given = TransportError(.tls, "not this one")
        let passed = await inner.using([Failing(error: given)]).record(request)
        #expect(passed.error == given)
        let other = await inner.using([Failing(error: Problem())]).record(request)
        #expect(other.error?.code == .other)
        #expect(other.error?.message == "Problem()")
        let cancelled = await inner.using([Failing(error: CancellationError())]).record(request)
        #expect(cancelled.error?.code == .cancelled)
        #expect(inner.requests.isEmpty)
    }

    @Test("may answer itself, and sends nothing then")
    func ownResponse() async throws {
        struct Canned: Middleware {
            func intercept(_ request: HTTPRequest, next: Next) async throws -> IncomingResponse {
                let head = HTTPResponse.Head(status: 203)
                return IncomingResponse(HTTPResponse(head: head, body: Array("own".utf8)))
            }
        }
        let inner = ScriptedTransport { _ in .respond() }
        let record = await inner.using([Canned()]).record(request)
        #expect(record.status == 203)
        #expect(record.bodyText == "own")
        #expect(inner.requests.isEmpty)
    }

    @Test("writes a log without secrets, also of what it drops")
    func log() async throws {
        let lines = Locked<[String]>([])
        let log = ExchangeLog(hiding: ["s3cr3t/key"]) { line in lines.change { $0.append(line) } }
        let inner = ScriptedTransport { request in
            request.url.target.hasPrefix("/ok")
                ? .respond(body: "12345") : .fail(TransportError(.tls, "no trust in s3cr3t/key"))
        }
        let transport = inner.using([log])
        _ = await transport.record(
            try .get("http://test/ok/s3cr3t%2Fkey", query: ["token": "abc", "page": "2"]))
        _ = await transport.record(try .post("http://test/bad?raw", fields: ["Cookie": "c"]))
        let line = try #require(lines.value.first)
        #expect(line.hasPrefix("GET http://test/ok/***?token=***&page=***: 200, 0 bytes, "))
        #expect(line.hasSuffix(" ms"))
        #expect(lines.value.last == "POST http://test/bad?***: no trust in ***")
    }
}
