/// A keyword that is decided by looking at the value alone: the validation vocabulary and `format`.
enum Assertion: Sendable {
    case type(TypeSet)
    case enumeration([JSONValue])
    case equal(JSONValue)
    case multiple(of: ExactDecimal)
    case bound(Bound, ExactDecimal)
    case count(Counted, ClosedRange<Int>)
    case pattern(RegularExpression)
    case uniqueItems
    case required([JSONValue])
    case dependentRequired([Dependency])
    case format(TextFormat)

    /// Which numbers are accepted, seen from the limit.
    enum Bound: String {
        case atLeast = "at least"
        case moreThan = "more than"
        case atMost = "at most"
        case lessThan = "less than"
    }

    /// What is counted in a value of its kind.
    enum Counted: String {
        case characters
        case items
        case properties
    }

    /// The properties that must stand beside another one; each is a string or a name.
    struct Dependency {
        let name: JSONStringContent
        let required: [JSONValue]
    }

    /// What does not hold: nothing, one thing, or for required properties the place of each that lacks.
    func failures(of instance: JSONValue) -> [Int] {
        switch self {
        case .required(let names):
            instance.kind == .object ? missing(names, in: MemberTable(instance), from: 0) : []
        case .dependentRequired(let dependencies):
            instance.kind == .object ? missing(dependencies, in: MemberTable(instance)) : []
        default:
            holds(for: instance) ? [] : [0]
        }
    }

    private func holds(for instance: JSONValue) -> Bool {
        switch self {
        case .type(let types): types.accepts(instance)
        case .enumeration(let values): values.contains(instance)
        case .equal(let value): value == instance
        case .multiple(let divisor): instance.decimal?.isMultiple(of: divisor) ?? true
        case .bound(let bound, let limit): instance.decimal.map { bound.accepts($0, limit) } ?? true
        case .count(let counted, let range): instance.count(counted).map(range.contains) ?? true
        case .pattern(let pattern): instance.string.map(pattern.isFound) ?? true
        case .format(let format): instance.string.map(format.matches) ?? true
        case .uniqueItems: instance.firstRepeatedElement == nil
        case .required, .dependentRequired: true
        }
    }

    private func missing(_ names: [JSONValue], in table: MemberTable, from start: Int) -> [Int] {
        names.indices.filter { table.value(of: names[$0].content) == nil }.map { start + $0 }
    }

    private func missing(_ dependencies: [Dependency], in table: MemberTable) -> [Int] {
        var missing: [Int] = []
        var start = 0
        for dependency in dependencies {
            if table.value(of: dependency.name) != nil {
                missing += self.missing(dependency.required, in: table, from: start)
            }
            start += dependency.required.count
        }
        return missing
    }
}

extension Assertion.Bound {
    fileprivate func accepts(_ number: ExactDecimal, _ limit: ExactDecimal) -> Bool {
        switch self {
        case .atLeast: number >= limit
        case .moreThan: number > limit
        case .atMost: number <= limit
        case .lessThan: number < limit
        }
    }
}

extension JSONValue {
    var decimal: ExactDecimal? { kind == .number ? ExactDecimal(sourceBytes) : nil }

    /// How many there are; nil for a value of another kind.
    func count(_ counted: Assertion.Counted) -> Int? {
        switch counted {
        case .characters: kind == .string ? content.scalarCount : nil
        case .items: kind == .array ? count : nil
        case .properties: kind == .object ? MemberTable(self).distinctCount : nil
        }
    }

    /// The first element that is equal to one before it, with the place of that one.
    var firstRepeatedElement: (first: Int, second: Int)? {
        guard kind == .array, count > 1 else { return nil }
        var seen: [JSONValue: Int] = [:]
        seen.reserveCapacity(count)
        for (place, element) in elements.enumerated() {
            if let first = seen.updateValue(place, forKey: element) { return (first, place) }
        }
        return nil
    }
}
