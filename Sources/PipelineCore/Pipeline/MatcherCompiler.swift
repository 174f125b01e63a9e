import PipelineJSON

/// Compiles the matchers of a file.
struct MatcherCompiler {
    let loader: PipelineLoader

    /// A matcher for any value: a literal, or an object of operators.
    ///
    /// What has the wrong shape was reported before and is left out.
    func matcher(_ value: JSONValue) -> Matcher {
        guard value.kind == .object else {
            return Matcher(
                equalTo: loader.jsonTemplate(value), at: SourcePlace(value.sourceRange))
        }
        return Matcher(
            value.members.compactMap { member in
                operation(member.name, member.value).map {
                    .init(test: $0, place: SourcePlace(member.value.sourceRange))
                }
            })
    }

    /// A matcher for a duration: its operands are durations.
    func durationMatcher(_ value: JSONValue) -> Matcher {
        Matcher(
            value.members.compactMap { member in
                guard let order = Self.orders[member.name],
                    let duration = loader.duration(member.value)
                else { return nil }
                let operand = JSONTemplate(literal: .milliseconds(duration))
                return .init(
                    test: .ordered(order, operand), place: SourcePlace(member.value.sourceRange))
            })
    }

    private static let orders: [String: Matcher.Order] = [
        "gt": .greater, "gte": .greaterOrEqual, "lt": .less, "lte": .lessOrEqual,
    ]

    private func operation(_ name: String, _ value: JSONValue) -> Matcher.Test? {
        switch name {
        case "eq": return .equal(loader.jsonTemplate(value))
        case "ne": return .notEqual(loader.jsonTemplate(value))
        case "gt", "gte", "lt", "lte":
            return Self.orders[name].map { .ordered($0, loader.jsonTemplate(value)) }
        case "in": return .oneOf(loader.jsonTemplate(value), isNegated: false)
        case "nin": return .oneOf(loader.jsonTemplate(value), isNegated: true)
        case "contains": return .contains(matcher(value))
        case "startsWith": return .startsWith(loader.jsonTemplate(value))
        case "endsWith": return .endsWith(loader.jsonTemplate(value))
        case "matches": return loader.pattern(value).map { .matches($0) }
        case "length": return .length(matcher(value))
        case "exists": return value.boolean.map { .exists($0) }
        case "type": return value.string.flatMap(ValueType.init).map { .type($0) }
        case "isEmpty": return value.boolean.map { .isEmpty($0) }
        case "unordered": return .unordered(loader.jsonTemplate(value))
        case "subset": return .subset(loader.jsonTemplate(value))
        case "each": return .each(matcher(value))
        case "not": return .not(matcher(value))
        case "before": return dated(.less, value)
        case "after": return dated(.greater, value)
        default: return nil
        }
    }

    private func dated(_ order: Matcher.Order, _ value: JSONValue) -> Matcher.Test? {
        let operand = loader.jsonTemplate(value)
        if operand.placeholders.isEmpty, let text = value.string, Moment(rfc3339: text) == nil {
            loader.report(
                "expected a date-time with an offset such as \"2026-11-30T07:58:22Z\" (RFC 3339)",
                value.sourceRange)
            return nil
        }
        return .dated(order, operand)
    }
}

extension PipelineLoader {
    /// Compiles a regular expression, or reports what is wrong with it.
    func pattern(_ value: JSONValue) -> PatternTemplate? {
        guard value.kind == .string else { return nil }
        do {
            return try PatternTemplate(template(value))
        } catch {
            report("\(error)", value.sourceRange)
            return nil
        }
    }
}
