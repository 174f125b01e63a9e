import PipelineJSON

/// What every request of a pipeline inherits: the keys that `defaults` and a request share.
struct RequestDefaults {
    var fields = FieldsTemplate()
    var credentials: RequestDefinition.Credentials?
    private(set) var connection = Shared(ConnectionTemplate())
    /// The options that ``connection`` stands for when no value has to be put in.
    private(set) var fixedConnection: Shared<ConnectionOptions>? = .standard
    private var isConnectionChanged = false
    var limits = Shared(RequestDefinition.Limits())
    var expectations = Expectations()

    init(_ value: JSONValue?, _ loader: PipelineLoader) {
        for member in value?.members ?? .none { apply(member, loader) }
        fixConnection(loader)
    }

    /// Takes over one member of `defaults` or of a request; returns whether it is a shared key.
    ///
    /// What has the wrong shape was reported before and is left out.
    @discardableResult
    mutating func apply(_ member: JSONValue.Member, _ loader: PipelineLoader) -> Bool {
        let value = member.value
        switch member.name {
        case "headers": applyFields(value, loader)
        case "auth": applyCredentials(value, loader)
        case "expect": applyExpectations(value, loader)
        case "tls":
            changeConnection { ConnectionCompiler(loader: loader).apply(tls: value, to: &$0) }
        case "proxy": changeConnection { $0.proxy = loader.line(value) }
        case "retry": changeLimits { $0.apply(retry: value, loader) }
        case "redirects":
            changeLimits { $0.policy.redirectLimit = value.number?.int ?? defaultRedirectLimit }
        case "timeout":
            changeLimits {
                $0.timeout = loader.duration(value)
                $0.timeoutPlace = SourcePlace(value.sourceRange)
            }
        case "connectTimeout": changeLimits { $0.connectTimeout = loader.duration(value) }
        case "maxBody":
            let size = value.string.flatMap(ByteSize.init(parsing:))?.bytes
            changeLimits { $0.policy.bodyLimit = size ?? .max }
        default: return false
        }
        return true
    }

    /// Works out the options, once for all requests that change nothing about them.
    mutating func fixConnection(_ loader: PipelineLoader) {
        guard isConnectionChanged else { return }
        isConnectionChanged = false
        fixedConnection = ConnectionCompiler(loader: loader).fixed(connection.value)
    }

    mutating func changeConnection(_ change: (inout ConnectionTemplate) -> Void) {
        var template = connection.value
        change(&template)
        connection = Shared(template)
        isConnectionChanged = true
    }

    /// Requests that set nothing of it themselves go on sharing one value.
    mutating func changeLimits(_ change: (inout RequestDefinition.Limits) -> Void) {
        var limits = limits.value
        change(&limits)
        self.limits = Shared(limits)
    }

    /// A name that is written replaces all lines of that name that were inherited.
    private mutating func applyFields(_ value: JSONValue, _ loader: PipelineLoader) {
        for member in value.members {
            let name = member.name
            fields.remove(name)
            let values = member.value.kind == .array ? Array(member.value.elements) : [member.value]
            for value in values where value.kind == .string {
                if value.string?.utf8.contains(where: \.isLineBreakOrNull) ?? false {
                    loader.report("a header may not hold a line break or NUL", value.sourceRange)
                }
                fields.append(
                    .init(
                        name: name, value: loader.template(value),
                        place: SourcePlace(value.sourceRange)))
            }
        }
    }

    private mutating func applyCredentials(_ value: JSONValue, _ loader: PipelineLoader) {
        credentials = nil
        let place = SourcePlace(value.sourceRange)
        for member in value.members {
            let value = member.value
            func part(_ name: String) -> Template {
                value[name].flatMap { $0.kind == .string ? loader.template($0) : nil }
                    ?? Template(literal: "")
            }
            let template: CredentialsTemplate
            switch member.name {
            case "bearer" where value.kind == .string: template = .bearer(loader.template(value))
            case "basic": template = .basic(username: part("username"), password: part("password"))
            case "digest":
                template = .digest(username: part("username"), password: part("password"))
            case "awsSigV4":
                template = .amazon(
                    accessKeyID: part("accessKeyId"), secretAccessKey: part("secretAccessKey"),
                    sessionToken: value["sessionToken"].map { _ in part("sessionToken") },
                    region: part("region"), service: part("service"))
            default: continue
            }
            credentials = .init(template: template, place: place)
        }
    }

    /// Each key that is written replaces the inherited one; `null` switches all of them off.
    private mutating func applyExpectations(_ value: JSONValue, _ loader: PipelineLoader) {
        if value.isNull { expectations = Expectations() }
        ExpectationCompiler(loader: loader).apply(value, to: &expectations)
    }
}

extension PipelineLoader {
    /// Compiles a JSONPath, the same one once, or reports what is wrong with it.
    func path(_ text: String, at bytes: Range<Int>) -> JSONPath? {
        if let known = paths[text] { return known }
        do {
            let path = try JSONPath(text)
            paths[text] = path
            return path
        } catch {
            report("\(error)", bytes)
            return nil
        }
    }
}

extension JSONValue.Member {
    /// The name as the file writes it, quotes and all.
    var nameText: String { JSONValue(name).description }
}
