import PipelineCore
import PipelineCurl
import TestSupport
import Testing

@Suite(
    "Bodies saved over a real network", .timeLimit(.minutes(1)),
    .enabled(if: NginxServer.isAvailable, "needs nginx: scripts/setup nginx-light"))
struct SavedBodyOverNetworkTests {
    @Test("A body of 64 MiB goes to its file without going through memory")
    func largeBody() async throws {
        let server = try NginxServer()
        let size = 64 << 20
        try server.writeSparse(size, as: "big.bin")
        let folder = try TemporaryFolder()
        let text = """
            { "baseURL": "http://127.0.0.1:\(server.port)",
              "requests": [{ "name": "big", "url": "/big.bin", "saveTo": "big.bin",
                "expect": { "bytes": { "length": \(size) } } }] }
            """
        let pipeline = try Pipeline(
            parsing: Array(text.utf8), name: "test.json", folder: folder.path)
        let before = Usage.memory
        let result = try await pipeline.run(transport: CurlTransport())
        #expect(result.isSuccess, "\(result.requests.compactMap(\.error))")
        #expect(Usage.memory - before < 16 << 20)
        #expect(result["big"]?.response?.savedBody?.size == size)
        #expect(TemporaryFolder.names(in: folder.path) == ["big.bin"])
    }
}
