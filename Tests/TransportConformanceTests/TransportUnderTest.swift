import PipelineCore
import PipelineCurl
import Testing

/// A transport that must pass the suite: one more line in ``all`` has every test run against it.
struct TransportUnderTest: Sendable, CustomTestStringConvertible {
    /// What reports call it.
    var name: String
    /// What it cannot do: the name of a test, or of a row of its table as `test · row`, and what was
    /// measured instead. The test is then reported as cancelled, with this reason.
    var exclusions: [String: String] = [:]
    /// Makes one that has not connected to anything yet.
    var new: @Sendable () -> any Transport

    var testDescription: String { name }

    /// Every transport of the package.
    static let all = [
        TransportUnderTest(name: "curl") { CurlTransport() }
    ]

    /// A new transport for the test that asks, or for that row of its table.
    ///
    /// - Throws: What ends the test without a failure, when it is among the exclusions.
    func make(row: String? = nil) throws -> any Transport {
        let test = Test.current?.displayName ?? ""
        if let reason = exclusions[test] ?? row.flatMap({ exclusions["\(test) · \($0)"] }) {
            try skip(reason)
        }
        return new()
    }

    #if compiler(>=6.3)
        private func skip(_ reason: String) throws {
            try Test.cancel("\(name): \(reason)")
        }
    #else
        private struct Excluded: Error {}

        private func skip(_ reason: String) throws {
            withKnownIssue("\(name): \(reason)") { Issue.record("excluded") }
            throw Excluded()
        }
    #endif
}
