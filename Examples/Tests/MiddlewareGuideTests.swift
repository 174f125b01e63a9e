import PipelineCore
import PipelineFoundation
import PipelineJSON
import PipelineStub
import TestSupport
import Testing

/// What the articles show of middleware, as functions that run.
@Suite("The middleware of the articles", .timeLimit(.minutes(1)))
struct MiddlewareGuideTests {
    @Test("adds what every request needs")
    func middleware() async throws {
        let server = try StubServer(
            ("POST", "/token", StubAnswer(body: Array("b1946ac9".utf8))),
            ("GET", "/me", StubAnswer()))
        defer { server.stop() }
        let api = server.baseURL
        let lines = Locked<[String]>([])
        let log: @Sendable (String) -> Void = { line in lines.change { $0.append(line) } }
        // snippet: use-middleware
        let authorization = TokenAuthorization(for: try HTTPURL(api)) { next in
            // Once, whatever the number of requests that wait for the token.
            let response = try await next(.post("\(api)/token", form: ["key": "secret"])).collect()
            return String(decoding: response.body, as: UTF8.self)
        }
        let transport = URLSessionTransport().using([
            ExchangeLog { log($0) }, ClientVersion(), authorization,
        ])
        let response = try await RequestQueue(transport: transport).perform(.get("\(api)/me"))
        // end
        #expect(response.status == 200)
        #expect(server.requests.last?.fields["X-Client-Version"] == "4.2")
        #expect(server.requests.last?.fields["Authorization"] == "Bearer b1946ac9")
        #expect(lines.value.first?.hasPrefix("GET \(api)/me: 200, 0 bytes") == true)
    }

    @Test("counts and signs what is sent")
    func countedAndSigned() async throws {
        let server = try StubServer(("POST", "/orders", StubAnswer(body: Array("ok".utf8))))
        defer { server.stop() }
        let api = server.baseURL
        let bytes = Locked<[Int?]>([])
        let count: @Sendable (Int?) -> Void = { size in bytes.change { $0.append(size) } }
        let sign: @Sendable ([UInt8]) -> String = { text in "\(text.count)" }
        // snippet: use-metrics-and-signing
        let transport = URLSessionTransport().using([
            Metrics { url, result in count(try? result.get().wireBodySize) },
            Signing(origin: try HTTPURL(api), signature: sign),
        ])
        let queue = RequestQueue(transport: transport)
        _ = try await queue.perform(.post("\(api)/orders", text: "one"))
        // end
        #expect(server.requests.first?.fields["X-Signature"] == "\("POST /orders\none".count)")
        server.stop()
        _ = try? await queue.perform(.get("http://127.0.0.1:\(server.port)/orders"))
        #expect(bytes.value == [2, nil])
    }
}

// snippet: middleware
struct ClientVersion: Middleware {
    func intercept(_ request: HTTPRequest, next: Next) async throws -> IncomingResponse {
        var request = request
        request.fields["X-Client-Version"] = "4.2"
        return try await next(request)
    }
}
// end

// snippet: metrics-and-signing
/// Tells what each exchange has cost, or why it failed.
struct Metrics: Middleware {
    let record: @Sendable (HTTPURL, Result<ExchangeMetrics, TransportError>) -> Void

    func intercept(_ request: HTTPRequest, next: Next) async throws -> IncomingResponse {
        do {
            let response = try await next(request)
            response.onEnd { result in record(request.url, result) }  // with its body
            return response
        } catch {
            record(request.url, .failure(error))
            throw error
        }
    }
}

/// Signs what goes to one server, body included.
struct Signing: Middleware {
    let origin: HTTPURL
    let signature: @Sendable ([UInt8]) -> String

    func intercept(_ request: HTTPRequest, next: Next) async throws -> IncomingResponse {
        // A redirect may lead elsewhere, where nobody is to see a signature.
        guard
            (request.url.scheme, request.url.host, request.url.port)
                == (origin.scheme, origin.host, origin.port)
        else { return try await next(request) }
        var request = request
        var text = Array("\(request.method) \(request.url.target)\n".utf8)
        if case .bytes(let body) = request.body { text += body }
        request.fields["X-Signature"] = signature(text)
        return try await next(request)
    }
}
// end
