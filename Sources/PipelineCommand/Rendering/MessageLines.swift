import PipelineCore
import PipelineJSON

/// What was sent and what came back, as curl's `-v` shows it: `>` for one, `<` for the other.
struct MessageLines {
    private let redact: (String) -> String
    private let showsBodies: Bool

    /// How much of a body is shown.
    private static let bodyLimit = 16_384
    private static let indentation = "      "

    /// - Parameters:
    ///   - showsBodies: Whether bodies are shown as well as heads.
    ///   - redact: Masks secrets, in whole texts, before they are cut or divided into lines.
    init(showsBodies: Bool, redact: @escaping (String) -> String) {
        self.showsBodies = showsBodies
        self.redact = redact
    }

    /// Every exchange of every attempt.
    func lines(of result: RequestResult) -> [Line] {
        let attempts = result.attempts
        let hidesResponse = result.error?.hidesResponse ?? false
        return attempts.enumerated().flatMap { number, attempt -> [Line] in
            let isLast = number == attempts.count - 1
            var lines = attempt.exchanges.enumerated().flatMap { index, exchange -> [Line] in
                let isJudged = isLast && index == attempt.exchanges.count - 1
                var lines = self.lines(of: exchange.request, version: exchange.head?.version)
                if hidesResponse {
                    lines.append(marked("<", "(hidden: it holds a secret too short to be masked)"))
                } else if let head = exchange.head {
                    lines += self.lines(of: head)
                    if isJudged, let response = result.response { lines += body(of: response) }
                }
                return lines
            }
            if !isLast || attempt.exchanges.last?.head == nil, let error = attempt.error {
                lines.append(marked("*", error.message))
            }
            return lines
        }
    }

    /// What is sent, without the fields that the transport adds.
    func lines(of request: HTTPRequest, version: String? = nil) -> [Line] {
        let protocolName = version.map { " HTTP/\($0)" } ?? ""
        var lines = [marked(">", "\(request.method) \(request.url.target)\(protocolName)")]
        if request.fields["Host"] == nil {
            lines.append(marked(">", "Host: \(request.url.authority)"))
        }
        lines += fields(request.fields, ">")
        guard showsBodies, let body = request.body else { return lines }
        return lines + self.body(body, type: request.fields["Content-Type"])
    }

    private func lines(of head: HTTPResponse.Head) -> [Line] {
        let reason = HTTPStatus.reason(head.status).map { " \($0)" } ?? ""
        return [marked("<", "HTTP/\(head.version) \(head.status)\(reason)")]
            + fields(head.fields, "<")
    }

    private func fields(_ fields: HTTPFields, _ mark: String) -> [Line] {
        fields.map { marked(mark, "\($0.name): \($0.value)") } + [marked(mark, "")]
    }

    private func marked(_ mark: String, _ text: String) -> Line {
        Line(Self.indentation + (text.isEmpty ? mark : "\(mark) "), .dim) + Line(redact(text))
    }
}

// Bodies.
extension MessageLines {
    private func body(of response: HTTPResponse) -> [Line] {
        guard showsBodies else { return [] }
        if let saved = response.savedBody {
            return [plain("(\(ByteSize(saved.size).shown), saved to \(redact(saved.path)))")]
        }
        let size = max(response.body.count, response.metrics.decodedBodySize)
        return text(response.body, size: size, type: response.fields["Content-Type"])
    }

    private func body(_ body: HTTPRequest.Body, type: String?) -> [Line] {
        switch body {
        case .bytes(let bytes): return text(bytes, size: bytes.count, type: type)
        case .pieces(let pieces):
            return pieces.flatMap { piece in
                switch piece {
                case .bytes(let bytes): text(bytes, size: bytes.count, type: nil)
                case .file(let path, let size):
                    [plain("(\(ByteSize(size).shown) of \(redact(path)))")]
                }
            }
        }
    }

    private func text(_ bytes: [UInt8], size: Int, type: String?) -> [Line] {
        guard size > 0 else { return [] }
        let isCut = bytes.count < size || bytes.count > Self.bodyLimit
        let start = bytes.prefix(Self.bodyLimit)
        guard !start.contains(0), isCut || String(validating: start, as: UTF8.self) != nil else {
            let what = type.map { " of \(redact($0))" } ?? ""
            return [plain("(\(ByteSize(size).shown)\(what))")]
        }
        let json = isCut ? nil : try? JSONValue(parsing: Array(start)).prettyPrinted()
        // The ellipsis lets the beginning of a secret be masked that the text is cut within.
        let shown = redact((json ?? String(decoding: start, as: UTF8.self)) + (isCut ? "…" : ""))
        let lines = shown.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        return lines.map { plain(String($0)) }
            + (isCut ? [plain("(the beginning of \(ByteSize(size).shown))")] : [])
    }

    private func plain(_ text: String) -> Line { Line(Self.indentation + text) }
}
