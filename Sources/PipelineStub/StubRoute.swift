import PipelineCore

/// One example: the method and path it is for, and the answer.
public struct StubRoute: Sendable, Hashable {
    /// The method it answers, case-sensitive (RFC 9110, section 9.1).
    public let method: String
    /// The paths it answers.
    public let path: StubPath
    /// What it answers.
    public let answer: StubAnswer
    /// What messages call it: the name of the request in the pipeline that the example comes from,
    /// or the method and the path.
    public let name: String

    /// Checks and keeps an example.
    ///
    /// - Parameters:
    ///   - method: The method it answers; GET by default.
    ///   - path: The paths it answers.
    ///   - answer: What it answers; a status of 200 without content by default.
    ///   - name: What messages call it; the method and the path by default.
    /// - Throws: ``StubError`` with ``StubError/Code/invalidRoute`` when the method is no token, the
    ///   status is not within 100 to 999, a field name is no token, or a field value holds CR, LF
    ///   or NUL, which would let it forge further lines (RFC 9110, section 5.5).
    public init(
        method: String = "GET", path: StubPath, answer: StubAnswer = StubAnswer(),
        name: String? = nil
    ) throws(StubError) {
        let name = name ?? "\(method) \(path)"
        func refuse(_ problem: String) -> StubError {
            StubError(.invalidRoute, "the example of \(name): \(problem)")
        }
        guard method.utf8.isToken else { throw refuse("\"\(method)\" is not a method") }
        guard 100...999 ~= answer.status else {
            throw refuse("expected a status from 100 to 999, found \(answer.status)")
        }
        for field in answer.fields {
            guard field.name.utf8.isToken else {
                throw refuse("\"\(field.name)\" is not a header name")
            }
            // Looked for byte by byte: CR LF is one Character and equals neither of the two.
            guard !field.value.utf8.contains(where: { $0 == 0x0D || $0 == 0x0A || $0 == 0 }) else {
                throw refuse("the header \(field.name) holds a line break or NUL")
            }
        }
        self.method = method
        self.path = path
        self.answer = answer
        self.name = name
    }
}
