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
    private var body: BodyTemplate?
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
        var placeholders = address.url.placeholders
        for parameter in address.query { placeholders += parameter.value.placeholders }
        for line in shared.fields.lines { placeholders += line.value.placeholders }
        placeholders += shared.credentials?.template.placeholders ?? []
        placeholders += body?.placeholders ?? []
        placeholders += shared.expectations.placeholders
        for capture in captures { placeholders += capture.placeholders }
        if isEnabled { loader.checkPlaceholders(placeholders, of: name) }
        return RequestDefinition(
            name: name, method: method, isEnabled: isEnabled, address: address, example: example,
            fields: shared.fields, credentials: shared.credentials, body: body,
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
        case "query": query = parameters(value)
        case "body":
            body = body(value)
            bodyValue = value
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

    private func parameters(_ value: JSONValue) -> [AddressTemplate.Parameter] {
        var result: [AddressTemplate.Parameter] = []
        for member in value.members {
            let values = member.value.kind == .array ? Array(member.value.elements) : [member.value]
            for value in values {
                let template =
                    value.kind == .string
                    ? loader.template(value) : Template(literal: value.sourceText)
                result.append(.init(name: member.name, value: template))
            }
        }
        return result
    }

    private func body(_ value: JSONValue) -> BodyTemplate? {
        if let json = value["json"] { return .json(loader.jsonTemplate(json)) }
        if let text = value["text"], text.kind == .string { return .text(loader.template(text)) }
        if let form = value["form"] { return .form(parameters(form)) }
        guard let base64 = value["base64"], let text = base64.string else { return nil }
        guard let bytes = Base64.decode(text) else {
            loader.report("expected Base64 (RFC 4648)", base64.sourceRange)
            return nil
        }
        return .bytes(bytes)
    }

    private func example(_ value: JSONValue) -> ExampleDefinition {
        var shape = RequestDefaults(nil, loader)
        for member in value.members where member.name == "headers" { shape.apply(member, loader) }
        let content = value["body"].flatMap { body($0) }
        let placeholders = shape.fields.lines.flatMap(\.value.placeholders)
        loader.checkPlaceholders(placeholders + (content?.placeholders ?? []))
        return ExampleDefinition(
            status: value["status"]?.number?.int ?? 200,
            delay: loader.duration(value["delay"]) ?? .zero, fields: shape.fields,
            body: content)
    }
}
