/// What a stub answers to one request of a pipeline, with all values put in.
package struct ExampleAnswer: Sendable {
    /// The name of the request.
    package let name: String
    /// The method that is answered.
    package let method: String
    /// The path that is answered: text, or `nil` for anything, where the value is captured, secret
    /// or made up anew.
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
    /// A request whose address begins with a captured value is answered if it has an example: where
    /// it goes is not known yet.
    ///
    /// - Throws: ``PipelineError`` naming each request that has no example.
    package func examples() throws(PipelineError) -> [ExampleAnswer] {
        let store = VariableValues(values)
        let fixed = fixedSlots
        var problems: [Problem] = []
        var answers: [ExampleAnswer] = []
        for request in pipeline.requests + pipeline.finally {
            guard request.isEnabled else { continue }
            do throws(TemplateError) {
                let pieces = try request.address.pieces(store, fixed: fixed)
                let isRelative = AddressTemplate.isRelative(pieces)
                guard isRelative ?? (request.example != nil) else { continue }
                guard let example = request.example else {
                    throw TemplateError(
                        message:
                            "the stub cannot answer \"\(request.name)\": it has no \"example\"",
                        place: request.place)
                }
                answers.append(try answer(request, example, pieces, store))
            } catch {
                problems.append(
                    Problem(message: error.message, place: error.place ?? request.place))
            }
        }
        guard problems.isEmpty else { throw PipelineError(problems, in: pipeline.source) }
        return answers
    }

    /// The slots whose values are the same in every run: neither a response nor chance fills them.
    ///
    /// Secrets are not among them, because the stub may have placeholders for them.
    private var fixedSlots: Set<Int> {
        let requests = pipeline.requests + pipeline.finally
        var varying = Set(requests.flatMap { $0.captures.map(\.slot) })
        // The order of the uses, so that what a varying value is put into varies as well.
        for slot in VariableOrder(pipeline.variables).slots {
            let isVarying =
                switch pipeline.variables.entries[slot].source {
                case .secret: true
                case .captured, .environment: false
                case .declared(let template):
                    template.placeholders.contains {
                        guard case .slot(let used) = $0.reference else { return true }
                        return varying.contains(used)
                    }
                }
            if isVarying { varying.insert(slot) }
        }
        return Set(values.indices.filter { values[$0] != nil && !varying.contains($0) })
    }

    private func answer(
        _ request: RequestDefinition, _ example: ExampleDefinition, _ pieces: [String?],
        _ store: VariableValues
    ) throws(TemplateError) -> ExampleAnswer {
        var fields = try example.fields.render(store)
        if let body = example.body, fields["Content-Type"] == nil {
            fields.append(HTTPField(name: "Content-Type", value: body.contentType))
        }
        return ExampleAnswer(
            name: request.name, method: request.method,
            pathPieces: pieces, status: example.status, fields: fields,
            body: try example.body?.render(store) ?? [], delay: example.delay)
    }
}
