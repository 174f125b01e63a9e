/// A condition on a node (RFC 9535 section 2.3.5), in compiled form and well-typed.
indirect enum PathFilter: Sendable {
    case any([PathFilter])
    case all([PathFilter])
    case not(PathFilter)
    /// The query gives a node at least.
    case exists(PathQuery)
    case comparison(PathOperand, PathComparison, PathOperand)
    /// `match`, which asks for the whole text, and `search`.
    case pattern(PathPattern, isWhole: Bool, text: PathOperand)
}

/// What is compared or given to a function: a value or nothing (`ValueType` of section 2.4.1).
indirect enum PathOperand: Sendable {
    case literal(JSONValue)
    /// A singular query.
    case query(PathQuery)
    case length(PathOperand)
    case count(PathQuery)
    case value(PathQuery)
}

/// The regular expression of `match` or `search`.
enum PathPattern: Sendable {
    /// Written in the path; nil when it is none, which matches nothing (section 2.4.6).
    case literal(RegularExpression?)
    /// Known only when the path is applied.
    case computed(PathOperand)
}

/// An operator between two operands (section 2.3.5.2.2).
enum PathComparison: String, Sendable, CaseIterable {
    // An operator stands before one that it begins with.
    case equal = "=="
    case notEqual = "!="
    case lessOrEqual = "<="
    case greaterOrEqual = ">="
    case less = "<"
    case greater = ">"

    /// Whether it holds between two values, nil being nothing at all.
    func holds(_ left: JSONValue?, _ right: JSONValue?) -> Bool {
        switch self {
        case .equal: left == right
        case .notEqual: left != right
        case .less: Self.isLess(left, right)
        case .greater: Self.isLess(right, left)
        case .lessOrEqual: Self.isLess(left, right) || left == right
        case .greaterOrEqual: Self.isLess(right, left) || left == right
        }
    }

    /// Only numbers and strings have an order; strings that of their scalars, as UTF-8 has it.
    private static func isLess(_ left: JSONValue?, _ right: JSONValue?) -> Bool {
        guard let left, let right, left.kind == right.kind else { return false }
        return switch left.kind {
        case .number: ExactDecimal(left.sourceBytes) < ExactDecimal(right.sourceBytes)
        case .string: left.content.utf8.lexicographicallyPrecedes(right.content.utf8)
        default: false
        }
    }
}
