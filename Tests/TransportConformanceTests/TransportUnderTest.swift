import PipelineCore
import PipelineCurl
import PipelineFoundation
import Testing

/// A transport that must pass the suite: one more line in ``all`` has every test run against it.
struct TransportUnderTest: Sendable, CustomTestStringConvertible {
    /// What reports call it.
    var name: String
    /// What it cannot do.
    var exclusions: [Exclusion] = []
    /// Makes one that has not connected to anything yet.
    var new: @Sendable () -> any Transport

    /// A test, or a row of its table, that is skipped and named with the reason.
    struct Exclusion: Sendable {
        /// The sentence that the test is called.
        var test: String
        /// What the row is called; `nil` for every row.
        var row: String?
        /// What was measured instead.
        var reason: String
    }

    var testDescription: String { name }

    /// Every transport of the package.
    static let all = [curl, urlSession]

    private static let curl = TransportUnderTest(name: "curl", exclusions: curlExclusions) {
        CurlTransport()
    }

    private static let urlSession = TransportUnderTest(
        name: "URLSession", exclusions: urlSessionExclusions
    ) { URLSessionTransport() }

    private static let curlExclusions = [
        Exclusion(
            test: "O18: a coding that cannot be undone is named, and its bytes never reach the "
                + "receiver", row: "gzip without its end",
            reason: "libcurl 7.88 does not look for the end of gzip")
    ]

    /// A new transport for the test that asks, or for that row of its table.
    ///
    /// - Throws: What ends the test without a failure, when it is among the exclusions.
    func make(row: String? = nil) throws -> any Transport {
        let test = Test.current?.displayName
        if let exclusion = exclusions.first(where: {
            $0.test == test && ($0.row == nil || $0.row == row)
        }) {
            try skip(exclusion)
        }
        return new()
    }

    private func skip(_ exclusion: Exclusion) throws {
        let row = exclusion.row.map { ", \($0)" } ?? ""
        // Swift Testing tells of a whole test that was skipped, but not of one of its cases.
        print("➜ \"\(exclusion.test)\" is skipped for \(name)\(row): \(exclusion.reason)")
        #if compiler(>=6.3)
            try Test.cancel("\(exclusion.reason)")
        #else
            // Earlier versions end a test by a failure only.
            throw Excluded(reason: exclusion.reason)
        #endif
    }

    #if compiler(<6.3)
        private struct Excluded: Error {
            var reason: String
        }
    #endif
}
