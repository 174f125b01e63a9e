import PipelineJSON

/// A request as a run would send it, as far as that is known before any response.
package struct RequestPreview: Sendable {
    package let definition: RequestDefinition
    package let isFinally: Bool
    /// What would be sent, or why it cannot be put together; `nil` for what is left out.
    package let request: Result<HTTPRequest, RequestError>?
}

extension PipelineInputs {
    /// What a run would send, in the order of the file.
    ///
    /// A value that only a response brings is stood in for by a text that
    /// ``namingCaptures(in:)`` replaces, because it comes through every encoding but Base64 as it is.
    /// Nothing is sent and no file is written.
    ///
    /// - Throws: ``PipelineError`` as a run does before it begins.
    package func previews(
        options: RunOptions = RunOptions()
    ) throws(PipelineError) -> [RequestPreview] {
        var inputs = self
        if let baseURL = options.baseURL { inputs = try replacingBaseURL(baseURL) }
        let selected = try pipeline.positions(of: options.selection)
        let context = RunContext(inputs, options)
        for slot in capturedSlots { context.values[slot] = JSONValue(Self.standIn(for: slot)) }
        return (pipeline.requests + pipeline.finally).enumerated().map { position, definition in
            let step = PipelineStep(definition, context)
            return RequestPreview(
                definition: definition, isFinally: position >= pipeline.requests.count,
                request: selected.contains(position)
                    ? Result { () throws(RequestError) in
                        Self.showingCredentials(of: try step.request())
                    } : nil)
        }
    }

    /// Writes out what Base64 would hide of captured values (RFC 7617).
    private static func showingCredentials(of request: HTTPRequest) -> HTTPRequest {
        guard let value = request.fields["Authorization"], value.hasPrefix("Basic "),
            let bytes = Base64.decode(String(value.dropFirst("Basic ".count)))
        else { return request }
        let pair = String(decoding: bytes, as: UTF8.self)
        guard pair.contains(standInStart) else { return request }
        var request = request
        request.fields["Authorization"] = "Basic base64(\(pair))"
        return request
    }

    /// Puts `{{name}}` where a captured value is stood in for.
    package func namingCaptures(in text: String) -> String {
        guard text.contains(Self.standInStart) else { return text }
        return capturedSlots.reduce(text) { text, slot in
            let name = pipeline.variables.entries[slot].name
            return text.replacing(Self.standIn(for: slot), with: "{{\(name)}}")
        }
    }

    private var capturedSlots: [Int] {
        pipeline.variables.entries.indices.filter { slot in
            if case .captured = pipeline.variables.entries[slot].source { true } else { false }
        }
    }

    private static let standInStart = "captured-value-"

    private static func standIn(for slot: Int) -> String { "\(standInStart)\(slot)-of-a-response" }
}
