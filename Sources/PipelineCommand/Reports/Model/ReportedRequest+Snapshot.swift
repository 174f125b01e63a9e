import PipelineCore
import PipelineJSON

/// Makes what reports are told of the requests of one file: masks secrets in everything, once for
/// all reports.
struct RequestReporter: Sendable {
    let source: SourceText
    let redactor: Redactor
    /// Whether the command line gave up the verification of certificates.
    let isInsecure: Bool

    /// One problem of a file as reports tell it.
    static func finding(
        _ diagnostic: Diagnostic, comparison: ReportedComparison? = nil,
        difference: [String] = [], redact: (String) -> String
    ) -> ReportedFinding {
        let numbers = diagnostic.location.split(separator: ":").suffix(2).map { Int($0) }
        let hasPlace = numbers.count == 2 && !diagnostic.excerpt.isEmpty
        return ReportedFinding(
            message: redact(diagnostic.message), location: redact(diagnostic.location),
            line: hasPlace ? numbers[0] : nil, column: hasPlace ? numbers[1] : nil,
            path: redact(diagnostic.path), excerpt: diagnostic.excerpt.map(redact),
            comparison: comparison, difference: difference.map(redact))
    }

    func curlCommand(_ snapshot: RequestSnapshot) -> String? {
        // What could not be sent as it is nobody else could send either.
        guard snapshot.error?.code != .invalidRequest,
            snapshot.error?.transportError?.code != .invalidRequest
        else { return nil }
        let redact = redactor.isEmpty ? { $0 } : redactor.redact
        return snapshot.request.map { CurlCommand($0, redact: redact).text }
    }

    func cancellation(
        _ snapshot: RequestSnapshot, _ reason: String?, _ mask: Mask
    ) -> ReportedCancellation? {
        guard snapshot.outcome == .cancelled else { return nil }
        guard let cancellation = snapshot.cancellation else {
            return ReportedCancellation(
                reason: nil, culprit: nil, message: mask(reason ?? "not started"))
        }
        return ReportedCancellation(
            reason: cancellation.reason, culprit: cancellation.culprit.map { mask($0.name) },
            message: mask(cancellation.description))
    }

    func error(_ snapshot: RequestSnapshot, _ mask: Mask) -> ReportedError? {
        guard snapshot.outcome == .failed, let error = snapshot.error else { return nil }
        let definition = snapshot.definition
        var findings = error.findings.map { finding in
            Self.finding(
                source.diagnostic(finding.message, at: finding.place ?? definition.place),
                comparison: snapshot.hidesResponse ? nil : finding.comparison.map { mask($0) },
                difference: finding.difference, redact: mask.callAsFunction)
        }
        if findings.isEmpty {
            findings = [
                Self.finding(
                    source.diagnostic(error.message, at: definition.place(of: error)),
                    redact: mask.callAsFunction)
            ]
        }
        return ReportedError(
            code: error.code, transportCode: error.transportError?.code,
            libraryCode: error.transportError?.libraryCode, message: mask(error.message),
            findings: findings)
    }

    func capture(_ value: CapturedValue, _ mask: Mask) -> ReportedCapture {
        ReportedCapture(
            name: mask(value.name), value: value.isSecret ? "***" : mask(value.value),
            isSecret: value.isSecret)
    }

    func expectations(_ snapshot: RequestSnapshot, _ mask: Mask) -> [ReportedExpectation] {
        snapshot.definition.expectationOutcomes(
            status: snapshot.response?.status, error: snapshot.error
        ).map { ReportedExpectation(subject: mask($0.subject), isMet: $0.isMet) }
    }
}

// Messages.
extension RequestReporter {
    /// What came back to be judged.
    func response(_ snapshot: RequestSnapshot, _ mask: Mask) -> ReportedResponse? {
        guard !snapshot.hidesResponse, let response = snapshot.response else { return nil }
        let saved = response.savedBody
        let size = saved?.size ?? snapshot.responseSize
        let fields = fields(response.fields, mask)
        let body =
            size == 0 && saved == nil
            ? nil
            : body(response.body, size: size, fields: fields, savedTo: saved?.path, mask)
        return ReportedResponse(
            status: response.status, version: response.head.version,
            message: ReportedMessage(fields: fields, body: body))
    }

    /// What was tried; the last exchange has the response.
    func attempts(
        _ snapshot: RequestSnapshot, response: ReportedResponse?, _ mask: Mask
    ) -> [ReportedAttempt] {
        let attempts = snapshot.attempts
        // Known is when the request ended; those that were not kept came after the first.
        let kept = attempts.reduce(Duration.zero) { $0 + $1.wait + $1.duration }
        var offset = max(.zero, (snapshot.duration ?? kept) - kept)
        return attempts.enumerated().map { index, attempt in
            offset += attempt.wait
            let start = index == 0 && attempts.count < snapshot.attemptCount ? .zero : offset
            offset += attempt.duration
            let isLast = index == attempts.count - 1
            return ReportedAttempt(
                number: index == 0 ? 1 : snapshot.attemptCount - attempts.count + index + 1,
                wait: attempt.wait, offset: start, duration: attempt.duration,
                error: isLast && snapshot.outcome == .cancelled
                    ? snapshot.cancellation.map { mask($0.description) }
                    : attempt.error.map { mask($0.message) },
                exchanges: exchanges(
                    attempt, from: start, response: isLast ? response : nil,
                    hidesResponse: snapshot.hidesResponse, mask))
        }
    }

    private func exchanges(
        _ attempt: RequestAttempt, from start: Duration, response: ReportedResponse?,
        hidesResponse: Bool, _ mask: Mask
    ) -> [ReportedExchange] {
        var offset = start
        return attempt.exchanges.enumerated().map { index, exchange in
            defer { offset += .microseconds(exchange.metrics?.timings.total ?? 0) }
            let judged = index == attempt.exchanges.count - 1 ? response : nil
            let answer = judged ?? (hidesResponse ? nil : exchange.head.map { head($0, mask) })
            return ReportedExchange(
                offset: offset, request: message(exchange.request, mask),
                url: mask(exchange.request.url.text), method: exchange.request.method,
                response: answer, metrics: exchange.metrics.map { metrics($0, mask) })
        }
    }

    private func metrics(_ metrics: ExchangeMetrics, _ mask: Mask) -> ExchangeMetrics {
        guard let certificate = metrics.certificate else { return metrics }
        var metrics = metrics
        metrics.certificate = Certificate(
            subject: mask(certificate.subject), issuer: mask(certificate.issuer),
            expires: certificate.expires)
        return metrics
    }

    private func message(_ request: HTTPRequest, _ mask: Mask) -> ReportedMessage {
        let fields = fields(request.fields, mask)
        return ReportedMessage(
            fields: fields,
            body: request.body.map {
                body($0.shown, size: $0.size, fields: fields, savedTo: nil, mask)
            })
    }

    private func head(_ head: HTTPResponse.Head, _ mask: Mask) -> ReportedResponse {
        ReportedResponse(
            status: head.status, version: head.version,
            message: ReportedMessage(fields: fields(head.fields, mask), body: nil))
    }

    private func fields(_ fields: HTTPFields, _ mask: Mask) -> HTTPFields {
        guard !mask.isEmpty else { return fields }
        return HTTPFields(fields.map { HTTPField(name: mask($0.name), value: mask($0.value)) })
    }

    private func body(
        _ bytes: [UInt8], size: Int, fields: HTTPFields, savedTo: String?, _ mask: Mask
    ) -> ReportedBody {
        ReportedBody(
            bytes: mask(beginningOf: bytes, size: size, limit: ReportedBody.limit), size: size,
            isCut: bytes.count < size || bytes.count > ReportedBody.limit,
            mediaType: fields["Content-Type"], savedTo: savedTo.map { mask($0) })
    }
}

/// Masks the secrets that were known when it was made.
struct Mask {
    private let redactor: Redactor
    let isEmpty: Bool

    private static let ellipsis = Array("…".utf8)

    init(_ redactor: Redactor) {
        self.redactor = redactor
        isEmpty = redactor.isEmpty
    }

    func callAsFunction(_ text: String) -> String { isEmpty ? text : redactor.redact(text) }

    /// The value; as text where something in it is masked.
    func callAsFunction(_ value: JSONValue) -> JSONValue {
        guard !isEmpty else { return value }
        let text = value.plainText
        let masked = redactor.redact(text)
        return masked == text ? value : JSONValue(masked)
    }

    func callAsFunction(_ comparison: Finding.Comparison) -> ReportedComparison {
        ReportedComparison(
            subject: self(comparison.subject), requirement: self(comparison.requirement),
            expected: comparison.expected.map { self($0) },
            actual: comparison.actual.map { self($0) })
    }

    /// The beginning of so many bytes, of which these are there, also without the beginning of a
    /// secret that it was cut within.
    func callAsFunction(beginningOf bytes: [UInt8], size: Int, limit: Int) -> [UInt8] {
        var end = min(bytes.count, limit)
        if end < bytes.count {
            // Not within a character.
            while end > limit - 4, bytes[end] & 0xC0 == 0x80 { end -= 1 }
        }
        let start = end == bytes.count ? bytes : Array(bytes[..<end])
        guard !isEmpty else { return start }
        guard end < size else { return redactor.masked(start) }
        return redactor.masked(start + Self.ellipsis).dropLast(Self.ellipsis.count)
    }
}

extension HTTPRequest.Body {
    /// As much of the bytes as reports show; a file is named, not read.
    fileprivate var shown: [UInt8] {
        switch self {
        case .bytes(let bytes): return bytes
        case .pieces(let pieces):
            var shown: [UInt8] = []
            for piece in pieces where shown.count <= ReportedBody.limit {
                switch piece {
                case .bytes(let bytes): shown += bytes
                case .file(let path, let size):
                    shown += Array("[\(path), \(ByteSize(size).shown)]".utf8)
                }
            }
            return shown
        }
    }
}
