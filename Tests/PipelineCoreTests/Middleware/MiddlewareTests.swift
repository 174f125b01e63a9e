import PipelineJSON
import TestSupport
import Testing

@testable import PipelineCore

@Suite("Middleware", .timeLimit(.minutes(1)))
struct MiddlewareTests {
    /// Adds a header, and notes what it sees.
    private struct Note: Middleware {
        let name: String
        let log: Locked<[String]>

        func intercept(_ request: HTTPRequest, next: Next) async throws -> IncomingResponse {
            log.change { $0.append("\(name) sends") }
            var request = request
            request.fields.append(HTTPField(name: "Via", value: name))
            let response = try await next(request)
            log.change { $0.append("\(name) has \(response.head.status)") }
            return response
        }
    }

    private struct Failing: Middleware {
        let error: any Error

        func intercept(_ request: HTTPRequest, next: Next) async throws -> IncomingResponse {
            throw error
        }
    }

    private struct Problem: Error {}

    /// Waits before it sends on what came.
    private struct Hesitating: Middleware {
        let yields: Int

        func intercept(_ request: HTTPRequest, next: Next) async throws -> IncomingResponse {
            let response = try await next(request)
            for _ in 0..<yields { await Task.yield() }
            return response
        }
    }

    /// Brings a body in pieces from a thread of its own, as long as it is wanted.
    private struct Pieces: Transport {
        let count: Int
        let cancelled = Gate()

        func start(_ request: HTTPRequest, receiver: any ResponseReceiver) -> any Exchange {
            Task.detached {
                receiver.receiveHead(HTTPResponse.Head(status: 200))
                for number in 0..<count {
                    guard receiver.receiveBody([UInt8(number % 256)].span.bytes) else {
                        return receiver.finish(.failure(TransportError(.refusedByReceiver, "no")))
                    }
                    if number % 50 == 0 { await Task.yield() }
                }
                receiver.finish(.success(ExchangeMetrics()))
            }
            return Cancelling(gate: cancelled)
        }
    }

    private struct Cancelling: Exchange {
        let gate: Gate

        func cancel() { gate.open() }
    }

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

    /// Sends its request again, whatever came.
    private struct Twice: Middleware {
        func intercept(_ request: HTTPRequest, next: Next) async throws -> IncomingResponse {
            _ = try? await next(request)
            return try await next(request)
        }
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

    /// The ways in which an app may have the same three requests sent.
    enum Way: CaseIterable {
        case pipeline, completions, waiting

        func send(through transport: any Transport) async throws -> [RequestError.Code?] {
            let targets = ["/a", "/b", "/c"]
            let records = try targets.map {
                RequestRecord(request: try .get("http://test\($0)"))
            }
            let queue = RequestQueue(transport: transport)
            switch self {
            case .pipeline:
                let pipeline = try load(
                    file(#"{"url": "/a"}"#, #"{"url": "/b"}"#, #"{"url": "/c"}"#))
                let result = try await pipeline.run(transport: transport)
                return result.requests.map(\.error?.code)
            case .completions:
                let ended = Locked(0)
                for record in records {
                    queue.enqueue(record) { _ in ended.change { $0 += 1 } }
                }
                for record in records { try await record.waitUntilEnded() }
                #expect(ended.value == 3)
                return records.map(\.error?.code)
            case .waiting:
                var codes: [RequestError.Code?] = []
                for record in records {
                    do {
                        _ = try await queue.perform(record)
                        codes.append(nil)
                    } catch {
                        codes.append(error.code)
                    }
                }
                return codes
            }
        }
    }

    @Test("does the same whether a pipeline or a queue sends", arguments: Way.allCases)
    func everywhere(_ way: Way) async throws {
        let (notes, lines) = (Locked<[String]>([]), Locked<[String]>([]))
        let inner = ScriptedTransport { request in
            switch (request.url.target, request.fields["Authorization"]) {
            case ("/token", _): .respond(body: "new")
            case ("/c", _): .respond(status: 500)
            case (_, "Bearer new"): .respond()
            default: .respond(status: 401)
            }
        }
        let authorization = TokenAuthorization(for: request.url, token: "old") { next in
            String(
                decoding: try await next(.get("http://test/token")).collect().body, as: UTF8.self)
        }
        let log = ExchangeLog { line in
            lines.change { $0.append(String(line.prefix { $0 != "," })) }
        }
        let transport = inner.using([log, Note(name: "one", log: notes), authorization])
        #expect(try await way.send(through: transport) == [nil, nil, .expectation])
        #expect(
            lines.value == [
                "GET http://test/a: 200", "GET http://test/b: 200", "GET http://test/c: 500",
            ])
        #expect(
            notes.value == [
                "one sends", "one has 200", "one sends", "one has 200", "one sends", "one has 500",
            ])
        let sent = inner.requests.map { request in
            let token = request.fields["Authorization"] ?? "-"
            return "\(request.url.target) \(token) \(request.fields.values(of: "Via").count)"
        }
        #expect(
            sent == [
                "/a Bearer old 1", "/token - 0", "/a Bearer new 1", "/b Bearer new 1",
                "/c Bearer new 1",
            ])
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

    @Test(
        "passes a body on whole and in order, however late it decides", arguments: [0, 1, 20, 500])
    func pieces(_ yields: Int) async throws {
        let expected = (0..<2_000).map { UInt8($0 % 256) }
        for _ in 0..<20 {
            let transport = Pieces(count: 2_000).using([Hesitating(yields: yields)])
            let record = await transport.record(request)
            #expect(record.body == expected)
            #expect(record.heads.count == 1)
            #expect(record.results.count == 1)
            #expect(record.error == nil)
        }
    }

    @Test("ends the exchange when the receiver wants no more", arguments: [0, 500])
    func refused(_ yields: Int) async throws {
        let recorder = Recorder(onBody: { $0 < 10 })
        let transport = Pieces(count: 2_000).using([Hesitating(yields: yields)])
        let exchange = transport.start(request, receiver: recorder)
        let record = await recorder.finished()
        #expect(record.error?.code == .refusedByReceiver)
        #expect(record.body.count == 10)
        withExtendedLifetime(exchange) {}
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

    @Test("is cancelled at once before a response, whatever it waits for")
    func cancelled() async throws {
        struct Stuck: Middleware {
            let begun: Gate
            let gate: Gate

            func intercept(_ request: HTTPRequest, next: Next) async throws -> IncomingResponse {
                begun.open()
                // Deaf to cancellation.
                await Task { await gate.wait() }.value
                return try await next(request)
            }
        }
        let (begun, gate) = (Gate(), Gate())
        let inner = ScriptedTransport { _ in .respond() }
        let recorder = Recorder()
        let exchange = inner.using([Stuck(begun: begun, gate: gate)])
            .start(request, receiver: recorder)
        await begun.wait()
        exchange.cancel()
        exchange.cancel()
        #expect(recorder.record.results.count == 1)
        #expect(recorder.record.error?.code == .cancelled)
        gate.open()
        for _ in 0..<100 { await Task.yield() }
        #expect(recorder.record.results.count == 1)
        #expect(inner.requests.isEmpty)
    }

    @Test("cancels the exchange that its request has led to")
    func cancelledInFlight() async throws {
        let inner = Endless(hasHead: false)
        let recorder = Recorder()
        let exchange = inner.using([Hesitating(yields: 0), Hesitating(yields: 0)])
            .start(request, receiver: recorder)
        await inner.begun.wait()
        exchange.cancel()
        #expect(recorder.record.error?.code == .cancelled)
        await inner.cancelled.wait()
    }

    @Test("cancels with the exchange also what it has begun and dropped")
    func cancelledDropped() async throws {
        /// Drops a response whose body never ends, and waits.
        struct Dropping: Middleware {
            let hasDropped = Gate()
            let gate = Gate()

            func intercept(_ request: HTTPRequest, next: Next) async throws -> IncomingResponse {
                _ = try await next(request)
                hasDropped.open()
                await Task { await gate.wait() }.value
                throw CancellationError()
            }
        }
        let endless = Endless()
        let middleware = Dropping()
        let recorder = Recorder()
        let exchange = endless.using([middleware]).start(request, receiver: recorder)
        await middleware.hasDropped.wait()
        exchange.cancel()
        await endless.cancelled.wait()
        #expect(recorder.record.error?.code == .cancelled)
        middleware.gate.open()
    }

    /// Brings a head, if any, and then nothing more.
    private struct Endless: Transport, Exchange {
        var hasHead = true
        let begun = Gate()
        let cancelled = Gate()

        func start(_ request: HTTPRequest, receiver: any ResponseReceiver) -> any Exchange {
            if hasHead { receiver.receiveHead(HTTPResponse.Head(status: 200)) }
            begun.open()
            return self
        }

        func cancel() { cancelled.open() }
    }

    @Test("has the request's timeout for all that it sends, and passes on what is left")
    func timeLeft() async throws {
        let clock = ManualClock()
        let inner = ScriptedTransport { _ in .hold }
        let transport = InterceptedTransport(inner: inner, middleware: Twice(), clock: clock)
        var request = request
        request.timeout = .seconds(5)
        let recorder = Recorder()
        _ = transport.start(request, receiver: recorder)
        try await inner.waitForRequests(count: 1)
        clock.advance(by: .seconds(3))
        inner.held[0].resume(with: .respond())
        try await inner.waitForRequests(count: 2)
        #expect(inner.requests.map(\.timeout) == [.seconds(5), .seconds(2)])
        #expect(inner.requests.map(\.timeSpent) == [.zero, .seconds(3)])
        // The transport tells first.
        clock.advance(by: .seconds(2))
        let error = TransportError(.timedOut, "timed out after 5.0 s, connecting")
        inner.held[1].resume(with: .fail(error))
        #expect(await recorder.finished().error == error)
    }

    @Test("is ended when its time is over, whatever it waits for", arguments: [false, true])
    func timedOut(hasSent: Bool) async throws {
        struct Waiting: Middleware {
            let hasSent: Bool
            let begun = Gate()
            let gate = Gate()

            func intercept(_ request: HTTPRequest, next: Next) async throws -> IncomingResponse {
                if hasSent { _ = try await next(request) }
                begun.open()
                await Task { await gate.wait() }.value
                return try await next(request)
            }
        }
        let clock = ManualClock()
        let inner = ScriptedTransport { _ in .respond() }
        let middleware = Waiting(hasSent: hasSent)
        let transport = InterceptedTransport(inner: inner, middleware: middleware, clock: clock)
        var request = request
        request.timeout = .seconds(5)
        let recorder = Recorder()
        _ = transport.start(request, receiver: recorder)
        await middleware.begun.wait()
        await clock.waitForSleepers()
        clock.advance(by: .seconds(5))
        let record = await recorder.finished()
        #expect(record.error?.code == .timedOut)
        #expect(record.error?.message == "timed out after 5.0 s, waiting for a middleware")
        #expect(record.error?.isBeforeSending == !hasSent)
        middleware.gate.open()
        for _ in 0..<100 { await Task.yield() }
        #expect(recorder.record.results.count == 1)
        #expect(inner.requests.count == (hasSent ? 1 : 0))
    }

    /// Brings a part, and the others once a gate is open.
    private struct Parts: Transport, Exchange {
        let gate = Gate()
        let begun = Locked(0)

        func start(_ request: HTTPRequest, receiver: any ResponseReceiver) -> any Exchange {
            Task.detached {
                receiver.receiveHead(HTTPResponse.Head(status: 200))
                for number in 0..<10 {
                    if number == 1 { await gate.wait() }
                    begun.change { $0 += 1 }
                    let isWanted = receiver.receiveBody([UInt8(number)].span.bytes)
                    #expect(isWanted)
                }
                receiver.finish(.success(ExchangeMetrics()))
            }
            return self
        }

        func cancel() {}
    }

    @Test("has the transport wait while a slow receiver takes what was kept")
    func slowReceiver() async throws {
        let inner = Parts()
        let recorder = Recorder(onBody: { size in
            guard size == 1 else { return true }
            inner.gate.open()
            // Time enough for a transport that does not wait.
            for _ in 0..<1_000_000 where inner.begun.value < 3 {}
            #expect(inner.begun.value < 3)
            return true
        })
        _ = inner.using([Hesitating(yields: 0)]).start(request, receiver: recorder)
        #expect(await recorder.finished().body == Array(0..<10))
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
