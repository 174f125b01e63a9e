import PipelineJSON

/// The work of one request of a pipeline: its templates, expectations and captures.
final class PipelineStep: RequestWork {
    let definition: RequestDefinition
    private let context: RunContext

    init(_ definition: RequestDefinition, _ context: RunContext) {
        self.definition = definition
        self.context = context
    }

    var policy: RequestPolicy {
        var policy = definition.limits.value.policy
        // Polling is no retry: how long it goes on is for the file to say.
        guard let limit = context.options.retryLimit, !isPolling else { return policy }
        var retry = policy.retry ?? RetryPolicy()
        retry.limit = limit
        policy.retry = retry
        return policy
    }

    var isPolling: Bool { definition.limits.value.until != nil }

    func prepare() throws(RequestError) -> RequestPlan {
        do {
            let values = context.values
            let request = try request(values)
            let credentials = definition.credentials
            return RequestPlan(
                request: request,
                authenticator: context.options.fieldOverrides.mentions("Authorization")
                    ? nil : try credentials?.authenticator(for: request, values, context),
                file: try file(values))
        } catch {
            throw RequestError(error, fallback: definition.place)
        }
    }

    /// What is sent first, without what is worked out anew for each exchange.
    func request() throws(RequestError) -> HTTPRequest {
        do {
            return try request(context.values)
        } catch {
            throw RequestError(error, fallback: definition.place)
        }
    }

    private func request(_ values: VariableValues) throws(TemplateError) -> HTTPRequest {
        let url = try definition.address.render(base: context.baseURL, values)
        var fields = try definition.fields.render(values)
        try definition.cookies.render(into: &fields, values)
        var request = HTTPRequest(method: definition.method, url: url)
        if let template = definition.body {
            let (body, contentType) = try template.render(values, context.files)
            request.body = body
            if fields["Content-Type"] == nil {
                fields.append(HTTPField(name: "Content-Type", value: contentType))
            }
        }
        let credentials = definition.credentials
        if let credentials,
            let value = try credentials.template.render(values, at: credentials.place)
        {
            fields["Authorization"] = value
        }
        context.options.fieldOverrides.apply(to: &fields)
        request.fields = fields
        request.timeout = context.options.timeout ?? definition.limits.value.timeout
        request.connectTimeout =
            context.options.connectTimeout ?? definition.limits.value.connectTimeout
        request.wantsCertificate = definition.wantsCertificate
        try connect(&request, values)
        return request
    }

    private func connect(
        _ request: inout HTTPRequest, _ values: VariableValues
    ) throws(TemplateError) {
        if let ownOrigin = context.ownOrigin, Origin(request.url) == ownOrigin {
            request.sharedConnection = .direct
            return
        }
        if let fixed = definition.fixedConnection {
            request.sharedConnection = fixed
        } else {
            request.connection = try definition.connection.value.render(values, context.files)
        }
        if let adjust = context.options.adjustConnection { adjust(&request.connection) }
    }

    /// The file that the body is saved to; made now, so that nothing is sent when it cannot be.
    private func file(_ values: VariableValues) throws(TemplateError) -> BodyFile? {
        guard let saveTo = definition.saveTo?.value else { return nil }
        let path = try saveTo.writable(values, context.files)
        do {
            return try BodyFile(path: path)
        } catch {
            throw TemplateError(message: error.message, place: saveTo.place)
        }
    }

    func holdsSecret(_ text: String) -> Bool { context.redactor.redact(text) != text }

    func expects(status: Int) -> Bool { definition.expectations.status.allows(status) }

    func unmet(
        _ response: AttemptResponse, before deadline: ContinuousClock.Instant?
    ) -> [Finding] {
        guard let until = definition.limits.value.until else { return [] }
        let time = deadline.map { MatchingTime(until: $0) }
        return MatchingTime.$current.withValue(time) {
            do throws(TemplateError) {
                return try until.findings(
                    ResponseView(response), context.values, fallback: definition.place)
            } catch {
                // What cannot be looked at does not hold.
                return [Finding(error.message, at: error.place ?? definition.place)]
            }
        }
    }

    func judge(
        _ response: AttemptResponse, unmet: [Finding], before deadline: ContinuousClock.Instant?
    ) -> Judgement {
        let view = ResponseView(response)
        guard let deadline, definition.hasChecks else { return judge(view, unmet) }
        let time = MatchingTime(until: deadline)
        let judgement = MatchingTime.$current.withValue(time) { judge(view, unmet) }
        guard time.isExceeded else { return judgement }
        // A search that gave up has no answer (case O31), so the time is what is wrong.
        let error = TransportError(.timedOut, "timed out while the response was checked")
        return Judgement(error: RequestError(error))
    }

    private func judge(_ view: ResponseView, _ unmet: [Finding]) -> Judgement {
        do throws(RequestError) {
            try check(view, unmet)
            let taken = try captures(of: view)
            guard !taken.isEmpty else { return Judgement(warnings: view.warnings) }
            return Judgement(warnings: view.warnings) { [context] in
                for (capture, value) in taken { context.values[capture.slot] = value }
            }
        } catch {
            return Judgement(error: error, warnings: view.warnings)
        }
    }

    private func check(_ view: ResponseView, _ unmet: [Finding]) throws(RequestError) {
        var findings = unmet
        do {
            findings += try definition.expectations.findings(
                view, context.values, fallback: definition.place)
        } catch {
            throw RequestError(error, fallback: definition.place)
        }
        guard findings.isEmpty else {
            // What would have been captured as secret is secret all the same.
            let isMasked = maskSecrets(view)
            throw RequestError(.expectation, findings: findings, hidesResponse: !isMasked)
        }
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
    private func captures(
        of view: ResponseView
    ) throws(RequestError) -> [(Capture, JSONValue)] {
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
                    "the secret \"\(capture.name)\" is, or holds, a value shorter than "
                        + "\(limit) bytes, true, false or null, which could not be masked",
                    at: capture.place))
        }
        guard findings.isEmpty else {
            let isMasked = maskSecrets(view)
            throw RequestError(.capture, findings: findings, hidesResponse: !isMasked)
        }
        return taken
    }
}

/// What the steps of one run share.
final class RunContext: Sendable {
    let values: VariableValues
    let baseURL: String?
    let files: FileRoot
    let options: RunOptions
    let redactor: Redactor
    let digestSessions = DigestSessions()
    /// That of a server of this process; `nil` without one.
    let ownOrigin: Origin?

    init(_ inputs: PipelineInputs, _ options: RunOptions) {
        values = VariableValues(inputs.values)
        baseURL = inputs.baseURL
        redactor = inputs.redactor
        files = inputs.pipeline.files
        self.options = options
        ownOrigin =
            options.ownsBaseURL
            ? inputs.baseURL.flatMap { try? HTTPURL($0) }.map { Origin($0) } : nil
    }
}

extension Shared<ConnectionOptions> {
    /// Nothing stands between, also where the environment names a proxy.
    fileprivate static let direct = {
        var options = ConnectionOptions()
        options.proxy = .none
        return Shared(options)
    }()
}

extension RequestError {
    init(_ error: TemplateError, fallback: SourcePlace) {
        self.init(
            .invalidRequest,
            findings: [Finding(error.message, at: error.place ?? fallback)])
    }
}
