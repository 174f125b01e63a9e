/// A part of a regular expression as it was read.
indirect enum PatternNode {
    case empty
    case scalar(Unicode.Scalar)
    case set(ScalarSet)
    case assertion(PatternAssertion)
    case sequence([PatternNode])
    case alternatives([PatternNode])
    case group(Int, PatternNode)
    case repeated(PatternNode, PatternRepetition)

    var isEmpty: Bool {
        if case .empty = self { true } else { false }
    }

    /// Whether it can match without reading a character.
    var isNullable: Bool {
        switch self {
        case .empty, .assertion: true
        case .scalar, .set: false
        case .sequence(let parts): parts.allSatisfy(\.isNullable)
        case .alternatives(let parts): parts.contains(where: \.isNullable)
        case .group(_, let part): part.isNullable
        case .repeated(let part, let repetition): repetition.minimum == 0 || part.isNullable
        }
    }
}

/// How often a part is repeated.
struct PatternRepetition {
    var minimum: Int
    /// Nil without a limit.
    var maximum: Int?
    var isGreedy = true

    /// The groups inside, which are forgotten whenever the part begins again.
    var groups: Range<Int>

    /// Where it is written, for a message.
    var offset: Int
}

/// A condition on a place in the text.
enum PatternAssertion {
    case start, end, wordBoundary, noWordBoundary
}
