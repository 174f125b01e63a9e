import PipelineJSON

/// A response as expectations and captures see it: each reading of it is made once, when it is
/// first asked for.
final class ResponseView {
    let request: HTTPRequest
    let response: HTTPResponse
    /// The seconds since the beginning of 1970 in UTC.
    let now: Int
    private var json: Result<JSONValue, SourceFailure>?
    private var text: Result<String, SourceFailure>?

    init(
        _ response: HTTPResponse, to request: HTTPRequest, at now: Int = GeneratedValue.timestamp()
    ) {
        self.now = now
        self.response = response
        self.request = request
    }

    /// What is odd about the body as far as it was looked at.
    private(set) var warnings: [String] = []

    /// The body as JSON, whatever its media type says (case O22).
    func jsonBody() throws(SourceFailure) -> JSONValue {
        let result = json ?? parseJSON()
        json = result
        return try result.get()
    }

    /// The body as text in the charset of its media type.
    func textBody() throws(SourceFailure) -> String {
        let result = text ?? decodeText()
        text = result
        return try result.get()
    }

    private func parseJSON() -> Result<JSONValue, SourceFailure> {
        do {
            let value = try JSONValue(parsing: response.body)
            if let doubled = value.doubledNames(limit: 1).first {
                let name = doubled.second.name.shortened
                warnings.append("the body has the name \"\(name)\" twice; the last one counts")
            }
            if value.document.firstLoneSurrogate != nil {
                warnings.append("the body has half a surrogate pair; U+FFFD stands in its place")
            }
            return .success(value)
        } catch {
            let start =
                response.body.isEmpty
                ? "" : "; it begins with \(TextExcerpt.of(response.body, limit: 60))"
            return .failure(
                SourceFailure(
                    "the body is not JSON: \(reason(error)) (byte \(error.offset))\(start)"))
        }
    }

    /// What is wrong, without the advice that is meant for whoever writes a file.
    private func reason(_ error: JSONError) -> String {
        error.message.split(separator: ";").first.map(String.init) ?? error.message
    }

    private func decodeText() -> Result<String, SourceFailure> {
        let name = response.fields["Content-Type"].flatMap { MediaType($0) }?.charset ?? "utf-8"
        guard let charset = Charset(name) else {
            return .failure(SourceFailure("the charset \"\(name)\" of the body is not supported"))
        }
        guard let text = charset.decode(response.body) else {
            return .failure(SourceFailure("the body is not text in the charset \"\(name)\""))
        }
        return .success(text)
    }
}

/// Why nothing could be read from a response.
struct SourceFailure: Error {
    let message: String
    /// Whether there was nothing to be found, as opposed to something that cannot be read.
    let isAbsence: Bool

    init(_ message: String, isAbsence: Bool = false) {
        self.message = message
        self.isAbsence = isAbsence
    }
}
