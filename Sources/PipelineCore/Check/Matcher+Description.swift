import PipelineJSON

extension Matcher {
    /// What is asked of a value, such as `to be > 3 and to be < 5`.
    func phrase(_ values: VariableValues) throws(TemplateError) -> String {
        var phrases: [String] = []
        for operation in operations { phrases.append(try operation.test.phrase(values)) }
        return phrases.joined(separator: " and ")
    }
}

extension Matcher.Test {
    /// What the operator asks of a value, to stand after "expected $.path".
    func phrase(_ values: VariableValues) throws(TemplateError) -> String {
        switch self {
        case .equal(let operand): "to be \(try operand.value(values).shownWithType)"
        case .notEqual(let operand): "not to be \(try operand.value(values).shownWithType)"
        case .ordered(let order, let operand):
            "to be \(order.rawValue) \(try operand.value(values).shownWithType)"
        case .oneOf(let operand, let isNegated):
            (isNegated ? "not to be one of " : "to be one of ") + (try operand.value(values).shown)
        case .contains(let matcher): "to contain \(try matcher.elementPhrase(values))"
        case .startsWith(let operand): "to start with \(try operand.value(values).shown)"
        case .endsWith(let operand): "to end with \(try operand.value(values).shown)"
        case .matches(let pattern): "to match \(pattern.text)"
        case .length(let matcher): "to have a length \(try matcher.phrase(values))"
        case .exists(let isExpected): isExpected ? "to exist" : "not to exist"
        case .type(let type): "to be \(type.described)"
        case .isEmpty(let isExpected): isExpected ? "to be empty" : "not to be empty"
        case .unordered(let operand):
            "to be, in any order, \(try operand.value(values).shown)"
        case .subset(let operand): "to include \(try operand.value(values).shown)"
        case .each(let matcher): "to have in each element a value \(try matcher.phrase(values))"
        case .not(let matcher): "not \(try matcher.phrase(values))"
        case .dated(let order, let operand):
            (order == .less ? "to be before " : "to be after ") + (try operand.value(values).shown)
        }
    }

    /// What is missing, extra or changed, for operators that compare whole values.
    func difference(_ nodes: Nodes, _ values: VariableValues) throws(TemplateError) -> [String] {
        guard nodes.values.count == 1 else { return [] }
        switch self {
        case .equal(let operand):
            return ValueDifference.lines(
                expected: try operand.value(values), actual: nodes.values[0], path: nodes.label)
        case .unordered(let operand):
            return UnorderedComparison.difference(
                nodes.values[0], try operand.value(values), path: nodes.label)
        case .subset(let operand):
            return ValueDifference.lines(
                expected: try operand.value(values), actual: nodes.values[0], path: nodes.label,
                isPartial: true)
        default: return []
        }
    }
}

extension Matcher {
    /// A single value as it is; anything else as what is asked of the value.
    fileprivate func elementPhrase(_ values: VariableValues) throws(TemplateError) -> String {
        if operations.count == 1, case .equal(let operand) = operations[0].test {
            return try operand.value(values).shownWithType
        }
        return "a value \(try phrase(values))"
    }
}
