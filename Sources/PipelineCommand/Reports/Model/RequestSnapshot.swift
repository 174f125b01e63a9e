import PipelineCore

/// What is known of a request when it has ended, before the engine lets go of its messages.
///
/// Taken on the thread that brought the end: nothing is worked out here. A class, since the stream of
/// events and the reports each keep it until another thread gets to it.
final class RequestSnapshot: Sendable {
    let position: Int
    let definition: RequestDefinition
    let isFinally: Bool
    let outcome: RequestResult.Outcome
    let startedAt: UTCTime?
    let offset: Duration?
    let duration: Duration?
    let cancellation: Cancellation?
    let error: RequestError?
    let request: HTTPRequest?
    let response: HTTPResponse?
    /// How large the body of the response was before it was cut.
    let responseSize: Int
    let attemptCount: Int
    /// Empty for an attempt of one exchange, which the request and the response tell of.
    let attempts: [RequestAttempt]
    let captures: [CapturedValue]
    let warnings: [String]

    /// - Parameters:
    ///   - startedAt: When it was started; `nil` when it never was.
    ///   - offset: From the start of the file to then.
    init(_ result: RequestResult, startedAt: UTCTime?, offset: Duration?) {
        position = result.position
        definition = result.definition
        isFinally = result.isFinally
        outcome = result.outcome
        self.startedAt = startedAt
        self.offset = offset
        guard let record = result.record else {
            (duration, cancellation, error, request, response) = (nil, nil, nil, nil, nil)
            (responseSize, attemptCount, attempts, captures, warnings) = (0, 0, [], [], [])
            return
        }
        duration = record.duration
        cancellation = record.cancellation
        error = record.error
        request = record.request
        var response = record.response
        responseSize = max(response?.body.count ?? 0, response?.metrics.decodedBodySize ?? 0)
        if let body = response?.body, body.count > Self.bodyLimit {
            // Copied, so that the rest is not kept until the report gets to it.
            response?.body = Array(body.prefix(Self.bodyLimit))
        }
        self.response = response
        attemptCount = record.attemptCount
        attempts = record.attempts
        captures = result.captures
        warnings = record.warnings
    }

    /// A request of a file that was not run.
    ///
    /// - Parameter error: What keeps it from being run; `nil` for what is not its own doing.
    init(
        _ definition: RequestDefinition, position: Int, isFinally: Bool, error: RequestError? = nil
    ) {
        self.position = position
        self.definition = definition
        self.isFinally = isFinally
        self.error = error
        outcome = error != nil ? .failed : definition.isEnabled ? .cancelled : .skipped
        (startedAt, offset, duration, cancellation) = (nil, nil, nil, nil)
        (request, response, responseSize, attemptCount) = (nil, nil, 0, 0)
        (attempts, captures, warnings) = ([], [], [])
    }

    /// Whether the response holds a secret that cannot be masked.
    var hidesResponse: Bool { error?.hidesResponse ?? false }

    /// A byte more than is shown tells that there is more.
    private static let bodyLimit = ReportedBody.limit + 1
}
