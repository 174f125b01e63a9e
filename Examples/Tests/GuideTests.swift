import Foundation
import PipelineCore
import PipelineCurl
import PipelineFoundation
import PipelineJSON
import PipelineStub
import TestSupport
import Testing

/// What the articles and the README show, as functions that run.
@Suite("The code of the articles", .timeLimit(.minutes(1)))
struct GuideTests {
    private let file = URL(filePath: Package.path("pipelines/home-screen.json"))

    @Test("runs a pipeline, follows its events and reads what it brought")
    func pipeline() async throws {
        let pipeline = try Pipeline(contentsOf: file)
        let server = try StubServer(answering: pipeline.bind())
        defer { server.stop() }
        let variables: [String: JSONValue] = [
            "API": .init(server.baseURL), "password": "correct horse",
        ]
        struct User: Decodable { var name: String }
        #expect(try await runPipeline().user.name == "Ada")
        #expect(try await followPipeline() == ["config", "login", "profile", "feed", "banners"])

        func runPipeline() async throws -> (user: User, pageSize: Int) {
            // snippet: run-pipeline
            let pipeline = try Pipeline(contentsOf: file)
            let result = try await pipeline.run(
                variables: variables, transport: URLSessionTransport())
            let user = try result.decode(User.self, from: "profile")
            let pageSize = try result.value("pageSize", as: Int.self)
            // end
            return (user, pageSize)
        }

        func followPipeline() async throws -> [String] {
            var shown: [String] = []
            func show(_ request: RequestResult) { shown.append(request.name) }
            // snippet: follow-pipeline
            let run = try pipeline.start(variables: variables, transport: URLSessionTransport())
            for await event in run.events {
                switch event {
                case .started(let request): show(request)
                case .failed(let request): show(request)
                case .succeeded, .cancelled, .skipped, .finished: break
                }
            }
            let result = await run.result  // every request, whatever happened
            // end
            #expect(result.isSuccess)
            return shown
        }
    }

    @Test("sends requests that are built in code") @MainActor
    func queue() async throws {
        let token = #"{"token":"b1946ac9"}"#
        let server = try StubServer(
            ("GET", "/config", StubAnswer()),
            ("POST", "/login", StubAnswer(body: Array(token.utf8))), ("GET", "/me", StubAnswer()))
        defer { server.stop() }
        let api = server.baseURL
        var shown: [String] = []
        let areShown = Gate()
        func show(_ name: String, _ state: RequestState) {
            shown.append("\(name) \(state)")
            if shown.count == 2 { areShown.open() }
        }

        // snippet: queue
        struct Session: Decodable { var token: String }

        let queue = RequestQueue(transport: URLSessionTransport())
        let login = RequestRecord(
            name: "login", request: try .post("\(api)/login", json: ["user": "ada"]))
        let profile = RequestRecord(name: "profile") {
            // Made when its turn comes, from the response before; what is thrown here fails it.
            let token = try login.decode(Session.self).token
            return try .get("\(api)/me", fields: ["Authorization": "Bearer \(token)"])
        }
        for record in [login, profile] {
            queue.enqueue(record) { state, result in  // on the main actor, exactly once
                show(record.name, state)
            }
        }
        let config = try await queue.perform(.get("\(api)/config"))
        // end
        #expect(config.status == 200)
        #expect(server.requests.map(\.target) == ["/login", "/me", "/config"])
        #expect(server.requests[1].fields["Authorization"] == "Bearer b1946ac9")

        // snippet: queue-controls
        queue.suspend()  // starts nothing more; what is in flight goes on
        queue.resume()
        queue.cancelAll()  // a suspended queue stays suspended
        queue.reset()  // cancels everything left, and the queue is as new
        // end
        await areShown.wait()
        #expect(shown == ["login success", "profile success"])
    }

    @Test("cancels everything left when a request fails")
    func failFast() async throws {
        let transport = ScriptedTransport { request in
            request.url.target == "/session" ? .respond(status: 401) : .respond()
        }
        // snippet: what-failed
        let queue = RequestQueue(transport: transport)
        let records = try ["config", "session", "news"].map { (name: String) in
            RequestRecord(name: name, request: try .get("https://example.com/\(name)"))
        }
        queue.enqueue(records)
        for record in records { try await record.waitUntilEnded() }
        let lines = records.map { record in
            "\(record.name): \(record.state), \(record.cancellation?.description ?? "not cancelled")"
        }
        // end
        #expect(
            lines == [
                "config: success, not cancelled", "session: failed, not cancelled",
                "news: new, cancelled by session",
            ])
    }

    @Test("lets requests be operations of a queue that stops at the first failure")
    func operations() async throws {
        let transport = ScriptedTransport { request in
            request.url.target == "/session" ? .respond(status: 401) : .respond()
        }
        let config = RequestRecord(name: "config", request: try .get("http://test/config"))
        let session = RequestRecord(name: "session", request: try .get("http://test/session"))
        let saved = Locked(false)
        let save: @Sendable () -> Void = { saved.change { $0 = true } }
        // snippet: fail-fast-operations
        let queue = FailFastOperationQueue()
        queue.isSuspended = true  // until all are there: a failure cancels what it finds
        queue.addOperation(RequestOperation(config, transport: transport))
        queue.addOperation(
            RequestOperation(session, transport: transport) { state, result in
                // Told before anything else is cancelled.
            })
        queue.addOperation { save() }  // an app's own; does not happen when a request fails
        queue.isSuspended = false
        // end
        try await session.waitUntilEnded()
        await withCheckedContinuation { ended in queue.addBarrierBlock { ended.resume() } }
        #expect(config.state == .success)
        #expect(session.state == .failed)
        #expect(!saved.value)
    }

    @Test("downloads to a file, and what did not change only once")
    func download() async throws {
        let folder = try TemporaryFolder()
        let caches = folder.path
        let image = StubAnswer(fields: ["Cache-Control": "max-age=60"], body: Array("image".utf8))
        let server = try StubServer(("GET", "/a.png", image))
        defer { server.stop() }
        let fractions = Locked<[Double]>([])
        let show: @Sendable (Double) -> Void = { value in fractions.change { $0.append(value) } }
        for _ in 1...2 {
            // snippet: download
            let cache = try ResponseCache.disk(folder: "\(caches)/responses")
            let downloader = Downloader(
                transport: CachingTransport(URLSessionTransport(), cache: cache, user: nil))
            let url = try HTTPURL("\(server.baseURL)/a.png")
            let image = try await downloader.download(url, to: .file("\(caches)/a.png")) {
                received, expected in
                if let expected { show(Double(received) / Double(expected)) }
            }
            // end
            #expect(image.response.savedBody?.size == 5)
        }
        #expect(server.requests.count == 1)
        #expect(fractions.value.last == 1)
    }

    @Test("answers without a network, and breaks what it is told to")
    func scripted() async throws {
        // snippet: scripted-transport
        // The second request loses its connection; every other one is answered.
        let transport = ScriptedTransport(breaking: [2: .drop]) { request in
            request.url.target == "/config" ? .respond(body: #"{"version":3}"#) : .respond()
        }
        let queue = RequestQueue(transport: transport)
        let config = try await queue.perform(.get("https://example.com/config"))
        let error = await #expect(throws: RequestError.self) {
            try await queue.perform(.get("https://example.com/profile"))
        }
        #expect(config.status == 200)
        #expect(error?.transportError?.code == .connectionLost)
        // end
    }

    @Test("keeps a request waiting, and then fails it")
    func held() async throws {
        // snippet: hold-request
        let transport = ScriptedTransport { _ in .hold }
        let config = RequestRecord(request: try .get("https://example.com/config"))
        let queue = RequestQueue(transport: transport)
        queue.enqueue([config])
        try await transport.waitForHeld(count: 1)
        #expect(config.state == .start)  // and what the app shows meanwhile
        transport.held[0].resume(with: .respond(status: 503))
        try await config.waitUntilEnded()
        #expect(config.state == .failed)
        // end
    }

    @Test("breaks a request over real HTTP")
    func stub() async throws {
        // snippet: stub-server
        let inputs = try Pipeline(contentsOf: file).bind()
        let server = try StubServer(answering: inputs, breaking: [3: .cutShort])
        defer { server.stop() }
        let result = try await inputs.replacingBaseURL(server.baseURL)
            .run(transport: CurlTransport())
        #expect(result["profile"]?.error?.transportError?.code == .bodyCutShort)
        #expect(result["feed"]?.outcome == .cancelled)
        // end
    }

    @Test("writes a transport")
    func transport() async throws {
        // snippet: use-transport
        let queue = RequestQueue(transport: Canned(body: "{}"))
        let response = try await queue.perform(.get("https://example.com/config"))
        #expect(response.body == Array("{}".utf8))
        // end
    }
}

// snippet: transport
/// Answers every request with the same body.
struct Canned: Transport, Exchange {
    var body: String

    func start(_ request: HTTPRequest, receiver: any ResponseReceiver) -> any Exchange {
        receiver.receiveHead(HTTPResponse.Head(status: 200))
        if receiver.receiveBody(Array(body.utf8).span.bytes) {
            receiver.finish(.success(ExchangeMetrics()))
        } else {
            receiver.finish(.failure(TransportError(.refusedByReceiver, "no more was wanted")))
        }
        return self
    }

    /// Too late: the exchange has ended before anybody could cancel it.
    func cancel() {}
}
// end
