import PipelineCore
import PipelineCurl
import PipelineStub

/// Three programs that apps wrote around `Operation`, on this package: `swift run seeds`.
@main
enum Seeds {
    static func main() async throws {
        let server = try StubServer(routes: [
            route("GET", "/request", StubAnswer(delay: .milliseconds(2))),
            route("POST", "/config", StubAnswer()),
            route("POST", "/session", StubAnswer(status: 401)),
            route("POST", "/news", StubAnswer()),
            route(
                "GET", "/image.png",
                StubAnswer(fields: ["Cache-Control": "max-age=60"], body: Array("image".utf8))),
        ])
        defer { server.stop() }
        let transport = CurlTransport()
        print("Network operations")
        try await networkOperations(server.baseURL, transport)
        print("\nPending operations")
        try await pendingOperations(server.baseURL, transport)
        print("\nImage download")
        try await imageDownload(server.baseURL, transport)
    }

    private static func route(
        _ method: String, _ path: String, _ answer: StubAnswer
    ) throws -> StubRoute {
        try StubRoute(method: method, path: StubPath(path), answer: answer, name: path)
    }
}
