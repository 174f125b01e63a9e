import PipelineJSON

/// A value that is taken from a response for the requests that follow.
struct Capture: Sendable {
    let name: String
    let slot: Int
    let path: JSONPath
    /// The value when nothing is found; `nil` when that is a failure.
    let defaultValue: JSONTemplate?
    let isSecret: Bool
    let place: SourcePlace

    /// The value, freed from the response it stands in.
    func value(
        _ body: ResponseJSON, _ values: VariableValues
    ) throws(TemplateError) -> Result<JSONValue, Finding> {
        let nodes: [JSONValue]
        do {
            nodes = path.nodes(in: try body.value())
        } catch {
            return try missing(body.complaint(error), values)
        }
        if path.isSingular {
            guard let node = nodes.first else {
                return try missing("found nothing at \(path.text)", values)
            }
            return .success(node.detached())
        }
        guard !nodes.isEmpty else {
            return try missing("found nothing at \(path.text)", values)
        }
        return .success(JSONValue(array: nodes))
    }

    private func missing(
        _ message: String, _ values: VariableValues
    ) throws(TemplateError) -> Result<JSONValue, Finding> {
        if let defaultValue { return .success(try defaultValue.value(values)) }
        return .failure(Finding("the capture \"\(name)\" \(message)", at: place))
    }
}

extension Finding: Error {}
