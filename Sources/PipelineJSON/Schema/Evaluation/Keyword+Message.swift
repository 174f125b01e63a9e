extension Keyword<Assertion> {
    /// What was expected and what was found, with both values.
    func message(_ instance: JSONValue, _ detail: Int) -> String {
        "expected \(expectation(detail)), found \(found(instance))"
    }

    private func expectation(_ detail: Int) -> String {
        let value = source.excerpt()
        switch rule {
        case .type(let types): return types.text
        case .enumeration: return "one of \(value)"
        case .equal: return value
        case .multiple: return "a multiple of \(value)"
        case .bound(let bound, _): return "\(bound.rawValue) \(value)"
        case .count(let counted, let range): return range.text(counted.rawValue)
        case .pattern: return "a match of \(value)"
        case .uniqueItems: return "no item to come twice"
        case .required(let names): return "the property \(names[detail].excerpt())"
        case .dependentRequired(let dependencies):
            let pairs = dependencies.flatMap { dependency in
                dependency.required.map { ($0, beside: dependency.name.string) }
            }
            return "the property \(pairs[detail].0.excerpt()) beside \"\(pairs[detail].beside)\""
        case .format(let format): return format.expectation
        }
    }

    private func found(_ instance: JSONValue) -> String {
        switch rule {
        case .count(let counted, _):
            return "\(instance.count(counted) ?? 0): \(instance.found)"
        case .uniqueItems:
            guard let (first, second) = instance.firstRepeatedElement,
                let element = instance[first]
            else { return instance.found }
            return "\(element.found) at \(first) and \(second)"
        default:
            return instance.found
        }
    }
}

extension TypeSet {
    /// `a string, an integer or null`.
    fileprivate var text: String {
        let names = Self.names.filter { contains($0.value) }.map { name, _ in
            name == "null" ? name : ("aio".contains(name.prefix(1)) ? "an " : "a ") + name
        }
        guard let last = names.last else { return "no type" }
        let others = names.dropLast().joined(separator: ", ")
        return others.isEmpty ? last : "\(others) or \(last)"
    }
}

extension ClosedRange<Int> {
    /// The range and what is counted; one that begins at 0 has an upper end that matters.
    func text(_ plural: String) -> String {
        let text: String
        let number: Int
        switch (lowerBound, upperBound) {
        case (.max, _): return "an impossible number of \(plural)"
        case (let least, .max): (text, number) = ("at least \(least)", least)
        case (0, let most): (text, number) = ("at most \(most)", most)
        case (let least, let most): (text, number) = ("\(least) to \(most)", most)
        }
        let singular = plural.hasSuffix("ies") ? "\(plural.dropLast(3))y" : "\(plural.dropLast())"
        return "\(text) \(number == 1 ? singular : plural)"
    }
}
