import PipelineJSON

/// What a value must be, compiled when the file is loaded: operators that must all hold.
struct Matcher: Sendable {
    let operations: [Operation]

    /// One operator with its operand.
    struct Operation: Sendable {
        let test: Test
        /// Where the file writes the operand.
        let place: SourcePlace
    }

    /// The operators of the format.
    indirect enum Test: Sendable {
        case equal(JSONTemplate)
        case notEqual(JSONTemplate)
        case ordered(Order, JSONTemplate)
        case oneOf(JSONTemplate, isNegated: Bool)
        case contains(Matcher)
        case startsWith(JSONTemplate)
        case endsWith(JSONTemplate)
        case matches(PatternTemplate)
        case length(Matcher)
        case exists(Bool)
        case type(ValueType)
        case isEmpty(Bool)
        case unordered(JSONTemplate)
        case subset(JSONTemplate)
        case each(Matcher)
        case not(Matcher)
        case dated(Order, JSONTemplate)
    }

    /// How an actual value must compare with the expected one.
    enum Order: String, Sendable {
        case less = "<"
        case lessOrEqual = "≤"
        case greater = ">"
        case greaterOrEqual = "≥"

        func holds<Value: Comparable>(_ actual: Value, _ expected: Value) -> Bool {
            switch self {
            case .less: actual < expected
            case .lessOrEqual: actual <= expected
            case .greater: actual > expected
            case .greaterOrEqual: actual >= expected
            }
        }
    }

    /// A matcher that asks for one value.
    init(equalTo template: JSONTemplate, at place: SourcePlace) {
        operations = [Operation(test: .equal(template), place: place)]
    }

    init(_ operations: [Operation]) {
        self.operations = operations
    }

    /// The placeholders of all operands.
    var placeholders: [Template.Placeholder] { operations.flatMap(\.test.placeholders) }
}

extension Matcher.Test {
    /// The value that is compared with; `nil` for operators that compare with none.
    var operand: JSONTemplate? {
        switch self {
        case .equal(let operand), .notEqual(let operand), .ordered(_, let operand),
            .oneOf(let operand, _), .startsWith(let operand), .endsWith(let operand),
            .unordered(let operand), .subset(let operand), .dated(_, let operand):
            operand
        case .contains, .length, .each, .not, .matches, .exists, .type, .isEmpty: nil
        }
    }

    fileprivate var placeholders: [Template.Placeholder] {
        switch self {
        case .contains(let matcher), .length(let matcher), .each(let matcher), .not(let matcher):
            matcher.placeholders
        case .matches(let pattern): pattern.placeholders
        default: operand?.placeholders ?? []
        }
    }
}

/// What a matcher looks at: the values that a source gave.
struct Nodes: Sendable {
    /// What messages call the source, such as `$.user.id` or `the header ETag`.
    let label: String
    /// What was found, in order.
    let values: [JSONValue]
    /// Whether the source can give one value at most.
    let isSingular: Bool
}
