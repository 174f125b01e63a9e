import PipelineCore

/// The report that CI servers read: JUnit's XML as Jenkins describes it.
///
/// A file is a `<testsuite>`, a request always a `<testcase>`: with a `<failure>` when a check did not
/// hold, an `<error>` when it could not be completed, `<skipped>` when it was cancelled or left out.
struct JUnitReport: ReportFormat {
    func section(of file: ReportedFile) -> any ReportSection { JUnitSection(file: file) }

    func beginning(of run: ReportedRun) -> [UInt8] {
        var text = Array("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites".utf8)
        let totals = run.files.map { JUnitCounts($0) }
        XMLText.attribute("name", "pipeline-run", to: &text)
        JUnitCounts(sum: totals).attributes(hasSkipped: false, to: &text)
        XMLText.attribute("time", run.duration.inSeconds, to: &text)
        return text + Array(">\n".utf8)
    }

    func end(of run: ReportedRun) -> [UInt8] { Array("</testsuites>\n".utf8) }
}

/// How many test cases there are of each kind.
struct JUnitCounts {
    var tests = 0
    var failures = 0
    var errors = 0
    var skipped = 0

    init() {}

    init(_ summary: ReportedSummary) {
        if case .invalid = summary.ending {
            (tests, errors) = (1, 1)
            return
        }
        tests = summary.counts.values.reduce(0, +)
        failures = summary.unmetCount
        errors = summary.incompleteCount
        skipped = summary.count(.cancelled) + summary.count(.skipped)
    }

    init(sum counts: [JUnitCounts]) {
        for count in counts { self += count }
    }

    static func += (sum: inout JUnitCounts, other: JUnitCounts) {
        sum.tests += other.tests
        sum.failures += other.failures
        sum.errors += other.errors
        sum.skipped += other.skipped
    }

    /// Adds the attributes; `<testsuites>` has none for what was skipped.
    func attributes(hasSkipped: Bool, to text: inout [UInt8]) {
        XMLText.attribute("tests", "\(tests)", to: &text)
        XMLText.attribute("failures", "\(failures)", to: &text)
        XMLText.attribute("errors", "\(errors)", to: &text)
        if hasSkipped { XMLText.attribute("skipped", "\(skipped)", to: &text) }
    }
}

private struct JUnitSection: ReportSection {
    private let file: ReportedFile
    private let className: String

    init(file: ReportedFile) {
        self.file = file
        className = Self.className(of: file.name)
    }

    mutating func write(_ request: ReportedRequest, to text: inout [UInt8]) {
        beginTestCase(request.name, request.duration ?? .zero, to: &text)
        let output = outputLines(of: request)
        let hasContent = request.outcome != .succeeded || !output.isEmpty
        guard hasContent else {
            text += "/>\n".utf8
            return
        }
        text += ">\n".utf8
        switch request.outcome {
        case .succeeded: break
        case .failed: writeFailure(of: request, to: &text)
        case .cancelled: writeSkipped(request.cancellation?.message ?? "cancelled", to: &text)
        case .skipped: writeSkipped("left out", to: &text)
        }
        if !output.isEmpty {
            text += "      <system-out>".utf8
            XMLText.append(output.joined(separator: "\n"), to: &text)
            text += "</system-out>\n".utf8
        }
        text += "    </testcase>\n".utf8
    }

    mutating func frame(_ summary: ReportedSummary, hasItems: Bool) -> ReportFrame {
        var frame = ReportFrame()
        frame.before += "  <testsuite".utf8
        XMLText.attribute("name", file.title, to: &frame.before)
        XMLText.attribute("id", "\(file.number)", to: &frame.before)
        JUnitCounts(summary).attributes(hasSkipped: true, to: &frame.before)
        XMLText.attribute("time", summary.duration.inSeconds, to: &frame.before)
        // Without a fraction or a zone, which not every reader takes.
        let timestamp = String(file.startedAt.description.prefix(19))
        XMLText.attribute("timestamp", timestamp, to: &frame.before)
        frame.before += ">\n    <properties>\n".utf8
        property("file", file.name, to: &frame.before)
        if file.isInsecure { property("insecure", "true", to: &frame.before) }
        if file.isStub { property("stub", "true", to: &frame.before) }
        if case .ran(let interruption?) = summary.ending {
            property("interruption", interruption.rawValue, to: &frame.before)
        }
        frame.before += "    </properties>\n".utf8
        if case .invalid(let findings) = summary.ending {
            beginTestCase(file.name, .zero, to: &frame.before)
            frame.before += ">\n".utf8
            writeProblem(
                "error", findings.first?.message ?? "", count: findings.count, type: "invalid",
                findings.flatMap(FailureText.lines), to: &frame.before)
            frame.before += "    </testcase>\n".utf8
        }
        frame.after += "  </testsuite>\n".utf8
        return frame
    }

    private func beginTestCase(_ name: String, _ duration: Duration, to text: inout [UInt8]) {
        text += "    <testcase".utf8
        XMLText.attribute("name", name, to: &text)
        XMLText.attribute("classname", className, to: &text)
        XMLText.attribute("time", duration.inSeconds, to: &text)
    }

    private func property(_ name: String, _ value: String, to text: inout [UInt8]) {
        text += "      <property".utf8
        XMLText.attribute("name", name, to: &text)
        XMLText.attribute("value", value, to: &text)
        text += "/>\n".utf8
    }

    private func writeSkipped(_ message: String, to text: inout [UInt8]) {
        text += "      <skipped".utf8
        XMLText.attribute("message", message, to: &text)
        text += "/>\n".utf8
    }

    private func writeFailure(of request: ReportedRequest, to text: inout [UInt8]) {
        guard let error = request.error else { return }
        writeProblem(
            error.isUnmet ? "failure" : "error", error.message, count: error.findings.count,
            type: error.transportCode?.rawValue ?? error.code.rawValue,
            FailureText.lines(of: request), to: &text)
    }

    /// One element for all that is wrong: of several, Jenkins shows one.
    private func writeProblem(
        _ element: String, _ message: String, count: Int, type: String, _ lines: [String],
        to text: inout [UInt8]
    ) {
        text += "      <\(element)".utf8
        let more = count > 1 ? " (and \(count - 1) more)" : ""
        XMLText.attribute("message", message + more, to: &text)
        XMLText.attribute("type", type, to: &text)
        text += ">".utf8
        XMLText.append(lines.joined(separator: "\n"), to: &text)
        text += "</\(element)>\n".utf8
    }

    private func outputLines(of request: ReportedRequest) -> [String] {
        request.warnings.map { "warning: \($0)" }
            + (request.isVerified ? [] : ["warning: certificates are not verified"])
            + request.captures.map { "\($0.name)=\($0.value.plainText)" }
    }

    /// The file's path as a name with dots, which Jenkins groups by, without its extension.
    private static func className(of path: String) -> String {
        let parts = path.split(separator: "/").filter { $0 != "." && $0 != ".." }
        let name = parts.map { $0.hasSuffix(".json") ? $0.dropLast(5) : $0 }.joined(separator: ".")
        return name.isEmpty ? path : name
    }
}
