import Foundation
import PipelineCore
import PipelineFoundation
import Testing

@Suite("Pipelines from a URL")
struct PipelineURLTests {
    @Test func `a file is read, also one with spaces in its name`() throws {
        let url = FileManager.default.temporaryDirectory
            .appending(path: "a pipeline \(UUID().uuidString).json")
        defer { try? FileManager.default.removeItem(at: url) }
        let text = #"{ "name": "Boot", "requests": [{ "url": "http://localhost" }] }"#
        try Data(text.utf8).write(to: url)
        #expect(try Pipeline(contentsOf: url).name == "Boot")
    }

    @Test func `a file that is not there is a clear error`() throws {
        let error = try #require(throws: PipelineError.self) {
            try Pipeline(contentsOf: URL(filePath: "/no/such/file.json"))
        }
        #expect(error.diagnostics.map(\.message) == ["there is no such file"])
        #expect(error.diagnostics.map(\.location) == ["/no/such/file.json"])
    }
}
