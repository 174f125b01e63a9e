import PipelineJSON

extension RequestDefinition.Limits {
    /// Takes over the key `retry`, all of it; `null` switches it off.
    mutating func apply(retry value: JSONValue, _ loader: PipelineLoader) {
        policy.retry = nil
        until = nil
        guard value.kind == .object else { return }
        var retry = RetryPolicy(limit: value["max"]?.number?.int ?? 0)
        retry.interval = loader.duration(value["interval"]) ?? retry.interval
        retry.backoff = value["backoff"]?.number?.double ?? retry.backoff
        retry.intervalLimit = loader.duration(value["maxInterval"]) ?? retry.intervalLimit
        retry.jitter = value["jitter"]?.number?.double ?? retry.jitter
        retry.retriesNonIdempotent = value["nonIdempotent"]?.boolean ?? false
        if let reasons = value["on"], reasons.kind == .array {
            retry.conditions = RetryPolicy.Conditions(
                network: reasons.elements.contains { $0.string == "network" },
                timeout: reasons.elements.contains { $0.string == "timeout" },
                statuses: ExpectationCompiler(loader: loader).status(reasons).ranges.map(\.codes))
        }
        policy.retry = retry
        if let value = value["until"], value.kind == .object {
            var expectations = Expectations()
            ExpectationCompiler(loader: loader).apply(value, to: &expectations)
            if expectations.status.place == nil {
                expectations.status.place = SourcePlace(value.sourceRange)
            }
            until = expectations
        }
    }
}
