/// What a stub answers to one request of a pipeline, with all values put in.
package struct ExampleAnswer: Sendable {
    /// The name of the request.
    package let name: String
    /// The method that is answered.
    package let method: String
    /// The path that is answered: text, or `nil` for what a captured value may stand for.
    package let pathPieces: [String?]
    /// The status.
    package let status: Int
    /// The header fields, with a media type.
    package let fields: HTTPFields
    /// The content.
    package let body: [UInt8]
    /// How long to wait before the answer.
    package let delay: Duration
}

extension PipelineInputs {
    /// The answers to all requests that go where the base URL points, in the order of the file.
    ///
    /// - Throws: ``PipelineError`` naming each request that has no example.
    package func examples() throws(PipelineError) -> [ExampleAnswer] {
        let store = VariableValues(values)
        var problems: [Problem] = []
        var answers: [ExampleAnswer] = []
        for request in pipeline.requests + pipeline.finally {
            guard request.isEnabled, request.address.isRelative else { continue }
            guard let example = request.example else {
                problems.append(
                    Problem(
                        message:
                            "the stub cannot answer \"\(request.name)\": it has no \"example\"",
                        place: request.place))
                continue
            }
            do {
                answers.append(try answer(request, example, store))
            } catch {
                problems.append(
                    Problem(message: error.message, place: error.place ?? request.place))
            }
        }
        guard problems.isEmpty else { throw PipelineError(problems, in: pipeline.source) }
        return answers
    }

    private func answer(
        _ request: RequestDefinition, _ example: ExampleDefinition, _ store: VariableValues
    ) throws(TemplateError) -> ExampleAnswer {
        var fields = try example.fields.render(store)
        if let body = example.body, fields["Content-Type"] == nil {
            fields.append(HTTPField(name: "Content-Type", value: body.contentType))
        }
        return ExampleAnswer(
            name: request.name, method: request.method,
            pathPieces: request.address.pathPieces(store), status: example.status, fields: fields,
            body: try example.body?.render(store) ?? [], delay: example.delay)
    }
}
