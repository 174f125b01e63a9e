import PipelineCore
import PipelineCurl
import PipelineStub
import TestSupport
import Testing

@Suite("Start-ups that break", .timeLimit(.minutes(1)))
struct BrokenRunTests {
    private func pipeline() throws -> Pipeline {
        let text = """
            {"baseURL": "stub:", "requests": [
              {"name": "config", "url": "/config", "example": {"body": {"json": {"a": 1}}},
               "captures": {"a": "$.a"}},
              {"name": "profile", "url": "/me/{{a}}", "example": {"body": {"json": {"name": "Ada"}}}},
              {"name": "news", "url": "/news", "example": {"body": {"json": []}}}],
             "finally": [{"name": "logout", "url": "/logout", "example": {"body": {"text": "bye"}}}]}
            """
        return try Pipeline(parsing: Array(text.utf8), name: "test.json")
    }

    @Test("break in every way at every request, and the rest is cancelled")
    func everyWay() async throws {
        var options = RunOptions()
        options.timeout = .milliseconds(200)
        let runs = try await pipeline().bind().runs(options: options) { CurlTransport() }
        #expect(runs.count == 4 * 4)
        let faults: [StubFault] = [.status(500), .delay(.seconds(60)), .drop, .cutShort]
        #expect(runs.map(\.fault) == (0..<4).flatMap { _ in faults })
        for run in runs {
            let broken = try #require(run.result[run.request])
            #expect(!run.result.isSuccess)
            #expect(broken.outcome == .failed, "\(run.request), \(run.fault)")
            let code = broken.error?.transportError?.code
            switch run.fault {
            case .status: #expect(broken.error?.code == .expectation)
            case .delay: #expect(code == .timedOut)
            case .drop: #expect(code == .connectionLost)
            case .cutShort: #expect(code == .bodyCutShort)
            }
            let names = ["config", "profile", "news"]
            let index = names.firstIndex(of: run.request) ?? names.count
            for (other, name) in names.enumerated() where other != index {
                let expected: RequestResult.Outcome = other < index ? .succeeded : .cancelled
                #expect(run.result[name]?.outcome == expected, "\(name) after \(run.request)")
            }
        }
    }
}
