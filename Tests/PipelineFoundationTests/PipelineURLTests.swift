import Foundation
import PipelineCore
import PipelineFoundation
import TestSupport
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

    @Test func `an address of another kind is not taken for the path of a file`() throws {
        let folder = try TemporaryFolder()
        let text = #"{ "requests": [{ "url": "http://localhost" }] }"#
        let path = try folder.write(text, as: "a.json")
        let address = "https://example.com\(path)"
        let error = try #require(throws: PipelineError.self) {
            try Pipeline(contentsOf: #require(URL(string: address)))
        }
        #expect(error.diagnostics.map(\.message) == ["expected the URL of a file on this device"])
        #expect(error.diagnostics.map(\.location) == [address])
    }
}
