import PipelineJSON

/// Compiles one request of a pipeline file.
struct RequestCompiler {
    private let value: JSONValue
    private let loader: PipelineLoader
    private var shared: RequestDefaults
    private var name: JSONValue?
    private var method: String?
    private var url: JSONValue?
    private var query: [AddressTemplate.Parameter] = []
    private var cookies: [RequestDefinition.Cookie] = []
    private var body: RequestBodyTemplate?
    private var saveTo: FileTemplate?
    private var bodyValue: JSONValue?
    private var captures: [Capture] = []
    private var example: ExampleDefinition?
    private var isEnabled = true

    init(_ value: JSONValue, _ defaults: RequestDefaults, _ loader: PipelineLoader) {
        self.value = value
        self.loader = loader
        shared = defaults
    }

    /// The request; `nil` when it has no address, which was reported before.
    mutating func compile(hasBase: Bool) -> RequestDefinition? {
        for member in value.members where !shared.apply(member, loader) { take(member) }
        guard let url, url.kind == .string else { return nil }
        let address = AddressTemplate(
            url: loader.template(url), query: query, place: SourcePlace(url.sourceRange))
        checkAddress(address, hasBase: hasBase)
        let method = method ?? (body == nil ? "GET" : "POST")
        if method == "HEAD", let bodyValue {
            loader.report(
                "a HEAD request has no body (RFC 9110, section 9.3.2)", bodyValue.sourceRange)
        }
        let name = name?.string ?? "\(method) \(address.text)"
        checkRetry(method, of: name)
        shared.fixConnection(loader)
        var placeholders = address.url.placeholders
        for parameter in address.query { placeholders += parameter.value.placeholders }
        for line in shared.fields.lines { placeholders += line.value.placeholders }
        placeholders += shared.credentials?.template.placeholders ?? []
        placeholders += body?.placeholders ?? []
        for cookie in cookies { placeholders += cookie.value.placeholders }
        placeholders += shared.connection.value.placeholders
        placeholders += saveTo?.path.placeholders ?? []
        placeholders += shared.limits.value.until?.placeholders ?? []
        placeholders += shared.expectations.placeholders
        for capture in captures { placeholders += capture.placeholders }
        if isEnabled {
            loader.checkPlaceholders(placeholders, of: name)
            for file in body?.files ?? [] { loader.checkReadable(file) }
            if let saveTo { loader.checkWritable(saveTo) }
        }
        return RequestDefinition(
            name: name, method: method, isEnabled: isEnabled, address: address, example: example,
            fields: shared.fields, credentials: shared.credentials, cookies: cookies, body: body,
            connection: shared.connection, fixedConnection: shared.fixedConnection,
            saveTo: saveTo.map { Shared($0) },
            limits: shared.limits, expectations: shared.expectations, captures: captures,
            neededSlots: loader.capturedSlots(placeholders),
            place: SourcePlace((self.name ?? url).sourceRange))
    }

    private mutating func take(_ member: JSONValue.Member) {
        let value = member.value
        switch member.name {
        case "name": name = value
        case "method": method = value.string
        case "url": url = value
        case "query": query = BodyCompiler(loader: loader).parameters(value)
        case "cookies": cookies = value.members.compactMap { cookie($0) }
        case "body":
            body = BodyCompiler(loader: loader).requestBody(value)
            bodyValue = value
        case "delay":
            shared.changeLimits { $0.policy.delay = loader.duration(value) ?? .zero }
        case "unixSocket": shared.changeConnection { $0.unixSocket = loader.line(value) }
        case "http":
            let version = value.string.flatMap(ConnectionOptions.HTTPVersion.init)
            shared.changeConnection { $0.version = version }
        case "saveTo": saveTo = loader.file(value)
        case "captures":
            let compiler = CaptureCompiler(loader: loader)
            captures = value.members.compactMap { compiler.capture($0) }
        case "example": example = example(value)
        case "enabled": isEnabled = value.boolean ?? true
        default: break
        }
    }

    /// Looks at what is certain about an address before any value is known.
    private func checkAddress(_ address: AddressTemplate, hasBase: Bool) {
        if address.isRelative, !hasBase {
            loader.report(
                "a relative address needs a \"baseURL\" to be joined to", address.place)
        }
        guard let literal = address.url.literal, !address.isRelative || hasBase else { return }
        do {
            // A relative address is tried on a base that is certainly good.
            let template = AddressTemplate(
                url: Template(literal: literal), query: [], place: address.place)
            _ = try template.render(base: "http://localhost", VariableValues([]))
        } catch {
            loader.report(error.message, address.place)
        }
    }

    /// Refuses to poll with a request that must not be repeated without a word from the user.
    private func checkRetry(_ method: String, of name: String) {
        let limits = shared.limits.value
        guard let until = limits.until, let retry = limits.policy.retry,
            !retry.retriesNonIdempotent, !HTTPRequest.isIdempotent(method),
            let place = until.status.place
        else { return }
        loader.report(
            "\(method) is not idempotent (RFC 9110, section 9.2.2): to repeat \"\(name.shortened)\" "
                + "until something holds, write \"nonIdempotent\": true",
            place)
    }

    private func cookie(_ member: JSONValue.Member) -> RequestDefinition.Cookie? {
        guard member.value.kind == .string else { return nil }
        return .init(
            name: member.name, value: loader.template(member.value),
            place: SourcePlace(member.value.sourceRange))
    }

    private func example(_ value: JSONValue) -> ExampleDefinition {
        var shape = RequestDefaults(nil, loader)
        for member in value.members where member.name == "headers" { shape.apply(member, loader) }
        let content = value["body"].flatMap { BodyCompiler(loader: loader).content($0) }
        let placeholders = shape.fields.lines.flatMap(\.value.placeholders)
        loader.checkPlaceholders(placeholders + (content?.placeholders ?? []))
        return ExampleDefinition(
            status: value["status"]?.number?.int ?? 200,
            delay: loader.duration(value["delay"]) ?? .zero, fields: shape.fields,
            body: content)
    }
}
