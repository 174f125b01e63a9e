import PipelineCore

/// Everything about one request that failed: what was wrong, what came back, how to try it.
struct FailureBlock {
    private let request: RequestResult
    private let error: RequestError
    private let source: SourceText
    private let safe: SafeText

    private static let excerptLength = 200

    /// `nil` for a request that did not fail.
    init?(_ request: RequestResult, in source: SourceText, safe: SafeText) {
        guard request.outcome == .failed, let error = request.error else { return nil }
        self.request = request
        self.error = error
        self.source = source
        self.safe = safe
    }

    /// The block, without a blank line around it.
    var lines: [Line] {
        var lines = diagnostics.flatMap(\.lines)
        if let response = request.response {
            lines.append(Line("  response  ", .dim) + Line(excerpt(of: response)))
        }
        if let sent = request.record?.request {
            let command = CurlCommand(sent, redact: safe.redact).text
            lines.append(Line("  try       ", .dim) + Line(command))
        }
        return lines
    }

    private var diagnostics: [Diagnostic] {
        let place = request.definition.place
        guard error.findings.isEmpty else {
            return error.findings.map { source.diagnostic($0.message, at: $0.place ?? place) }
        }
        let code = error.transportError?.libraryCode.map { " (libcurl error \($0))" } ?? ""
        return [source.diagnostic("\(error.message)\(code)", at: place)]
    }

    /// The beginning of the body on one line.
    private func excerpt(of response: HTTPResponse) -> String {
        // Enough for any secret that begins within the excerpt to be seen whole and masked.
        let start = response.body.prefix(16_384)
        if start.isEmpty { return "(empty)" }
        if start.contains(0) {
            let type = response.fields["Content-Type"] ?? "binary data"
            return "(\(ByteSize(response.body.count)) of \(safe(type, width: 60)))"
        }
        let words = safe.redact(String(decoding: start, as: UTF8.self))
            .split(whereSeparator: \.isWhitespace)
        let text = safe(words.joined(separator: " "), width: Self.excerptLength)
        let isWhole = text.hasSuffix("…") || start.count == response.body.count
        return isWhole ? text : text + "…"
    }
}
