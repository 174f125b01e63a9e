import PipelineCore

/// What is shown of one request.
struct StepLine: Sendable {
    let name: String
    let method: String
    let path: String
    var ending = Ending.skipped
    /// How often it was tried.
    var attemptCount = 1
    /// Where its body was saved; `nil` when it was not.
    var savedBody: HTTPResponse.SavedBody?

    /// What became of it.
    enum Ending: Sendable {
        case succeeded(status: Int?, Duration?, captures: [Capture])
        case failed(status: Int?, Duration?)
        /// Why, and how long it had been in flight; `nil` when its turn never came.
        case cancelled(String, Duration?)
        case skipped
    }

    /// A value that was taken along.
    struct Capture: Sendable {
        let name: String
        let value: String
    }
}

extension StepLine {
    init(_ definition: RequestDefinition) {
        name = definition.name
        method = definition.method
        path = definition.address.text
    }

    /// Why the request was about to be tried again when it was cancelled.
    private static func lastFailure(of result: RequestResult) -> String {
        guard result.attemptCount > 0, result.error != nil,
            let error = result.attempts.last(where: { $0.error?.code != .cancelled })?.error
        else { return "" }
        return ", last \(error.message)"
    }

    init(_ result: RequestResult) {
        self.init(result.definition)
        attemptCount = result.attemptCount
        savedBody = result.response?.savedBody
        let status = result.response?.status
        ending =
            switch result.outcome {
            case .succeeded:
                .succeeded(
                    status: status, result.duration,
                    captures: result.captures.map {
                        Capture(name: $0.name, value: $0.isSecret ? "***" : $0.value.plainText)
                    })
            case .failed: .failed(status: status, result.duration)
            case .cancelled:
                .cancelled(
                    (result.cancellation?.description ?? "cancelled")
                        + Self.lastFailure(of: result),
                    result.error == nil ? nil : result.duration)
            case .skipped: .skipped
            }
    }
}
