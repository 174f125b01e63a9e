import PipelineJSON

/// What an operator says about some nodes.
///
/// An operator that is not about such values neither holds nor has an opposite that holds: `not`
/// makes no date of a number (cases O29 and O30).
enum Verdict {
    case holds
    case fails
    case isNotApplicable

    init(_ holds: Bool) {
        self = holds ? .holds : .fails
    }

    /// What `not` makes of it.
    var negated: Verdict {
        switch self {
        case .holds: .fails
        case .fails: .holds
        case .isNotApplicable: .isNotApplicable
        }
    }
}

extension Matcher {
    /// Everything about the nodes that does not hold.
    func findings(_ nodes: Nodes, _ values: VariableValues) throws(TemplateError) -> [Finding] {
        var findings: [Finding] = []
        for operation in operations { findings += try operation.findings(nodes, values) }
        return findings
    }

    func holds(_ nodes: Nodes, _ values: VariableValues) throws(TemplateError) -> Bool {
        try verdict(nodes, values) == .holds
    }

    /// All operators together: the first that does not hold decides.
    fileprivate func verdict(
        _ nodes: Nodes, _ values: VariableValues
    ) throws(TemplateError) -> Verdict {
        var result = Verdict.holds
        for operation in operations {
            switch try operation.test.verdict(nodes, values) {
            case .holds: continue
            case .fails: result = .fails
            case .isNotApplicable: return .isNotApplicable
            }
        }
        return result
    }

    fileprivate func verdict(
        _ value: JSONValue, _ values: VariableValues
    ) throws(TemplateError) -> Verdict {
        try verdict(Nodes(label: "", values: [value], isSingular: true), values)
    }
}

extension Matcher.Operation {
    fileprivate func findings(
        _ nodes: Nodes, _ values: VariableValues
    ) throws(TemplateError) -> [Finding] {
        let verdict = try test.verdict(nodes, values)
        guard verdict != .holds else { return [] }
        if let (part, matcher) = try test.part(nodes, values) {
            let findings = try matcher.findings(part, values)
            if !findings.isEmpty { return findings }
        }
        let found =
            switch nodes.values.count {
            case 0: "found nothing"
            case 1:
                "got \(nodes.values[0].shownWithType)"
                    + (verdict == .isNotApplicable ? test.requirement : "")
            default: "found \(nodes.values.count) values: \(nodes.values.shown)"
            }
        let requirement = try test.phrase(values)
        return [
            Finding(
                "expected \(nodes.label) \(requirement), \(found)", at: place,
                comparison: Finding.Comparison(
                    subject: nodes.label, requirement: requirement,
                    expected: try test.operand?.value(values), actual: nodes.values),
                difference: try test.difference(nodes, values))
        ]
    }
}

extension Matcher.Test {
    /// What a matcher inside this one failed on, to be told instead of the whole: the length, or
    /// the first element that is not right.
    fileprivate func part(
        _ nodes: Nodes, _ values: VariableValues
    ) throws(TemplateError) -> (Nodes, Matcher)? {
        switch self {
        case .length(let matcher):
            let length = nodes.isSingular ? nodes.values.first?.length : nodes.values.count
            guard let length else { return nil }
            let label = "the length of \(nodes.label)"
            let part = Nodes(label: label, values: [JSONValue(length)], isSingular: true)
            return (part, matcher)
        case .each(let matcher):
            guard nodes.values.count == 1 || !nodes.isSingular else { return nil }
            let elements = nodes.isSingular ? Array(nodes.values[0].elements) : nodes.values
            for (index, element) in elements.enumerated()
            where try matcher.verdict(element, values) != .holds {
                let label = "element \(index) of \(nodes.label)"
                return (Nodes(label: label, values: [element], isSingular: true), matcher)
            }
            return nil
        default: return nil
        }
    }

    /// Whether the nodes are as the operator wants them.
    ///
    /// What works on lists takes all nodes; everything else needs exactly one, so that nothing
    /// holds by accident because a path found nothing (cases O29 and O30).
    fileprivate func verdict(
        _ nodes: Nodes, _ values: VariableValues
    ) throws(TemplateError) -> Verdict {
        switch self {
        case .exists(let isExpected): return Verdict(nodes.values.isEmpty != isExpected)
        case .not(let matcher): return try matcher.verdict(nodes, values).negated
        case .length(let matcher) where !nodes.isSingular:
            return try matcher.verdict(JSONValue(nodes.values.count), values)
        case .contains(let matcher) where !nodes.isSingular:
            return try Self.contains(nodes.values, matcher, values)
        case .each(let matcher) where !nodes.isSingular:
            return try Self.each(nodes.values, matcher, values)
        default:
            guard nodes.values.count == 1 else { return .isNotApplicable }
            return try verdict(nodes.values[0], values)
        }
    }

    private func verdict(
        _ actual: JSONValue, _ values: VariableValues
    ) throws(TemplateError) -> Verdict {
        switch self {
        case .exists(let isExpected): return Verdict(isExpected)
        case .not(let matcher): return try matcher.verdict(actual, values).negated
        case .equal(let operand): return Verdict(actual == (try operand.value(values)))
        case .notEqual(let operand): return Verdict(actual != (try operand.value(values)))
        case .ordered(let order, let operand):
            return order.verdict(actual, try operand.value(values))
        case .oneOf(let operand, let isNegated):
            let list = try operand.value(values)
            guard list.kind == .array else { return .isNotApplicable }
            return Verdict(list.elements.contains(actual) != isNegated)
        case .contains(let matcher): return try Self.contains(actual, matcher, values)
        case .startsWith(let operand):
            return try Self.compare(actual, operand, values) { $0.starts(with: $1) }
        case .endsWith(let operand):
            return try Self.compare(actual, operand, values) {
                $0.reversed().starts(with: $1.reversed())
            }
        case .matches(let pattern):
            guard let text = actual.string else { return .isNotApplicable }
            return Verdict(try pattern.expression(values).isFound(in: text))
        case .length(let matcher):
            guard let length = actual.length else { return .isNotApplicable }
            return try matcher.verdict(JSONValue(length), values)
        case .type(let type): return Verdict(type.accepts(actual))
        case .isEmpty(let isExpected): return Verdict(actual.isEmptyValue == isExpected)
        case .unordered(let operand):
            return Verdict(UnorderedComparison.areEqual(actual, try operand.value(values)))
        case .subset(let operand):
            return Verdict(SubsetComparison.isSubset(try operand.value(values), of: actual))
        case .each(let matcher):
            guard actual.kind == .array else { return .isNotApplicable }
            return try Self.each(actual.elements, matcher, values)
        case .dated(let order, let operand):
            // The dates of HTTP are the only ones in header fields and cookies.
            guard let text = actual.string,
                let moment = Moment(rfc3339: text) ?? Moment(httpDate: text),
                let limit = try operand.value(values).string.flatMap(Moment.init(rfc3339:))
            else { return .isNotApplicable }
            return Verdict(order.holds(moment, limit))
        }
    }

    /// What a value must be for the operator to be about it, where that is not obvious.
    fileprivate var requirement: String {
        if case .dated = self {
            "; both must be date-times with an offset (RFC 3339), or the dates of HTTP"
        } else {
            ""
        }
    }

    private static func each(
        _ elements: some Sequence<JSONValue>, _ matcher: Matcher, _ values: VariableValues
    ) throws(TemplateError) -> Verdict {
        for element in elements where try matcher.verdict(element, values) != .holds {
            return .fails
        }
        return .holds
    }

    /// A text contains a text; an array contains an element that the matcher accepts.
    private static func contains(
        _ actual: JSONValue, _ matcher: Matcher, _ values: VariableValues
    ) throws(TemplateError) -> Verdict {
        switch actual.kind {
        case .array: return try contains(actual.elements, matcher, values)
        case .string:
            guard matcher.operations.count == 1,
                case .equal(let operand) = matcher.operations[0].test,
                let part = try operand.value(values).string, let text = actual.string
            else { return .isNotApplicable }
            return Verdict(ByteSearch.contains(Array(text.utf8), Array(part.utf8)))
        default: return .isNotApplicable
        }
    }

    private static func contains(
        _ elements: some Sequence<JSONValue>, _ matcher: Matcher, _ values: VariableValues
    ) throws(TemplateError) -> Verdict {
        for element in elements where try matcher.verdict(element, values) == .holds {
            return .holds
        }
        return .fails
    }

    /// Compares two texts by their UTF-8, so that no two ways to write a character are the same.
    private static func compare(
        _ actual: JSONValue, _ operand: JSONTemplate, _ values: VariableValues,
        _ relation: ([UInt8], [UInt8]) -> Bool
    ) throws(TemplateError) -> Verdict {
        guard let text = actual.string, let part = try operand.value(values).string else {
            return .isNotApplicable
        }
        return Verdict(relation(Array(text.utf8), Array(part.utf8)))
    }
}

extension Matcher.Order {
    /// Numbers by value, texts by their code points; other types have no order.
    fileprivate func verdict(_ actual: JSONValue, _ expected: JSONValue) -> Verdict {
        if let actual = actual.number, let expected = expected.number {
            return Verdict(holds(actual, expected))
        }
        guard let actual = actual.string, let expected = expected.string else {
            return .isNotApplicable
        }
        return Verdict(holds(CodePoints(text: actual), CodePoints(text: expected)))
    }
}

/// A text ordered by its code points: `String` orders by canonical equivalence.
private struct CodePoints: Comparable {
    let text: String

    static func < (one: CodePoints, other: CodePoints) -> Bool {
        one.text.utf8.lexicographicallyPrecedes(other.text.utf8)
    }

    static func == (one: CodePoints, other: CodePoints) -> Bool {
        one.text.utf8.elementsEqual(other.text.utf8)
    }
}

extension JSONValue {
    /// Characters (code points), elements or members; `nil` for what has no length.
    fileprivate var length: Int? {
        switch kind {
        case .string: string?.unicodeScalars.count
        case .array, .object: count
        case .number, .boolean, .null: nil
        }
    }

    /// Whether it is `""`, `[]`, `{}` or null.
    fileprivate var isEmptyValue: Bool {
        switch kind {
        case .null: true
        case .string, .array, .object: length == 0
        case .number, .boolean: false
        }
    }
}

extension [JSONValue] {
    /// The first few, as messages show them.
    var shown: String {
        prefix(5).map(\.shown).joined(separator: ", ") + (count > 5 ? ", …" : "")
    }
}
