import PipelineCore

/// A request as a curl command that sends the same when it is pasted into a shell.
struct CurlCommand {
    private let request: HTTPRequest
    private let redact: (String) -> String

    /// Larger bodies are left to standard input.
    private static let largestBody = 8_192

    /// Secrets are masked before anything is quoted, which would change their form.
    init(_ request: HTTPRequest, redact: @escaping (String) -> String) {
        self.request = request
        self.redact = redact
    }

    /// The command, on one line.
    var text: String {
        let body = body
        var words = ["curl"] + method
        if request.url.target.utf8.contains(where: { "[]{}".utf8.contains($0) }) {
            words.append("--globoff")
        }
        if request.url.target.contains("/.") { words.append("--path-as-is") }
        if !request.connection.tls.isVerified { words.append("--insecure") }
        if let file = request.connection.tls.authorities { words += ["--cacert", quoted(file)] }
        for field in request.fields {
            // To curl a name with nothing after it means: without that field.
            let line = field.value.isEmpty ? "\(field.name);" : "\(field.name): \(field.value)"
            words += ["-H", quoted(line)]
        }
        words += body.words + [quoted(request.url.text)]
        return (body.source.map { "\($0) | " } ?? "") + words.joined(separator: " ") + body.remark
    }

    private var method: [String] {
        switch (request.method, request.body) {
        case ("GET", nil), ("POST", .some): []
        case ("HEAD", _): ["--head"]
        // A body of no bytes has a length too (RFC 9110, section 8.6).
        case ("POST", nil), ("PUT", nil), ("PATCH", nil):
            ["-X", request.method, "-H", "'Content-Length: 0'"]
        default: ["-X", quoted(request.method)]
        }
    }

    private var body: Body {
        guard case .bytes(let bytes) = request.body else { return Body() }
        guard bytes.count <= Self.largestBody, let text = String(validating: bytes, as: UTF8.self)
        else {
            return Body(
                words: ["--data-binary", "@-"],
                remark: "   (with the body of \(ByteSize(bytes.count)) on standard input)")
        }
        let masked = redact(text)
        guard let source = ShellText.printf(masked) else {
            return Body(words: ["--data-raw", ShellText.quoted(masked)])
        }
        return Body(words: ["--data-binary", "@-"], source: source)
    }

    /// How the body comes to curl.
    private struct Body {
        var words: [String] = []
        /// A command that writes it.
        var source: String?
        /// What the reader must know.
        var remark = ""
    }

    private func quoted(_ text: String) -> String { ShellText.quoted(redact(text)) }
}
