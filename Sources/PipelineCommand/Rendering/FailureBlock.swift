import PipelineCore

/// Everything about one request that failed: what was wrong, what came back, how to try it.
struct FailureBlock {
    private let request: RequestResult
    private let error: RequestError
    private let source: SourceText
    private let safe: SafeText
    private let hasCookies: Bool

    private static let excerptLength = 200

    /// `nil` for a request that did not fail.
    ///
    /// - Parameter hasCookies: Whether responses before this request set cookies.
    init?(
        _ request: RequestResult, in source: SourceText, safe: SafeText, hasCookies: Bool = false
    ) {
        guard request.outcome == .failed, let error = request.error else { return nil }
        self.request = request
        self.error = error
        self.source = source
        self.safe = safe
        self.hasCookies = hasCookies
    }

    /// The block, without a blank line around it.
    var lines: [Line] {
        var lines = findings + AttemptLines(request, safe: safe).lines
        if let response = request.response, !error.hidesResponse {
            lines.append(Line("  response  ", .dim) + Line(excerpt(of: response)))
        }
        if let sent = request.record?.request, wasSendable {
            let command = CurlCommand(sent, redact: safe.redact).text
            lines.append(Line("  try       ", .dim) + Line(command))
            // Which of them went out is known to the transport alone.
            if hasCookies {
                lines.append(Line("            without cookies that earlier responses set", .dim))
            }
        }
        return lines
    }

    /// Whether the request could be sent as it is: nobody else could either.
    private var wasSendable: Bool {
        error.code != .invalidRequest && error.transportError?.code != .invalidRequest
    }

    /// What is wrong, thing by thing, with what differs where whole values were compared.
    private var findings: [Line] {
        let place = request.definition.place
        guard error.findings.isEmpty else {
            return error.findings.flatMap { finding in
                source.diagnostic(finding.message, at: finding.place ?? place).lines
                    + finding.difference.map { Line("    ") + Line($0) }
            }
        }
        let code = error.transportError?.libraryCode.map { " (libcurl error \($0))" } ?? ""
        return source.diagnostic(
            "\(error.message)\(code)", at: request.definition.place(of: error)
        ).lines
    }

    /// The beginning of the body on one line.
    private func excerpt(of response: HTTPResponse) -> String {
        // Enough for nearly any secret that begins within the excerpt to be seen whole and masked.
        let start = response.body.prefix(16_384)
        if start.isEmpty { return "(empty)" }
        // Of a body that was to be saved, only the beginning is kept.
        let size = max(response.body.count, response.metrics.decodedBodySize)
        if start.contains(0) {
            let type = response.fields["Content-Type"] ?? "binary data"
            return "(\(ByteSize(size).shown) of \(safe(type, width: 60)))"
        }
        // The ellipsis lets the beginning of a secret be masked that the text is cut within.
        let text = String(decoding: start, as: UTF8.self) + (start.count == size ? "" : "…")
        let words = safe.redact(text).split(whereSeparator: \.isWhitespace)
        return safe(words.joined(separator: " "), width: Self.excerptLength)
    }
}
