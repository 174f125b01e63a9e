/// A keyword that applies other schemas, to the value itself or to its children.
enum Applicator: Sendable {
    case reference(SchemaID)
    /// To the outermost resource on the way here that has this dynamic anchor.
    case dynamicReference(SchemaID, anchor: String)
    case allOf([SchemaID])
    case anyOf([SchemaID])
    case oneOf([SchemaID])
    case not(SchemaID)
    case condition(SchemaID)
    /// `then` and `else`: only when the condition came out as `outcome`.
    case consequence(SchemaID, outcome: Bool)
    case dependentSchemas([JSONStringContent: SchemaID])

    case properties(PropertyRules)
    case propertyNames(SchemaID)
    case items(prefix: [SchemaID], rest: SchemaID?)
    case contains(SchemaID, ClosedRange<Int>)
    case unevaluatedProperties(SchemaID)
    case unevaluatedItems(SchemaID)

    /// How many of its branches must match; nil when all must, and then each gives its own findings.
    var demand: ClosedRange<Int>? {
        switch self {
        case .anyOf: 1...Int.max
        case .oneOf: 1...1
        case .not: 0...0
        case .condition: 0...Int.max
        case .contains(_, let range): range
        default: nil
        }
    }

    /// Whether the findings of branches explain why too few of them matched.
    var explainsByBranches: Bool {
        switch self {
        case .anyOf, .oneOf: true
        default: demand == nil
        }
    }

    /// Whether the schemas look at the value itself, so that what they evaluated is evaluated in it.
    var isInPlace: Bool {
        switch self {
        case .properties, .propertyNames, .items, .contains, .unevaluatedProperties,
            .unevaluatedItems:
            false
        default: true
        }
    }

    /// The schemas that are applied, except those of other resources with a dynamic anchor.
    var schemas: [SchemaID] {
        switch self {
        case .reference(let id), .dynamicReference(let id, _), .not(let id), .condition(let id),
            .consequence(let id, _), .propertyNames(let id), .contains(let id, _),
            .unevaluatedProperties(let id), .unevaluatedItems(let id):
            [id]
        case .allOf(let ids), .anyOf(let ids), .oneOf(let ids): ids
        case .dependentSchemas(let ids): Array(ids.values)
        case .properties(let rules):
            rules.named.values + rules.patterns.map(\.schema)
                + [rules.additional].compactMap(\.self)
        case .items(let prefix, let rest): prefix + [rest].compactMap(\.self)
        }
    }
}

/// `properties`, `patternProperties` and `additionalProperties`, which depend on one another.
struct PropertyRules: Sendable {
    var named: [JSONStringContent: SchemaID] = [:]
    var patterns: [(pattern: RegularExpression, schema: SchemaID)] = []
    var additional: SchemaID?

    /// Calls `apply` with each schema for the value of a member with this name.
    func apply(to name: JSONStringContent, _ apply: (SchemaID) -> Void) {
        var isAdditional = true
        if let named = named[name] {
            apply(named)
            isAdditional = false
        }
        if !patterns.isEmpty {
            let text = name.string
            for rule in patterns where rule.pattern.isFound(in: text) {
                apply(rule.schema)
                isAdditional = false
            }
        }
        if isAdditional, let additional { apply(additional) }
    }
}
