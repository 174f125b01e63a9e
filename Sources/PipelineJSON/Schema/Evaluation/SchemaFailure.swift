/// What did not match, before any text is made of it: most failures are thrown away again.
struct SchemaFailure {
    let branch: Branch
    let cause: Cause

    enum Cause {
        /// The schema `false`, and the keyword that applied it.
        case never(appliedBy: Keyword<Applicator>?)

        /// With what `Assertion.failures(of:)` gave.
        case assertion(Keyword<Assertion>, Int)

        /// With the number of branches that matched.
        case applicator(Keyword<Applicator>, Int)
    }

    init(_ branch: Branch, _ cause: Cause) {
        self.branch = branch
        self.cause = cause
    }
}

extension JSONSchema {
    func finding(_ failure: SchemaFailure, in root: JSONValue) -> JSONSchemaFinding {
        let place = schemas[failure.branch.schema].place
        let instance = JSONValue(document: root.document, index: failure.branch.node)
        let keyword: String
        let message: String
        var source = place.source
        switch failure.cause {
        case .never(let parent):
            keyword = parent?.name(applying: failure.branch.schema) ?? "false"
            message = "expected nothing here, found \(instance.found)"
        case .assertion(let assertion, let detail):
            keyword = assertion.name
            source = assertion.source
            message = assertion.message(instance, detail)
        case .applicator(let applicator, let matches):
            keyword = applicator.name
            source = applicator.source
            message = "expected \(applicator.rule.expectation(matches)) \(instance.found)"
        }
        return JSONSchemaFinding(
            instanceLocation: String(decoding: root.pointer(to: instance), as: UTF8.self),
            schemaLocation: resources[place.resource].location(of: source),
            keyword: keyword, message: message, instance: instance)
    }
}

extension Applicator {
    /// The part of a message up to the value that was found.
    fileprivate func expectation(_ matches: Int) -> String {
        switch self {
        case .anyOf(let ids):
            "a match of one or more of \(ids.count) schemas, found none for"
        case .oneOf(let ids):
            "a match of exactly one of \(ids.count) schemas, found "
                + (matches == 0 ? "none for" : "more than one for")
        case .not:
            "anything but a match of this schema, found"
        default:
            "\(demand?.text("items") ?? "all items") to match, found \(matches) in"
        }
    }
}

extension Keyword<Applicator> {
    /// The keyword as it is written, of those that are applied as one.
    fileprivate func name(applying id: SchemaID) -> String {
        switch rule {
        case .properties(let rules) where rules.additional != id:
            rules.named.values.contains(id) ? "properties" : "patternProperties"
        case .items(let prefix, _) where prefix.contains(id):
            "prefixItems"
        default:
            name
        }
    }
}
