/// A schema in compiled form; inside a boolean one and an empty one there is nothing to check.
///
/// A class, so that evaluating it copies none of its keywords.
final class Subschema: Sendable {
    let place: SchemaPlace

    /// Whether this is the schema `false`.
    let isNever: Bool

    /// What is decided by looking at the value.
    let assertions: [Keyword<Assertion>]

    /// What applies other schemas, in the order in which they are to be applied.
    let applicators: [Keyword<Applicator>]

    /// Whether `unevaluatedItems` or `unevaluatedProperties`, which come last, needs to know what the
    /// others looked at.
    let collectsEvaluated: Bool

    init(
        _ place: SchemaPlace, assertions: [Keyword<Assertion>],
        applicators: [Keyword<Applicator>]
    ) {
        self.place = place
        self.assertions = assertions
        self.applicators = applicators
        isNever = place.source.boolean == false
        collectsEvaluated =
            switch applicators.last?.rule {
            case .unevaluatedItems, .unevaluatedProperties: true
            default: false
            }
    }
}

/// A keyword in compiled form.
struct Keyword<Rule: Sendable>: Sendable {
    /// The value of the keyword, a member of its schema.
    let source: JSONValue

    let rule: Rule

    var name: String { source.name.string }
}
