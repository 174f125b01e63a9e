import PipelineJSON

/// The work of one request of a pipeline: its templates, expectations and captures.
final class PipelineStep: RequestWork {
    let definition: RequestDefinition
    private let context: RunContext

    init(_ definition: RequestDefinition, _ context: RunContext) {
        self.definition = definition
        self.context = context
    }

    var bodyLimit: Int { definition.limits.bodySize }

    func makeRequest() throws(RequestError) -> HTTPRequest {
        do {
            let values = context.values
            let url = try definition.address.render(base: context.baseURL, values)
            var fields = try definition.fields.render(values)
            if let credentials = definition.credentials {
                fields["Authorization"] = try credentials.template.render(
                    values, at: credentials.place)
            }
            var request = HTTPRequest(method: definition.method, url: url)
            if let body = definition.body {
                request.body = .bytes(try body.render(values))
                if fields["Content-Type"] == nil {
                    fields.append(HTTPField(name: "Content-Type", value: body.contentType))
                }
            }
            request.fields = fields
            request.timeout = context.options.timeout ?? definition.limits.timeout
            request.connectTimeout =
                context.options.connectTimeout ?? definition.limits.connectTimeout
            if let adjust = context.options.adjustConnection { adjust(&request.connection) }
            request.wantsCertificate = definition.wantsCertificate
            return request
        } catch {
            throw RequestError(error, fallback: definition.place)
        }
    }

    func judge(
        _ response: HTTPResponse, to request: HTTPRequest, before deadline: ContinuousClock.Instant?
    ) -> Judgement {
        let view = ResponseView(response, to: request)
        guard let deadline, definition.hasChecks else { return judge(view) }
        let time = MatchingTime(until: deadline)
        let judgement = MatchingTime.$current.withValue(time) { judge(view) }
        guard time.isExceeded else { return judgement }
        // A search that gave up has no answer (case O31), so the time is what is wrong.
        let error = TransportError(.timedOut, "timed out while the response was checked")
        return Judgement(error: RequestError(error))
    }

    private func judge(_ view: ResponseView) -> Judgement {
        do throws(RequestError) {
            try check(view)
            return Judgement(warnings: view.warnings)
        } catch {
            return Judgement(error: error, warnings: view.warnings)
        }
    }

    private func check(_ view: ResponseView) throws(RequestError) {
        let findings: [Finding]
        do {
            findings = try definition.expectations.findings(
                view, context.values, fallback: definition.place)
        } catch {
            throw RequestError(error, fallback: definition.place)
        }
        guard findings.isEmpty else {
            // What would have been captured as secret is secret all the same.
            let isMasked = maskSecrets(view)
            throw RequestError(.expectation, findings: findings, hidesResponse: !isMasked)
        }
        if !definition.captures.isEmpty { try capture(view) }
    }

    /// Masks what secret captures look at and what they would make of it.
    ///
    /// - Returns: Whether all of it is long enough to be masked.
    private func maskSecrets(_ view: ResponseView) -> Bool {
        var isMasked = true
        for capture in definition.captures where capture.isSecret {
            var values = capture.rawValues(view)
            if case .success(let value)? = try? capture.value(view, context.values) {
                values.append(value)
            }
            for value in values where !context.redactor.add(value) { isMasked = false }
        }
        return isMasked
    }

    /// Takes all values or none: what a failed request brought is not used.
    private func capture(_ view: ResponseView) throws(RequestError) {
        var taken: [(Capture, JSONValue)] = []
        var findings: [Finding] = []
        for capture in definition.captures {
            do {
                switch try capture.value(view, context.values) {
                case .success(let value): taken.append((capture, value))
                case .failure(let finding): findings.append(finding)
                }
            } catch {
                throw RequestError(error, fallback: definition.place)
            }
        }
        for (capture, value) in taken where capture.isSecret {
            guard !context.redactor.add(value) else { continue }
            let limit = Redactor.minimumLength
            findings.append(
                Finding(
                    "the secret \"\(capture.name)\" is shorter than \(limit) bytes "
                        + "and could not be masked",
                    at: capture.place))
        }
        guard findings.isEmpty else {
            let isMasked = maskSecrets(view)
            throw RequestError(.capture, findings: findings, hidesResponse: !isMasked)
        }
        for (capture, value) in taken { context.values[capture.slot] = value }
    }
}

/// What the steps of one run share.
final class RunContext: Sendable {
    let values: VariableValues
    let baseURL: String?
    let options: RunOptions
    let redactor: Redactor

    init(_ inputs: PipelineInputs, _ options: RunOptions) {
        values = VariableValues(inputs.values)
        baseURL = inputs.baseURL
        redactor = inputs.redactor
        self.options = options
    }
}

extension RequestError {
    init(_ error: TemplateError, fallback: SourcePlace) {
        self.init(
            .invalidRequest,
            findings: [Finding(error.message, at: error.place ?? fallback)])
    }
}
