import PipelineJSON
import TestSupport
import Testing

@testable import PipelineCore

@Suite("A run with several requests in flight", .timeLimit(.minutes(1)))
struct ConcurrentRunTests {
    private static func text(_ concurrency: Int, _ requests: String...) -> String {
        """
        { "baseURL": "http://test", "concurrency": \(concurrency),
          "requests": [\(requests.joined(separator: ",\n"))] }
        """
    }

    @Test("Fifty requests, two at a time, in order (the first seed's case)")
    func fifty() async throws {
        let requests = (1...50).map { #"{ "url": "/\#($0)" }"# }.joined(separator: ",")
        let transport = ScriptedTransport { _ in .hold }
        let run = try load(Self.text(2, requests)).start(transport: transport)
        for count in 2...50 {
            try await transport.waitForRequests(count: count)
            #expect(transport.requests.count == count)
            transport.held[count - 2].resume(with: .respond())
        }
        transport.held[49].resume(with: .respond())
        #expect(await run.result.isSuccess)
        #expect(transport.requests.map(\.url.target) == (1...50).map { "/\($0)" })
    }

    @Test func `a request waits for the capture that it uses, and so do those behind it`()
        async throws
    {
        let transport = ScriptedTransport { _ in .hold }
        let run = try load(
            Self.text(
                3, #"{ "url": "/a", "captures": { "t": "$.t" } }"#, #"{ "url": "/{{t}}" }"#,
                #"{ "url": "/c" }"#)
        ).start(transport: transport)
        #expect(transport.requests.map(\.url.target) == ["/a"])
        transport.held[0].resume(with: .respond(body: #"{"t":"b"}"#))
        #expect(transport.requests.map(\.url.target) == ["/a", "/b", "/c"])
        for exchange in transport.held { exchange.resume(with: .respond()) }
        #expect(await run.result.isSuccess)
    }

    @Test func `a request that captures a value anew waits for those that use the older one`()
        async throws
    {
        let transport = ScriptedTransport { _ in .hold }
        let run = try load(
            Self.text(
                3, #"{ "url": "/a", "captures": { "t": "$.t" } }"#, #"{ "url": "/{{t}}" }"#,
                #"{ "url": "/c", "captures": { "t": "$.t" } }"#, #"{ "url": "/d/{{t}}" }"#)
        ).start(transport: transport)
        for (index, expected) in ["/a", "/1", "/c", "/d/2"].enumerated() {
            #expect(transport.requests.last?.url.target == expected)
            transport.held[index].resume(with: .respond(body: #"{"t":"\#(index == 0 ? 1 : 2)"}"#))
        }
        #expect(await run.result.isSuccess)
    }

    @Test func `a failure cancels those in flight, too`() async throws {
        let transport = ScriptedTransport { _ in .hold }
        let run = try load(
            Self.text(2, #"{ "url": "/a" }"#, #"{ "url": "/b" }"#, #"{ "url": "/c" }"#)
        ).start(transport: transport)
        transport.held[1].resume(with: .respond(status: 500))
        let result = await run.result
        #expect(result.requests.map(\.outcome) == [.cancelled, .failed, .cancelled])
        #expect(
            result.requests.map { $0.cancellation?.culprit?.name } == ["GET /b", nil, "GET /b"])
        #expect(transport.requests.count == 2)
    }

    @Test("Runs with random captures give the same values whatever the concurrency")
    func random() async throws {
        var generator = SeededGenerator(seed: printedSeed("captures between concurrent requests"))
        for _ in 0..<100 {
            var requests = [#"{ "url": "/0", "captures": { "a": "$", "b": "$" } }"#]
            for number in 1...12 {
                let read = ["a", "b"].randomElement(using: &generator) ?? "a"
                let write = ["a", "b", ""].randomElement(using: &generator) ?? ""
                let captures = write.isEmpty ? "" : #", "captures": { "\#(write)": "$" }"#
                requests.append(#"{ "url": "/{{\#(read)}}/\#(number)"\#(captures) }"#)
            }
            var seen: [[String]] = []
            for concurrency in [1, 2, 5] {
                // Each answers with its own address, which those that read it add to.
                let transport = ScriptedTransport { _ in .hold }
                let run = try load(Self.text(concurrency, requests.joined(separator: ",\n")))
                    .start(transport: transport)
                for count in 1...requests.count {
                    try await transport.waitForRequests(count: count)
                    let open = transport.held.filter { !$0.isOver }
                    let next = open.randomElement(using: &generator)
                    next?.resume(with: .respond(body: "\(next?.request.url.target.count ?? 0)"))
                }
                for exchange in transport.held {
                    exchange.resume(with: .respond(body: "\(exchange.request.url.target.count)"))
                }
                #expect(await run.result.isSuccess)
                seen.append(transport.requests.map(\.url.target))
            }
            #expect(seen[0] == seen[1] && seen[0] == seen[2])
        }
    }
}
