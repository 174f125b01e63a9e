import Foundation
import Testing

/// The public conformance suites, which stand beside the repository where they are installed.
enum ConformanceData {
    static let isPresent = FileManager.default.fileExists(atPath: folder.path)
    static let absence: Comment = "set PIPELINE_CONFORMANCE to the folder of the conformance suites"

    static let folder: URL =
        if let path = ProcessInfo.processInfo.environment["PIPELINE_CONFORMANCE"] {
            URL(filePath: path)
        } else {
            URL(filePath: #filePath).appending(path: "../../../../shared/conformance").standardized
        }

    /// The files of JSONTestSuite whose names begin with `prefix`, in order.
    static func parsingFiles(_ prefix: String) throws -> [(name: String, bytes: [UInt8])] {
        let parsing = folder.appending(path: "json/parsing")
        return try FileManager.default.contentsOfDirectory(atPath: parsing.path)
            .filter { $0.hasPrefix(prefix) }
            .sorted()
            .map { ($0, [UInt8](try Data(contentsOf: parsing.appending(path: $0)))) }
    }
}
