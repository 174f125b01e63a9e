import TestSupport
import Testing

@testable import PipelineJSON

@Suite("Random regular expressions", .timeLimit(.minutes(1)))
struct RegularExpressionRandomTests {
    @Test("match and capture as a backtracking matcher of ECMA-262 does")
    func differential() throws {
        let seed = printedSeed("regular expressions")
        var random = SeededGenerator(seed: seed)
        var found = 0
        var compared = 0
        for _ in 0..<6_000 {
            var groupCount = 0
            let node = Node.random(depth: 4, groups: &groupCount, using: &random)
            let expression = try RegularExpression(node.pattern)
            for _ in 0..<4 {
                let text = String(
                    (0..<Int.random(in: 0...7, using: &random)).map { _ in
                        "aab".randomElement(using: &random) ?? "a"
                    })
                var reference = BacktrackingMatcher(text, groupCount: groupCount)
                let expected = reference.firstMatch(of: node)
                guard !reference.isExhausted else { continue }
                compared += 1
                let match = expression.firstMatch(in: text)
                #expect(match?.groups == expected, "seed \(seed): \(node.pattern) in \(text)")
                #expect(expression.isFound(in: text) == (expected != nil))
                var whole = BacktrackingMatcher(text, groupCount: groupCount)
                let isWhole = whole.matchesWhole(node)
                if !whole.isExhausted { #expect(expression.matchesWhole(text) == isWhole) }
                if expected != nil { found += 1 }
            }
        }
        print("regular expressions: \(compared) comparisons, \(found) matches")
        #expect(compared > 20_000 && found > 1_000)
    }

    @Test("a random text is a pattern or is refused with a place in it, but never crashes")
    func mutations() throws {
        let seed = printedSeed("damaged patterns")
        var random = SeededGenerator(seed: seed)
        let tokens = [
            "(", ")", "(?:", "(?<n>", "[", "[^", "]", "{", "}", "{2}", "{1,3}", "*", "+", "?", "|",
            "^",
            "$", ".", "-", "\\", "\\d", "\\b", "\\p{L}", "\\P{", "\\u", "\\u{", "\\x4", "a", "é",
            "😀",
        ]
        for _ in 0..<20_000 {
            let pattern = (0..<Int.random(in: 1...8, using: &random))
                .map { _ in tokens.randomElement(using: &random) ?? "" }.joined()
            for syntax in [RegularExpression.Syntax.ecmaScript, .iRegexp] {
                do {
                    let expression = try RegularExpression(pattern, syntax: syntax)
                    let match = expression.firstMatch(in: "aé😀-{d\n")
                    #expect((match != nil) == expression.isFound(in: "aé😀-{d\n"))
                } catch {
                    #expect(0...pattern.utf8.count ~= error.offset, "seed \(seed): \(pattern)")
                }
            }
        }
    }

    /// How many instructions a search looks at.
    private func work(_ pattern: String, _ text: String) throws -> Int {
        let expression = try RegularExpression(pattern)
        return expression.withUTF8(of: text) { utf8 in
            var matcher = PatternMatcher(expression.program, utf8, recordsGroups: true)
            _ = matcher.search(from: 0)
            return matcher.work
        }
    }

    @Test(
        "O31: twice the text is twice the work, whatever the pattern",
        arguments: ["(a+)+$", "^(a+)+$", "(a|a)*$", "(a*)*c", "(?:a?){30}a{30}$", "(.*)*(.*)*x"])
    func linear(pattern: String) throws {
        let short = try work(pattern, String(repeating: "a", count: 500) + "b")
        let long = try work(pattern, String(repeating: "a", count: 1_000) + "b")
        #expect(long < 2 * short + 1_000)
        let instructions = try RegularExpression(pattern).program.instructions.count
        #expect(long <= 1_003 * instructions)
    }

    @Test("O31: thirty a and one b do not hold up the pattern that is slow elsewhere")
    func slowPattern() throws {
        let text = String(repeating: "a", count: 30) + "b"
        #expect(!(try RegularExpression("(a+)+$").isFound(in: text)))
        #expect(try work("(a+)+$", text) < 500)
    }

    @Test("O31: a long search gives up when its time is over, and says so")
    func time() throws {
        let pattern = "(?:a?){1000}b"
        let text = String(repeating: "a", count: 3_000)
        let whole = try work(pattern, text)
        let over = MatchingTime(until: .now)
        let cut = try MatchingTime.$current.withValue(over) { try work(pattern, text) }
        #expect(over.isExceeded)
        #expect(1 << 20 <= cut && cut < 1 << 20 + 10_000)
        #expect(whole > 2 * cut)
        let long = MatchingTime(until: .now + .seconds(3_600))
        #expect(try MatchingTime.$current.withValue(long) { try work(pattern, text) } == whole)
        #expect(!long.isExceeded)
    }

    @Test("places where no match can begin are passed over without work")
    func skipping() throws {
        #expect(try work("needle", String(repeating: "-", count: 10_000)) < 10)
        #expect(try work("^needle", String(repeating: "n", count: 10_000)) < 10)
    }
}

/// A part of a pattern, kept apart from the engine's own so that both read the text of the pattern.
private indirect enum Node {
    case character(Character)
    case any
    case empty
    case assertion(String)
    case sequence([Node])
    case alternatives([Node])
    case group(Int, Node)
    case repeated(Node, Int, Int?, isGreedy: Bool, groups: Range<Int>)

    static func random(
        depth: Int, groups: inout Int, using random: inout SeededGenerator
    ) -> Node {
        switch Int.random(in: 0..<(depth > 0 ? 12 : 5), using: &random) {
        case 0, 1: return .character("a")
        case 2: return .character("b")
        case 3: return .any
        case 4:
            let isEmpty = Bool.random(using: &random)
            return isEmpty
                ? .empty
                : .assertion(["^", "$", "\\b", "\\B"].randomElement(using: &random) ?? "^")
        case 5, 6:
            var parts: [Node] = []
            for _ in 0..<Int.random(in: 2...3, using: &random) {
                parts.append(.random(depth: depth - 1, groups: &groups, using: &random))
            }
            return .sequence(parts)
        case 7, 8:
            var parts: [Node] = []
            for _ in 0..<Int.random(in: 2...3, using: &random) {
                parts.append(.random(depth: depth - 1, groups: &groups, using: &random))
            }
            return .alternatives(parts)
        case 9:
            groups += 1
            let number = groups
            return .group(number, .random(depth: depth - 1, groups: &groups, using: &random))
        default:
            let first = groups + 1
            let part = Self.random(depth: depth - 1, groups: &groups, using: &random)
            let bounds: [(Int, Int?)] = [
                (0, nil), (1, nil), (0, 1), (0, 2), (1, 2), (2, 2), (2, nil), (0, 3), (0, 0),
            ]
            let (minimum, maximum) = bounds.randomElement(using: &random) ?? (0, nil)
            return .repeated(
                part, minimum, maximum, isGreedy: Bool.random(using: &random),
                groups: first..<groups + 1)
        }
    }

    var pattern: String {
        switch self {
        case .character(let character): String(character)
        case .any: "."
        case .empty: "(?:)"
        case .assertion(let text): text
        case .sequence(let parts): parts.map(\.pattern).joined()
        case .alternatives(let parts): "(?:\(parts.map(\.pattern).joined(separator: "|")))"
        case .group(_, let part): "(\(part.pattern))"
        case .repeated(let part, let minimum, let maximum, let isGreedy, _):
            "(?:\(part.pattern)){\(minimum),\(maximum.map(String.init) ?? "")}"
                + (isGreedy ? "" : "?")
        }
    }
}

/// The semantics of ECMA-262, section 22.2.2, as they are written there: by continuations.
private struct BacktrackingMatcher {
    private let text: [Character]
    private let groupCount: Int
    private var steps = 0

    typealias Groups = [Range<Int>?]
    typealias Continuation = (inout BacktrackingMatcher, Int, Groups) -> Groups?

    init(_ text: String, groupCount: Int) {
        self.text = Array(text)
        self.groupCount = groupCount
    }

    /// Whether the search was given up since it took too long.
    var isExhausted: Bool { steps > 20_000 }

    mutating func firstMatch(of node: Node) -> Groups? {
        for start in 0...text.count {
            let none = Groups(repeating: nil, count: groupCount + 1)
            let match = self.match(node, start, none) { _, end, groups in
                var groups = groups
                groups[0] = start..<end
                return groups
            }
            if let match { return match }
        }
        return nil
    }

    mutating func matchesWhole(_ node: Node) -> Bool {
        let count = text.count
        return match(node, 0, Groups(repeating: nil, count: groupCount + 1)) { _, end, groups in
            end == count ? groups : nil
        } != nil
    }

    private mutating func match(
        _ node: Node, _ place: Int, _ groups: Groups, _ next: @escaping Continuation
    ) -> Groups? {
        steps += 1
        guard !isExhausted else { return nil }
        switch node {
        case .character(let character):
            guard place < text.count, text[place] == character else { return nil }
            return next(&self, place + 1, groups)
        case .any:
            return place < text.count ? next(&self, place + 1, groups) : nil
        case .empty:
            return next(&self, place, groups)
        case .assertion(let assertion):
            // All characters are letters.
            let isBoundary = !text.isEmpty && (place == 0 || place == text.count)
            let holds =
                switch assertion {
                case "^": place == 0
                case "$": place == text.count
                case "\\b": isBoundary
                default: !isBoundary
                }
            return holds ? next(&self, place, groups) : nil
        case .sequence(let parts):
            guard let first = parts.first else { return next(&self, place, groups) }
            return match(first, place, groups) {
                $0.match(.sequence(Array(parts.dropFirst())), $1, $2, next)
            }
        case .alternatives(let parts):
            for part in parts {
                if let match = match(part, place, groups, next) { return match }
            }
            return nil
        case .group(let number, let part):
            return match(part, place, groups) { matcher, end, groups in
                var groups = groups
                groups[number] = place..<end
                return next(&matcher, end, groups)
            }
        case .repeated(let part, let minimum, let maximum, let isGreedy, let numbers):
            guard maximum != 0 else { return next(&self, place, groups) }
            var cleared = groups
            for number in numbers { cleared[number] = nil }
            let again: Continuation = { matcher, end, groups in
                if minimum == 0, end == place { return nil }
                let rest = Node.repeated(
                    part, max(minimum - 1, 0), maximum.map { $0 - 1 }, isGreedy: isGreedy,
                    groups: numbers)
                return matcher.match(rest, end, groups, next)
            }
            if minimum > 0 { return match(part, place, cleared, again) }
            if isGreedy {
                return match(part, place, cleared, again) ?? next(&self, place, groups)
            }
            return next(&self, place, groups) ?? match(part, place, cleared, again)
        }
    }
}
