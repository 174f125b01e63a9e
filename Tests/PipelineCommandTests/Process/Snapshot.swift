import PipelineCore
import Testing

@testable import PipelineCommand

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A text that is kept beside the tests.
enum Snapshot {
    /// Compares a text with a file; recording one fails the test, so that it cannot go unseen.
    static func expect(_ text: String, toBeIn path: String) throws {
        if getenv("PIPELINE_RECORD") != nil {
            try NewFile.write(text, to: path, replacing: true)
            Issue.record("recorded: \(path)")
        }
        let expected = try FileBytes.read(path, limit: 1 << 20)
        #expect(text == String(decoding: expected, as: UTF8.self), "PIPELINE_RECORD=1 renews it")
    }
}
