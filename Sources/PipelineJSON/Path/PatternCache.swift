/// Keeps the regular expressions that a path finds in the value itself, compiled.
struct PatternCache {
    private var expressions: [JSONStringContent: RegularExpression?] = [:]

    /// Nil for a text that is no I-Regexp.
    mutating func expression(of pattern: JSONStringContent) -> RegularExpression? {
        if let known = expressions[pattern] { return known }
        let expression = try? RegularExpression(pattern.string, syntax: .iRegexp)
        // Patterns are few, or each is used once.
        if expressions.count == Self.capacity { expressions.removeAll() }
        expressions[pattern] = .some(expression)
        return expression
    }

    private static let capacity = 64
}
