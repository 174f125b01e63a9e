extension RunResult {
    /// The value that a variable had in the end, captured values included, as a type of Swift.
    ///
    /// ```swift
    /// let token = try result.value("token", as: String.self)
    /// let ids = try result.value("ids", as: [Int].self)
    /// ```
    ///
    /// - Parameters:
    ///   - name: The name of a variable of the pipeline.
    ///   - type: `String`, `Int`, `Double`, `Bool`, `JSONValue`, or arrays, dictionaries by `String`
    ///     and optionals (for JSON's `null`) of these. Nothing is converted: the string `"1"` is not
    ///     an `Int`.
    /// - Throws: ``RunValueError``, which tells what was found instead; never the value, which may be
    ///   a secret.
    public func value<Value: JSONReadable>(
        _ name: String, as type: Value.Type
    ) throws(RunValueError) -> Value {
        guard let slot = variables.slot(of: name) else {
            let names = variables.entries.map(\.name)
            let hint = NearestName.hint(name, among: names)
            throw RunValueError(name: name, "the pipeline has no such variable\(hint)")
        }
        guard let value = values[slot] else {
            throw RunValueError(name: name, reasonForNothing(slot))
        }
        do {
            return try Value(reading: value)
        } catch {
            throw RunValueError(name: name, error.description)
        }
    }

    private func reasonForNothing(_ slot: Int) -> String {
        let source = requests.first { request in
            request.definition.captures.contains { $0.slot == slot }
        }
        guard let source else { return "it has no value" }
        let end = source.outcome == .cancelled ? "was cancelled" : source.outcome.rawValue
        return "it has no value: the request \(source.name), which captures it, \(end)"
    }
}

/// Why a value of a run cannot be had.
public struct RunValueError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The name that was asked for.
    public let name: String
    /// What was expected and what was found: one sentence without a full stop.
    public let message: String

    init(name: String, _ message: String) {
        self.name = name
        self.message = message
    }

    /// The name and the message.
    public var description: String { "\(name): \(message)" }
}
