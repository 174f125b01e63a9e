extension RunEvent: CustomStringConvertible {
    /// What happened, on one line: `failed profile: expected status 200, got 401 Unauthorized`.
    ///
    /// For logs on the developer's own machine: secrets in it are not masked.
    public var description: String {
        switch self {
        case .started(let request): "started \(request.name)"
        case .succeeded(let request): "succeeded \(request.name)"
        case .failed(let request): "failed \(request.name)\(Self.reason(request.error))"
        case .cancelled(let request):
            "cancelled \(request.name)\(Self.reason(request.cancellation))"
        case .skipped(let request): "skipped \(request.name)"
        case .finished(let result): "finished: \(result)"
        }
    }

    private static func reason(_ reason: (some CustomStringConvertible)?) -> String {
        reason.map { ": \($0)" } ?? ""
    }
}

extension RunResult: CustomStringConvertible {
    /// How many requests ended in which way: `2 succeeded, 1 failed, 2 cancelled`.
    public var description: String {
        RequestResult.Outcome.allCases.map { (outcome: $0, count: count($0)) }
            .filter { $0.count > 0 }
            .map { "\($0.count) \($0.outcome.rawValue)" }.joined(separator: ", ")
    }
}
