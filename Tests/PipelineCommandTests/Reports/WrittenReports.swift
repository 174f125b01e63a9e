import PipelineCore
import PipelineJSON
import TestSupport
import Testing

@testable import PipelineCommand

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Every report of one run of the program, in a folder of its own.
struct WrittenReports {
    let folder: TemporaryFolder
    let kinds: [ReportKind]

    init(_ folder: TemporaryFolder) {
        self.folder = folder
        kinds = ReportKind.allCases
    }

    /// The options that ask for all of them.
    var options: [String] {
        kinds.flatMap { [$0.option, path($0)] } + ["--events", eventsPath]
    }

    var eventsPath: String { folder.file("reports/events.ndjson") }

    func path(_ kind: ReportKind) -> String { folder.file("reports/report.\(kind.rawValue)") }

    func bytes(_ kind: ReportKind) throws -> [UInt8] {
        try FileBytes.read(path(kind), limit: 1 << 30)
    }

    /// The reports and the events, each with its name.
    func all() throws -> [(name: String, text: String)] {
        try kinds.map { ($0.rawValue, String(decoding: try bytes($0), as: UTF8.self)) }
            + [
                (
                    "ndjson",
                    String(decoding: try FileBytes.read(eventsPath, limit: 1 << 30), as: UTF8.self)
                )
            ]
    }

    /// The JSON report, checked against its schema.
    func json() throws -> JSONValue { try Self.validated(try bytes(.json)) }

    static func validated(_ bytes: [UInt8]) throws -> JSONValue {
        let path = "\(PipelineRunProgram.package)/pipelines/report.schema.json"
        let schema = try JSONSchema(
            try JSONValue(parsing: try FileBytes.read(path, limit: 1 << 20)))
        let report = try JSONValue(parsing: bytes)
        let findings = schema.validate(report)
        #expect(findings.isEmpty, "\(findings.prefix(5))")
        return report
    }

    /// The events, each line an object of this version; of each file nothing after its end, of the
    /// run nothing after its one end.
    func events() throws -> [JSONValue] {
        let text = String(decoding: try FileBytes.read(eventsPath, limit: 1 << 30), as: UTF8.self)
        #expect(text.hasSuffix("\n"))
        let events = try text.dropLast().split(separator: "\n", omittingEmptySubsequences: false)
            .map { try JSONValue(parsing: String($0)) }
        var ended: Set<Int> = []
        for event in events {
            #expect(event["version"]?.number?.int == 1)
            let kind = try #require(event["event"]?.string)
            let number = event["number"]?.number?.int
            #expect((number == nil) == (kind == "finished"), "\(event)")
            if let number { #expect(!ended.contains(number), "\(event)") }
            if kind == "fileFinished", let number { ended.insert(number) }
        }
        #expect(events.count { $0["event"]?.string == "finished" } == 1)
        #expect(events.last?["event"]?.string == "finished")
        let times = events.compactMap { $0["time"]?.string }
        #expect(times.count == events.count && times == times.sorted())
        return events
    }

    /// The JUnit report, checked: well-formed, its counts those of its children.
    func junit() throws -> JUnitDocument { try JUnitDocument(try bytes(.junit)) }

    /// Checks that the JUnit report is as Jenkins describes it.
    func checkJUnitSchema() async throws {
        let schema = "\(PipelineRunProgram.package)/Tests/Fixtures/jenkins-junit.xsd"
        let check = try await Subprocess(
            "/usr/bin/xmllint", ["--huge", "--noout", "--schema", schema, path(.junit)]
        ).waitForEnd()
        #expect(check.status == 0, "\(check.errors.prefix(2_000))")
    }

    static let hasXMLLint = access("/usr/bin/xmllint", X_OK) == 0

    /// The TAP report's test points, read strictly.
    func tap() throws -> [String] { try tapDocument().points }

    func tapDocument() throws -> TAPDocument {
        try TAPDocument(String(decoding: try bytes(.tap), as: UTF8.self))
    }
}

/// What tests look at of a JUnit report.
struct JUnitDocument {
    private(set) var suites: [Suite] = []

    struct Suite {
        let name: String
        var cases: [Case] = []
    }

    struct Case {
        let name: String
        /// `failure`, `error`, `skipped` or nothing, with its message.
        var problem: String?
        var message: String?
    }

    init(_ bytes: [UInt8]) throws {
        var scanner = try XMLScanner(bytes)
        var declared: [String: Int] = [:]
        var totals: [String: Int] = [:]
        while let token = try scanner.next() {
            switch token {
            case .start("testsuites", let attributes, _):
                for attribute in attributes { totals[attribute.name] = Int(attribute.value) }
            case .start("testsuite", let attributes, _):
                suites.append(Suite(name: attributes.value("name") ?? ""))
                declared = [:]
                for attribute in attributes { declared[attribute.name] = Int(attribute.value) }
            case .start("testcase", let attributes, _):
                suites[suites.count - 1].cases.append(Case(name: attributes.value("name") ?? ""))
            case .start(let name, let attributes, _)
            where ["failure", "error", "skipped"].contains(name):
                let suite = suites.count - 1
                let last = suites[suite].cases.count - 1
                #expect(suites[suite].cases[last].problem == nil)
                suites[suite].cases[last].problem = name
                suites[suite].cases[last].message = attributes.value("message")
            case .end("testsuite"):
                let counts = try #require(suites.last).counts
                for (name, count) in counts { #expect(declared[name] == count, "\(name)") }
            default: break
            }
        }
        for name in ["tests", "failures", "errors"] {
            #expect(totals[name] == suites.reduce(0) { $0 + ($1.counts[name] ?? 0) }, "\(name)")
        }
    }
}

extension JUnitDocument.Suite {
    fileprivate var counts: [String: Int] {
        [
            "tests": cases.count, "failures": cases.count { $0.problem == "failure" },
            "errors": cases.count { $0.problem == "error" },
            "skipped": cases.count { $0.problem == "skipped" },
        ]
    }
}

extension [XMLScanner.Attribute] {
    fileprivate func value(_ name: String) -> String? { first { $0.name == name }?.value }
}
