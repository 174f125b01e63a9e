import PipelineCore
import PipelineJSON

/// The Test Anything Protocol, version 14: a test point for each request of all files, with a block
/// of YAML for what failed.
struct TAPReport: ReportFormat {
    func section(of file: ReportedFile) -> any ReportSection { TAPSection(file: file) }

    func beginning(of run: ReportedRun) -> [UInt8] {
        let count = run.files.reduce(0) { $0 + $1.file.itemCount }
        return Array("TAP version 14\n1..\(count)\n".utf8)
    }

    func end(of run: ReportedRun) -> [UInt8] {
        // Everything that was not sent is skipped, which alone would count as a success.
        run.signal == nil ? [] : Array("Bail out! interrupted\n".utf8)
    }
}

private struct TAPSection: ReportSection {
    let file: ReportedFile

    mutating func write(_ request: ReportedRequest, to text: inout [UInt8]) {
        let isGood = request.outcome != .failed
        let number = file.precedingCount + request.position + 1
        text += (isGood ? "ok " : "not ok ").utf8
        text += "\(number) - ".utf8
        text += TAPText.description("\(file.name): \(request.name)").utf8
        switch request.outcome {
        case .succeeded, .failed: text += "\n".utf8
        case .cancelled: writeSkip(request.cancellation?.message ?? "cancelled", to: &text)
        case .skipped: writeSkip("left out", to: &text)
        }
        guard isGood else { return writeFailure(of: request, to: &text) }
        let warnings =
            request.warnings + (request.isVerified ? [] : ["certificates are not verified"])
        for warning in warnings {
            text += "# warning: \(TAPText.description(warning))\n".utf8
        }
    }

    mutating func frame(_ summary: ReportedSummary, hasItems: Bool) -> ReportFrame {
        guard case .invalid(let findings) = summary.ending else { return ReportFrame() }
        var text = Array("not ok \(file.precedingCount + 1) - ".utf8)
        text += TAPText.description(file.name).utf8
        text += "\n  ---\n".utf8
        member("message", findings.first?.message ?? "", to: &text)
        member("severity", "fail", to: &text)
        write(findings, to: &text)
        text += "  ...\n".utf8
        return ReportFrame(before: text)
    }

    private func writeSkip(_ reason: String, to text: inout [UInt8]) {
        text += " # SKIP \(TAPText.description(reason))\n".utf8
    }

    private func writeFailure(of request: ReportedRequest, to text: inout [UInt8]) {
        guard let error = request.error else { return }
        text += "  ---\n".utf8
        member("message", error.message, to: &text)
        member("severity", error.isUnmet ? "fail" : "error", to: &text)
        member("code", error.transportCode?.rawValue ?? error.code.rawValue, to: &text)
        if let code = error.libraryCode { text += "  libcurlCode: \(code)\n".utf8 }
        text += "  attempts: \(request.attemptCount)\n".utf8
        if let duration = request.duration {
            text += "  duration_ms: \(duration.inMilliseconds)\n".utf8
        }
        write(error.findings, to: &text)
        if let response = request.response {
            text += "  status: \(response.status)\n".utf8
            if let body = response.message.body?.text {
                member("response", String(body.prefix(2_000)), to: &text)
            }
        }
        if let command = request.curlCommand { member("try", command, to: &text) }
        text += "  ...\n".utf8
    }

    private func write(_ findings: [ReportedFinding], to text: inout [UInt8]) {
        text += "  findings:\n".utf8
        for finding in findings {
            text += "    - message: \(TAPText.quoted(finding.message))\n".utf8
            text += "      at: \(TAPText.quoted(finding.location))\n".utf8
            if !finding.path.isEmpty {
                text += "      path: \(TAPText.quoted(finding.path))\n".utf8
            }
            if let comparison = finding.comparison {
                if let expected = comparison.expected {
                    text += "      wanted: \(TAPText.quoted(expected.description))\n".utf8
                }
                text += "      found:\n".utf8
                for value in comparison.actual {
                    text += "        - \(TAPText.quoted(value.description))\n".utf8
                }
            }
            guard !finding.difference.isEmpty else { continue }
            text += "      difference:\n".utf8
            for line in finding.difference { text += "        - \(TAPText.quoted(line))\n".utf8 }
        }
    }

    private func member(_ name: String, _ value: String, to text: inout [UInt8]) {
        text += "  \(name): \(TAPText.quoted(value))\n".utf8
    }
}
