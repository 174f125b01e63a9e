import PipelineJSON

extension Matcher {
    /// Everything about the nodes that does not hold.
    func findings(_ nodes: Nodes, _ values: VariableValues) throws(TemplateError) -> [Finding] {
        var findings: [Finding] = []
        for operation in operations { findings += try operation.findings(nodes, values) }
        return findings
    }

    func holds(_ nodes: Nodes, _ values: VariableValues) throws(TemplateError) -> Bool {
        for operation in operations where try !operation.test.holds(nodes, values) { return false }
        return true
    }

    fileprivate func holds(
        _ value: JSONValue, _ values: VariableValues
    ) throws(TemplateError) -> Bool {
        try holds(Nodes(label: "", values: [value], isSingular: true), values)
    }
}

extension Matcher.Operation {
    fileprivate func findings(
        _ nodes: Nodes, _ values: VariableValues
    ) throws(TemplateError) -> [Finding] {
        guard try !test.holds(nodes, values) else { return [] }
        if let (part, matcher) = try test.part(nodes, values) {
            return try matcher.findings(part, values)
        }
        let found =
            switch nodes.values.count {
            case 0: "found nothing"
            case 1: "got \(nodes.values[0].shownWithType)"
            default: "found \(nodes.values.count) values: \(nodes.values.shown)"
            }
        return [
            Finding(
                "expected \(nodes.label) \(try test.phrase(values)), \(found)", at: place,
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
            where try !matcher.holds(element, values) {
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
    fileprivate func holds(
        _ nodes: Nodes, _ values: VariableValues
    ) throws(TemplateError) -> Bool {
        switch self {
        case .exists(let isExpected): return nodes.values.isEmpty != isExpected
        case .length(let matcher) where !nodes.isSingular:
            return try matcher.holds(JSONValue(nodes.values.count), values)
        case .contains(let matcher) where !nodes.isSingular:
            return try Self.contains(nodes.values, matcher, values)
        case .each(let matcher) where !nodes.isSingular:
            for value in nodes.values where try !matcher.holds(value, values) { return false }
            return true
        default:
            guard nodes.values.count == 1 else { return false }
            return try holds(nodes.values[0], values)
        }
    }

    private func holds(
        _ actual: JSONValue, _ values: VariableValues
    ) throws(TemplateError) -> Bool {
        switch self {
        case .equal(let operand): return actual == (try operand.value(values))
        case .notEqual(let operand): return actual != (try operand.value(values))
        case .ordered(let order, let operand):
            return order.holds(actual, try operand.value(values))
        case .oneOf(let operand, let isNegated):
            let list = try operand.value(values)
            return list.kind == .array && list.elements.contains(actual) != isNegated
        case .contains(let matcher): return try Self.contains(actual, matcher, values)
        case .startsWith(let operand):
            return try Self.compare(actual, operand, values) { $0.starts(with: $1) }
        case .endsWith(let operand):
            return try Self.compare(actual, operand, values) {
                $0.reversed().starts(with: $1.reversed())
            }
        case .matches(let pattern):
            guard let text = actual.string else { return false }
            return try pattern.expression(values).isFound(in: text)
        case .length(let matcher):
            guard let length = actual.length else { return false }
            return try matcher.holds(JSONValue(length), values)
        case .exists(let isExpected): return isExpected
        case .type(let type): return type.accepts(actual)
        case .isEmpty(let isExpected): return actual.isEmptyValue == isExpected
        case .unordered(let operand):
            return UnorderedComparison.areEqual(actual, try operand.value(values))
        case .subset(let operand):
            return SubsetComparison.isSubset(try operand.value(values), of: actual)
        case .each(let matcher):
            guard actual.kind == .array else { return false }
            for element in actual.elements where try !matcher.holds(element, values) {
                return false
            }
            return true
        case .not(let matcher): return try !matcher.holds(actual, values)
        case .dated(let order, let operand):
            guard let text = actual.string, let moment = Moment(rfc3339: text),
                let limit = try operand.value(values).string.flatMap(Moment.init(rfc3339:))
            else { return false }
            return order.holds(moment, limit)
        }
    }

    /// A text contains a text; an array contains an element that the matcher accepts.
    private static func contains(
        _ actual: JSONValue, _ matcher: Matcher, _ values: VariableValues
    ) throws(TemplateError) -> Bool {
        switch actual.kind {
        case .array: return try contains(actual.elements, matcher, values)
        case .string:
            guard matcher.operations.count == 1,
                case .equal(let operand) = matcher.operations[0].test,
                let part = try operand.value(values).string, let text = actual.string
            else { return false }
            return ByteSearch.contains(Array(text.utf8), Array(part.utf8))
        default: return false
        }
    }

    private static func contains(
        _ elements: some Sequence<JSONValue>, _ matcher: Matcher, _ values: VariableValues
    ) throws(TemplateError) -> Bool {
        for element in elements where try matcher.holds(element, values) { return true }
        return false
    }

    /// Compares two texts by their UTF-8, so that no two ways to write a character are the same.
    private static func compare(
        _ actual: JSONValue, _ operand: JSONTemplate, _ values: VariableValues,
        _ relation: ([UInt8], [UInt8]) -> Bool
    ) throws(TemplateError) -> Bool {
        guard let text = actual.string, let part = try operand.value(values).string else {
            return false
        }
        return relation(Array(text.utf8), Array(part.utf8))
    }
}

extension Matcher.Order {
    /// Numbers by value, texts by their code points; other types have no order.
    fileprivate func holds(_ actual: JSONValue, _ expected: JSONValue) -> Bool {
        if let actual = actual.number, let expected = expected.number {
            return holds(actual, expected)
        }
        guard let actual = actual.string, let expected = expected.string else { return false }
        return holds(CodePoints(text: actual), CodePoints(text: expected))
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
