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
        try #require(!sources.isEmpty)
        // What stands between two quotation marks, among it every literal.
        let quoted = Set(sources.flatMap { $0.split(separator: UInt8(ascii: "\"")) })
        // Among them the cases of an enumeration, which can be rows too.
        let words = Set(sources.flatMap { $0.split { !$0.isASCIILetter } })
        for exclusion in subject.exclusions {
            #expect(quoted.contains(Array(exclusion.test.utf8)[...]), "\(exclusion.test)")
            guard let row = exclusion.row.map({ Array($0.utf8)[...] }) else { continue }
            #expect(quoted.contains(row) || words.contains(row), "\(exclusion.row ?? "")")
        }
    }
}
