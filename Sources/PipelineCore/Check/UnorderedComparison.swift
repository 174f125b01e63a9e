import PipelineJSON

/// Equality of arrays in any order: counts matter.
enum UnorderedComparison {
    /// Whether both are arrays of the same elements, each as often.
    static func areEqual(_ one: JSONValue, _ other: JSONValue) -> Bool {
        guard one.kind == .array, other.kind == .array, one.count == other.count else {
            return false
        }
        return surplus(of: one, over: other).isEmpty
    }

    /// What is missing and what is extra.
    static func difference(
        _ actual: JSONValue, _ expected: JSONValue, path: String
    ) -> [String] {
        guard actual.kind == .array, expected.kind == .array else { return [] }
        let missing = surplus(of: expected, over: actual).map { "\(path): missing \($0.shown)" }
        let extra = surplus(of: actual, over: expected).map { "\(path): not expected \($0.shown)" }
        let lines = missing + extra
        let hidden = lines.count - ValueDifference.limit
        return lines.prefix(ValueDifference.limit)
            + (hidden > 0 ? ["and \(hidden) more differences"] : [])
    }

    /// The elements that the first array has more often than the second, in order.
    private static func surplus(of one: JSONValue, over other: JSONValue) -> [JSONValue] {
        var counts: [JSONValue: Int] = [:]
        for element in other.elements { counts[element, default: 0] += 1 }
        return one.elements.filter { element in
            counts[element, default: 0] -= 1
            return counts[element, default: 0] < 0
        }
    }
}
