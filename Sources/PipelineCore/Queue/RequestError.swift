public import PipelineJSON

/// Why a request did not succeed.
public struct RequestError: Error, Sendable {
    /// What kind of failure it was, for programs.
    public let code: Code
    /// What happened, for people: one sentence without a full stop.
    public let message: String
    /// Each expectation or capture that did not hold, in the order of the file; empty for other
    /// kinds of failure.
    public let findings: [Finding]
    /// The transport's own account; `nil` unless the code is ``Code/transport``.
    public let transportError: TransportError?
    /// Whether the response holds a secret that cannot be masked, so that it must not be shown.
    package let hidesResponse: Bool

    /// The kinds of failure; reports keep these names.
    public enum Code: String, Sendable, Hashable, CaseIterable {
        /// An expectation about the response does not hold.
        case expectation
        /// A value could not be captured from the response.
        case capture
        /// The request could not be put together: a value is missing or cannot stand where it is
        /// used. Nothing was sent.
        case invalidRequest
        /// The exchange was not completed; ``transportError`` tells why.
        case transport
        /// The body is larger than the request's limit.
        case bodyTooLarge
        /// A redirect could not be followed: there were too many, or its address is not one.
        case redirect
        /// The body could not be saved to its file.
        case notSaved
        /// The deadline of the run came while the request was in flight.
        case deadline
        /// The request was cancelled while it was in flight.
        case cancelled
    }

    package init(
        _ code: Code, _ message: String, findings: [Finding] = [], hidesResponse: Bool = false
    ) {
        self.code = code
        self.message = message
        self.findings = findings
        self.hidesResponse = hidesResponse
        self.transportError = nil
    }

    init(_ error: TransportError) {
        self.code = .transport
        self.message = error.message
        self.findings = []
        self.hidesResponse = false
        self.transportError = error
    }

    /// The failure of a request that was cancelled after its start.
    ///
    /// - Parameter wasSent: Whether anything of it was sent; not during its delay.
    init(_ cancellation: Cancellation, wasSent: Bool) {
        self.init(
            cancellation.reason == .deadline ? .deadline : .cancelled,
            "\(cancellation), \(wasSent ? "in flight" : "before it was sent")")
    }

    /// What stands for the failure of a request that was cancelled before its turn.
    init(beforeItsTurn cancellation: Cancellation) {
        self.init(
            cancellation.reason == .deadline ? .deadline : .cancelled,
            "\(cancellation), before its turn")
    }

    /// The failure of expectations or captures, summed up by the first of them.
    init(_ code: Code, findings: [Finding], hidesResponse: Bool = false) {
        self.init(
            code, findings.first?.message ?? "", findings: findings, hidesResponse: hidesResponse)
    }
}

extension RequestError: CustomStringConvertible {
    /// The message.
    public var description: String { message }
}

/// One thing about a response that is not as it should be.
public struct Finding: Sendable, Hashable {
    /// What was expected and what was found.
    public let message: String
    /// What was compared with what; `nil` where nothing could be.
    public let comparison: Comparison?
    /// What is missing, extra or changed, a line each, where whole objects or arrays differ.
    public let difference: [String]
    /// Where the file asks for it; `nil` when nothing in the file does.
    package let place: SourcePlace?
    /// Where it asks for what could not be looked at for the same reason.
    var otherPlaces: [SourcePlace] = []

    init(
        _ message: String, at place: SourcePlace? = nil, comparison: Comparison? = nil,
        difference: [String] = []
    ) {
        self.message = message
        self.comparison = comparison
        self.difference = difference
        self.place = place
    }

    /// The two sides of a check that does not hold.
    public struct Comparison: Sendable, Hashable {
        /// What was looked at, as messages call it: `$.user.id`, `the header ETag`.
        public let subject: String
        /// What it must be, as messages tell it: `to be 8 (number)`.
        public let requirement: String
        /// The value that the file asks for; `nil` where it asks for something else, such as that
        /// there be one.
        public let expected: JSONValue?
        /// What was found, in order: where a path finds several, the first few; of a value that is
        /// very long the beginning of its JSON, as a string.
        public let actual: [JSONValue]

        /// How many values are kept, and how many bytes of each: 20, and 16 KiB.
        private static let limit = (values: 20, bytes: 16_384)

        init(
            subject: String, requirement: String, expected: JSONValue?, actual: [JSONValue]
        ) {
            self.subject = subject
            self.requirement = requirement
            self.expected = expected
            self.actual = actual.prefix(Self.limit.values).map { value in
                let text = value.serialized()
                return text.count <= Self.limit.bytes
                    ? value.detached() : JSONValue(TextExcerpt.of(text, limit: Self.limit.bytes))
            }
        }
    }
}
