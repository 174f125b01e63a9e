import TestSupport
import Testing

@testable import PipelineCore

@Suite("Files that were not meant well")
struct HostileFileTests {
    private static let seedText = """
        { "name": "x", "baseURL": "{{API}}", "variables": { "API": "stub:", "u": [1, {"a": "{{v}}"}],
          "v": null }, "secrets": ["password"], "deadline": "1m30s",
          "defaults": { "headers": { "A": ["1", "{{u}}"] }, "auth": { "bearer": "{{password}}" } },
          "requests": [{ "name": "a", "url": "/a/{{v}}?x", "query": { "q": [1, true, "{{$uuid}}"] },
            "body": { "json": { "k": ["\\u007b{", "\\\\{{x}}"] } }, "timeout": null,
            "expect": { "status": ["2xx", 404], "json": { "$.a[0]['b']": { "eq": {} } } },
            "captures": { "t": { "json": "$..", "secret": true, "default": 1 } },
            "example": { "status": 200, "body": { "base64": "AAEC" }, "delay": "1ms" } }],
          "finally": [{ "url": "{{t}}", "enabled": false }] }
        """

    @Test("Mutated files load or are refused with places, and never crash", .timeLimit(.minutes(2)))
    func mutations() {
        var generator = SeededGenerator(seed: printedSeed("pipeline mutations"))
        let original = Array(Self.seedText.utf8)
        for _ in 0..<3_000 {
            var bytes = original
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                let place = Int.random(in: 0..<bytes.count, using: &generator)
                switch Int.random(in: 0..<4, using: &generator) {
                case 0: bytes[place] = UInt8.random(in: 0...255, using: &generator)
                case 1: bytes.remove(at: place)
                case 2: bytes.insert(bytes.randomElement(using: &generator) ?? 0, at: place)
                default:
                    let end = min(bytes.count, place + Int.random(in: 1...40, using: &generator))
                    bytes.insert(contentsOf: bytes[place..<end], at: place)
                }
            }
            do throws(PipelineError) {
                _ = try Pipeline(parsing: bytes, name: "m.json").bind(environment: { _ in "" })
            } catch {
                #expect(!error.diagnostics.isEmpty)
                #expect(error.diagnostics.allSatisfy { $0.location.hasPrefix("m.json:") })
            }
        }
    }

    @Test(
        "O23: values nested 998 deep go through body, variables and templates",
        .timeLimit(.minutes(1)))
    func depth() async throws {
        let deep =
            String(repeating: "[", count: 990) + "\"{{x}}\"" + String(repeating: "]", count: 990)
        let text = file(
            #"{ "url": "/", "body": { "json": \#(deep) }, "expect": { "json": { "$": \#(deep) } } }"#,
            keys: #""variables": { "x": 1, "deep": \#(deep) },"#)
        let body = deep.replacing("\"{{x}}\"", with: "1")
        let transport = ScriptedTransport { _ in .respond(body: body) }
        let result = try await load(text).run(transport: transport)
        #expect(result.isSuccess)
        #expect(transport.requests[0].body == .bytes(Array(body.utf8)))
    }

    @Test func `O23: a value that would become too deep by putting another one in is an error`()
        async throws
    {
        let deep =
            String(repeating: "[", count: 600) + "\"{{x}}\"" + String(repeating: "]", count: 600)
        let inner = String(repeating: "[", count: 600) + String(repeating: "]", count: 600)
        let text = file(
            #"{ "url": "/", "expect": { "json": { "$": \#(deep) } } }"#,
            keys: #""variables": { "x": \#(inner) },"#)
        let transport = ScriptedTransport { _ in .respond(body: "[]") }
        let result = try await load(text).run(transport: transport)
        #expect(result.requests[0].error?.code == .invalidRequest)
        #expect(result.requests[0].error?.message.contains("1000") ?? false)
    }

    @Test func `a file nested beyond the limit is refused with its place`() {
        let text = String(repeating: "[", count: 100_000)
        #expect(problems(text).count == 1)
        #expect(problems(text)[0].hasPrefix("1:1001"))
    }
}
