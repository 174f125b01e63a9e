import PipelineCore
import PipelineCurl
import PipelineStub

/// Three programs that apps wrote around `Operation`, on this package: `swift run seeds`.
@main
enum Seeds {
    static func main() async throws {
        let server = try StubServer(routes: [
            StubRoute(path: "/request", answer: StubAnswer(delay: .milliseconds(2))),
            StubRoute(method: "POST", path: "/config"),
            StubRoute(method: "POST", path: "/session", answer: StubAnswer(status: 401)),
            StubRoute(method: "POST", path: "/news"),
            StubRoute(
                path: "/image.png",
                answer: StubAnswer(
                    fields: ["Cache-Control": "max-age=60"], body: Array("image".utf8))),
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
}
