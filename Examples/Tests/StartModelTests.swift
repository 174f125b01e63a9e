import Foundation
import Observation
import PipelineCore
import PipelineCurl
import PipelineFoundation
import PipelineJSON
import PipelineStub
import Testing

@testable import AppStart

@Suite("The start of an app", .timeLimit(.minutes(1))) @MainActor
struct StartModelTests {
    private let file = URL(filePath: Package.path("pipelines/home-screen.json"))

    /// Starts it on this server, and waits for its end.
    private func start(_ server: StubServer) async throws -> StartModel {
        let model = try StartModel(
            file: file,
            variables: ["API": .init(server.baseURL), "password": "correct horse"],
            transport: { CurlTransport() })
        #expect(model.screen == .starting(0))
        try model.start()
        await until { model.requests.result != nil }
        return model
    }

    private func server(breaking faults: [Int: StubFault] = [:]) throws -> StubServer {
        try StubServer(answering: Pipeline(contentsOfFile: file.path()).bind(), breaking: faults)
    }

    // snippet: start-succeeds
    @Test("ends with the home screen")
    func succeeds() async throws {
        let server = try server()
        defer { server.stop() }
        let model = try await start(server)
        #expect(model.screen == .home(StartScreen.Profile(name: "Ada")))
        #expect(server.requests.map(\.target).first == "/config")
    }
    // end

    @Test("ends with the name of what failed, and again with the home screen at the next try")
    func fails() async throws {
        let server = try server(breaking: [3: .status(503)])
        defer { server.stop() }
        let model = try await start(server)
        #expect(model.screen == .retry(failed: "profile"))
        let failure = "profile: expected status 200, got 503 Service Unavailable"
        #expect(model.requests.failure == failure)
        try model.start()
        #expect(model.screen == .starting(0))
        await until { model.requests.result != nil }
        #expect(model.screen == .home(StartScreen.Profile(name: "Ada")))
    }

    // snippet: every-way-to-break
    @Test("offers to try again, whichever request breaks in whatever way")
    func breaks() async throws {
        let inputs = try Pipeline(contentsOf: file).bind()
        for run in try await inputs.runs(
            breaking: [.status(503), .delay(.seconds(60)), .drop], transport: { CurlTransport() })
        {
            let screen = StartScreen(run.result)
            #expect(screen == .retry(failed: run.request), "\(run.request), \(run.fault)")
        }
    }
    // end

    /// Waits until something is so, looking whenever one of the things it depends on changes.
    private func until(_ condition: @escaping @MainActor () -> Bool) async {
        while !condition() {
            await withCheckedContinuation { continuation in
                withObservationTracking {
                    _ = condition()
                } onChange: {
                    continuation.resume()
                }
            }
            // The change is told of before it is made.
            await Task.yield()
        }
    }
}
