import PipelineJSON

/// What every request of a pipeline inherits: the keys that `defaults` and a request share.
struct RequestDefaults {
    var fields = FieldsTemplate()
    var credentials: RequestDefinition.Credentials?
    var limits = RequestDefinition.Limits()
    var expectations = Expectations()

    init(_ value: JSONValue?, _ loader: PipelineLoader) {
        for member in value?.members ?? .none { apply(member, loader) }
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
        case "timeout":
            limits = .init(
                timeout: loader.duration(value), connectTimeout: limits.connectTimeout,
                bodySize: limits.bodySize, timeoutPlace: SourcePlace(value.sourceRange))
        case "connectTimeout":
            limits = .init(
                timeout: limits.timeout, connectTimeout: loader.duration(value),
                bodySize: limits.bodySize, timeoutPlace: limits.timeoutPlace)
        case "maxBody":
            limits = .init(
                timeout: limits.timeout, connectTimeout: limits.connectTimeout,
                bodySize: value.string.flatMap(ByteSize.init(parsing:))?.bytes ?? .max,
                timeoutPlace: limits.timeoutPlace)
        default: return false
        }
        return true
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
        if let token = value["bearer"], token.kind == .string {
            credentials = .init(template: .bearer(loader.template(token)), place: place)
        } else if let basic = value["basic"],
            let username = basic["username"], let password = basic["password"]
        {
            credentials = .init(
                template: .basic(
                    username: loader.template(username), password: loader.template(password)),
                place: place)
        }
    }

    /// Each key that is written replaces the inherited one; `null` switches all of them off.
    private mutating func applyExpectations(_ value: JSONValue, _ loader: PipelineLoader) {
        if value.isNull { expectations = Expectations() }
        let compiler = ExpectationCompiler(loader: loader)
        for member in value.members {
            if member.name == "status" {
                expectations.status = ExpectationCompiler.status(member.value)
            } else {
                expectations.checks.removeAll { $0.key == member.name }
                expectations.checks += compiler.checks(member)
            }
        }
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
