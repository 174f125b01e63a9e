import PipelineCore
import PipelineJSON

/// The JSON report: all that is known of a run, as `pipelines/report.schema.json` describes it.
///
/// A request takes one line, so that the report can also be read line by line.
struct JSONReport: ReportFormat {
    /// What readers can rely on: within a version, members are only ever added.
    static let version = 1
    /// What the report says it is.
    static let format = "pipeline-run-report"

    let itemSeparator = ",\n"
    let sectionSeparator = ",\n"

    func section(of file: ReportedFile) -> any ReportSection { JSONReportSection() }

    func beginning(of run: ReportedRun) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginReport()
        writer.member("startedAt", run.startedAt.description)
        writer.member("milliseconds", run.duration)
        writer.member("exitCode", Int(run.exitCode.status))
        writer.member("signal", run.signal.map(Int.init))
        writer.member("insecure", run.isInsecure)
        writer.counts { run.count($0) }
        writer.name("files")
        writer.beginArray()
        return writer.bytes + Array("\n".utf8)
    }

    func end(of run: ReportedRun) -> [UInt8] { Array("\n]}\n".utf8) }
}

private struct JSONReportSection: ReportSection {
    private var timeText = TimeText()

    mutating func write(_ request: ReportedRequest, to text: inout [UInt8]) {
        let before = text
        text = []
        var writer = JSONWriter(following: consume before)
        let time = request.startedAt.map { timeText($0) }
        writer.object { $0.members(of: request, startedAt: time) }
        text = writer.finished()
    }

    mutating func frame(_ summary: ReportedSummary, hasItems: Bool) -> ReportFrame {
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("file", summary.file.name)
        writer.member("number", summary.file.number)
        writer.member("title", summary.file.title)
        writer.member("stub", summary.file.isStub)
        writer.member("startedAt", summary.file.startedAt.description)
        writer.members(of: summary)
        writer.name("requests")
        writer.beginArray()
        return ReportFrame(
            before: writer.bytes + (hasItems ? Array("\n".utf8) : []),
            after: Array(hasItems ? "\n]}".utf8 : "]}".utf8))
    }
}

extension JSONWriter {
    /// Begins a report with what it says about itself.
    mutating func beginReport() {
        beginObject()
        member("format", JSONReport.format)
        member("version", JSONReport.version)
        program("generator")
    }

    /// How the run of a file went, in an object that is open.
    mutating func members(of summary: ReportedSummary) {
        switch summary.ending {
        case .ran(let interruption):
            member("ending", interruption == nil ? "finished" : "interrupted")
            member("interruption", interruption?.rawValue)
        case .invalid(let findings):
            member("ending", "invalid")
            array("problems", findings) { $0.finding($1) }
        case .notStarted(let reason):
            member("ending", "notStarted")
            member("reason", reason)
        }
        member("milliseconds", summary.duration)
        if !summary.isNotStarted { member("exitCode", Int(summary.exitCode.status)) }
        counts { summary.count($0) }
    }

    fileprivate mutating func members(of request: ReportedRequest, startedAt: String?) {
        member("name", request.name)
        member("position", request.position)
        member("method", request.method)
        member("url", request.url)
        member("finally", request.isFinally)
        member("outcome", request.outcome.rawValue)
        member("startedAt", startedAt)
        member("offset", request.offset)
        member("milliseconds", request.duration)
        if !request.isVerified { member("insecure", true) }
        if let error = request.error {
            object("error") { $0.members(of: error) }
        }
        if let cancellation = request.cancellation {
            object("cancellation") { writer in
                writer.member("reason", cancellation.reason?.rawValue ?? "notStarted")
                writer.member("culprit", cancellation.culprit)
                writer.member("message", cancellation.message)
            }
        }
        array("expectations", request.expectations) { writer, expectation in
            writer.object { writer in
                writer.member("subject", expectation.subject)
                writer.member("met", expectation.isMet)
            }
        }
        member("attemptCount", request.attemptCount)
        array("attempts", request.attempts) { writer, attempt in
            writer.object { writer in
                writer.members(of: attempt)
                writer.array("exchanges", attempt.exchanges) { $0.exchange($1) }
            }
        }
        array("captures", request.captures) { writer, capture in
            writer.object { writer in
                writer.member("name", capture.name)
                writer.name("value")
                writer.value(capture.value)
                writer.member("secret", capture.isSecret)
            }
        }
        member("warnings", request.warnings)
    }

    /// One attempt, in an object that is open, without its exchanges.
    mutating func members(of attempt: ReportedAttempt) {
        member("number", attempt.number)
        member("wait", attempt.wait)
        member("offset", attempt.offset)
        member("milliseconds", attempt.duration)
        member("error", attempt.error)
    }

    private mutating func members(of error: ReportedError) {
        member("code", error.code.rawValue)
        member("transportCode", error.transportCode?.rawValue)
        member("libcurlCode", error.libraryCode)
        member("message", error.message)
        array("findings", error.findings) { $0.finding($1) }
    }

    private mutating func finding(_ finding: ReportedFinding) {
        object { writer in
            writer.member("message", finding.message)
            writer.member("location", finding.location)
            writer.member("line", finding.line)
            writer.member("column", finding.column)
            writer.member("path", finding.path)
            writer.member("excerpt", finding.excerpt)
            if let comparison = finding.comparison { writer.members(of: comparison) }
            writer.member("difference", finding.difference)
        }
    }

    private mutating func members(of comparison: ReportedComparison) {
        member("subject", comparison.subject)
        member("requirement", comparison.requirement)
        if let expected = comparison.expected {
            plainName("expected")
            value(expected)
        }
        array("actual", comparison.actual) { $0.value($1) }
    }

    private mutating func exchange(_ exchange: ReportedExchange) {
        object { writer in
            writer.member("offset", exchange.offset)
            writer.object("request") { writer in
                writer.member("method", exchange.method)
                writer.member("url", exchange.url)
                writer.members(of: exchange.request)
            }
            if let response = exchange.response {
                writer.object("response") { writer in
                    writer.member("status", response.status)
                    writer.member("reason", response.reason)
                    writer.member("httpVersion", response.version)
                    writer.members(of: response.message)
                }
            }
            if let metrics = exchange.metrics { writer.members(of: metrics) }
        }
    }

    private mutating func members(of message: ReportedMessage) {
        array("headers", message.fields) { writer, field in
            writer.object { writer in
                writer.member("name", field.name)
                writer.member("value", field.value)
            }
        }
        guard let body = message.body else { return }
        object("body") { writer in
            writer.member("size", body.size)
            writer.member("mediaType", body.mediaType)
            if let text = body.text {
                writer.member("text", text)
            } else {
                writer.member("base64", Base64.encode(body.bytes))
            }
            if body.isCut { writer.member("truncated", true) }
            writer.member("savedTo", body.savedTo)
        }
    }

    private mutating func members(of metrics: ExchangeMetrics) {
        let phases = ReportedPhases(metrics.timings)
        object("timings") { writer in
            writer.member("dns", microseconds: phases.dns)
            writer.member("connect", microseconds: phases.connect)
            writer.member("tls", microseconds: phases.tls)
            writer.member("send", microseconds: phases.send)
            writer.member("firstByte", microseconds: phases.wait)
            writer.member("download", microseconds: phases.receive)
            writer.member("total", microseconds: phases.total)
        }
        member("remoteAddress", metrics.remoteAddress)
        member("remotePort", metrics.remotePort)
        member("connectionReused", metrics.isConnectionReused)
        member("wireBodySize", metrics.wireBodySize)
        member("decodedBodySize", metrics.decodedBodySize)
        guard let certificate = metrics.certificate else { return }
        object("certificate") { writer in
            writer.member("subject", certificate.subject)
            writer.member("issuer", certificate.issuer)
            writer.member("expires", certificate.expires)
        }
    }
}
