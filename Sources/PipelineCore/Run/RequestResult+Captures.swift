package import PipelineJSON

/// A value that a response brought for the requests that follow.
package struct CapturedValue: Sendable {
    /// The variable that holds it.
    package let name: String
    /// The value.
    package let value: JSONValue
    /// Whether the file asks for it to be masked.
    package let isSecret: Bool
}

extension RequestResult {
    /// What it captured, in the order of the file; empty unless it succeeded.
    package var captures: [CapturedValue] {
        guard outcome == .succeeded else { return [] }
        return definition.captures.compactMap { capture in
            values[capture.slot].map {
                CapturedValue(name: capture.name, value: $0, isSecret: capture.isSecret)
            }
        }
    }
}
