import PipelineJSON

/// A response as expectations and captures see it: each reading of it is made once, when it is
/// first asked for.
final class ResponseView {
    private let source: AttemptResponse
    /// The seconds since the beginning of 1970 in UTC.
    let now: Int
    private var json: Result<JSONValue, SourceFailure>?
    private var text: Result<String, SourceFailure>?

    init(_ source: AttemptResponse, at now: Int = GeneratedValue.timestamp()) {
        self.now = now
        self.source = source
    }

    /// What it answers: after a redirect, another request than the first.
    var request: HTTPRequest { source.request }
    var response: HTTPResponse { source.response }
    /// The addresses that redirects led to.
    var redirects: [HTTPURL] { source.redirects }
    /// From the dispatch of the attempt to the last byte.
    var duration: Duration { source.duration }

    /// The size of the decoded body.
    var bodySize: Int { source.file?.size ?? response.body.count }

    /// The decoded body, also when it was streamed to a file, if it has a size that memory is meant
    /// for.
    func body() throws(SourceFailure) -> [UInt8] {
        guard let file = source.file else { return response.body }
        guard file.size <= defaultBodyLimit else {
            throw SourceFailure(
                "the saved body has \(ByteSize(file.size)), too much to be looked at")
        }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(file.size)
        try readBody { bytes.append(contentsOf: $0) }
        return bytes
    }

    /// Hands on the decoded body, whatever its size, in one or several parts.
    func readBody(_ take: (UnsafeRawBufferPointer) -> Void) throws(SourceFailure) {
        guard let file = source.file else { return response.body.withUnsafeBytes(take) }
        do {
            try file.read { part in
                part.withUnsafeBytes(take)
                return true
            }
        } catch {
            throw SourceFailure(error.message)
        }
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
        let bytes: [UInt8]
        do throws(SourceFailure) {
            bytes = try body()
        } catch {
            return .failure(error)
        }
        do {
            let value = try JSONValue(parsing: bytes)
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
                bytes.isEmpty ? "" : "; it begins with \(TextExcerpt.of(bytes, limit: 60))"
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
        let bytes: [UInt8]
        do throws(SourceFailure) {
            bytes = try body()
        } catch {
            return .failure(error)
        }
        guard let text = charset.decode(bytes) else {
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
