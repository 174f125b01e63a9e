import TestSupport
import Testing

@testable import PipelineCore

@Suite("Middleware, whatever sends", .timeLimit(.minutes(1)))
struct MiddlewareEverywhereTests {
    private let request: HTTPRequest

    init() throws {
        request = try .get("http://test/a")
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
}
