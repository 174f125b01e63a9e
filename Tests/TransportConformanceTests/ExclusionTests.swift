import PipelineCore
import TestSupport
import Testing

@Suite("What is excluded from the suite")
struct ExclusionTests {
    @Test("Every exclusion names a test of this suite", arguments: TransportUnderTest.all)
    func exclusionsAreNames(_ subject: TransportUnderTest) throws {
        let folder = "/" + #filePath.split(separator: "/").dropLast().joined(separator: "/")
        let sources = try TemporaryFolder.names(in: folder)
            .filter { $0.hasSuffix("Tests.swift") }
            .map { try FileBytes.read("\(folder)/\($0)", limit: 1_000_000) }
            .map { String(decoding: $0, as: UTF8.self) }
        try #require(!sources.isEmpty)
        for exclusion in subject.exclusions {
            for name in [exclusion.test, exclusion.row].compactMap(\.self) {
                #expect(sources.contains { $0.contains("\"\(name)\"") }, "\(name)")
            }
        }
    }
}
