import PipelineCore
import TestSupport
import Testing

@Suite("Policies under random input")
struct RandomPolicyTests {
    @Test
    func `O08: no chain of redirects takes a credential to a foreign origin`() throws {
        let seed = printedSeed("redirect chains")
        var generator = SeededGenerator(seed: seed)
        let confidential: Set = ["authorization", "cookie", "proxy-authorization", "x-key"]
        for _ in 0..<500 {
            let original = try request(&generator)
            let home = Origin(original.url)
            let limit = Int.random(in: 0...12, using: &generator)
            var chain = RedirectChain(limit: limit, request: original) { $0.contains("s3cret") }
            var current = original
            var hasLeft = false
            for _ in 0..<20 {
                let head = try head(&generator)
                let decision = chain.next(after: head, to: current)
                guard case .follow(let next) = decision else { continue }
                hasLeft = hasLeft || Origin(next.url) != home
                #expect(chain.hasLeftOrigin == hasLeft, "seed \(seed)")
                let names = next.fields.map { $0.name.lowercased() }
                if hasLeft {
                    #expect(confidential.isDisjoint(with: names), "seed \(seed)")
                    #expect(!names.contains("host"), "seed \(seed)")
                } else {
                    #expect(confidential.isSubset(of: names), "seed \(seed)")
                }
                #expect(names.contains("accept"), "seed \(seed)")
                #expect(next.body == nil || next.body == original.body, "seed \(seed)")
                if next.body == nil { #expect(!names.contains("content-type"), "seed \(seed)") }
                current = next
            }
            #expect(chain.count <= limit, "seed \(seed)")
        }
    }

    @Test
    func `O39, O40: no wait is shorter than Retry-After, nor does it outlive the deadline`() {
        let seed = printedSeed("retry decisions")
        var generator = SeededGenerator(seed: seed)
        var waits = 0
        for _ in 0..<5_000 {
            let policy = RetryPolicy(
                limit: .random(in: 0...5, using: &generator), interval: duration(&generator),
                backoff: .random(in: -1...10, using: &generator),
                intervalLimit: duration(&generator), jitter: .random(in: -1...2, using: &generator),
                retriesNonIdempotent: Bool.random(using: &generator))
            let attempt = Int.random(in: 1...7, using: &generator)
            let method = ["GET", "POST"].randomElement(using: &generator) ?? "GET"
            let status = Int.random(in: 400...520, using: &generator)
            let retryAfter = Bool.random(using: &generator) ? duration(&generator) : nil
            let timeLeft = Bool.random(using: &generator) ? duration(&generator) : nil
            let decision = policy.decision(
                after: .answered(status: status), attempt: attempt, method: method,
                retryAfter: retryAfter, timeLeft: timeLeft,
                random: .random(in: 0...1, using: &generator))
            switch decision {
            case .stop(.notRetryable):
                let isUsual = [408, 429, 500, 502, 503, 504].contains(status)
                #expect(
                    !isUsual || method == "POST" && !policy.retriesNonIdempotent, "seed \(seed)")
            case .stop(.exhausted):
                #expect(attempt > policy.limit, "seed \(seed)")
            case .stop(.deadline):
                #expect(timeLeft != nil, "seed \(seed)")
            case .wait(let wait):
                waits += 1
                #expect(wait >= retryAfter ?? .zero, "seed \(seed)")
                if let timeLeft { #expect(wait < timeLeft, "seed \(seed)") }
                #expect(attempt <= policy.limit, "seed \(seed)")
                let longest = max(policy.intervalLimit, retryAfter ?? .zero) * 2
                #expect(wait <= longest, "seed \(seed)")
            }
        }
        #expect(waits > 0, "seed \(seed)")
    }

    private func request(_ generator: inout SeededGenerator) throws -> HTTPRequest {
        HTTPRequest(
            method: ["GET", "POST", "PUT", "HEAD"].randomElement(using: &generator) ?? "GET",
            url: try HTTPURL("https://home/a"),
            fields: [
                "AUTHORIZATION": "Basic x", "cookie": "a=b", "Proxy-Authorization": "y",
                "X-Key": "Key s3cret", "Accept": "*/*", "Host": "home", "Content-Type": "a/b",
            ],
            body: .bytes([1]))
    }

    private func head(_ generator: inout SeededGenerator) throws -> HTTPResponse.Head {
        let locations = [
            "/a", "b", "../c", "?d", "https://home/e", "https://HOME:443/f", "//home/g",
            "http://home/", "https://home:8443/", "https://other/", "//other/h", "", "ftp://x/",
        ]
        let status = [301, 302, 303, 307, 308].randomElement(using: &generator) ?? 302
        let location = locations.randomElement(using: &generator) ?? ""
        return .init(status: status, fields: ["Location": location])
    }

    private func duration(_ generator: inout SeededGenerator) -> Duration {
        .milliseconds(Int.random(in: 0...100_000, using: &generator))
    }
}
