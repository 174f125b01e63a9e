import PipelineJSON

/// Whether everything that is expected is there, with more beside it being right.
///
/// Members are looked for by name, recursively. The elements of an expected array must match
/// *distinct* elements of the actual one, in any order; which one takes which is worked out by
/// augmenting paths (Kuhn's algorithm), since taking the first that fits can take the only partner
/// of another.
enum SubsetComparison {
    /// Below this depth, values are compared for equality.
    private static let maximumDepth = 128

    static func isSubset(_ expected: JSONValue, of actual: JSONValue) -> Bool {
        isSubset(expected, of: actual, depth: 0)
    }

    /// The elements of an expected array that find no partner of their own.
    static func missing(_ expected: JSONValue, from actual: JSONValue) -> [JSONValue] {
        unmatched(Array(expected.elements), Array(actual.elements), depth: 0)
    }

    private static func isSubset(
        _ expected: JSONValue, of actual: JSONValue, depth: Int
    ) -> Bool {
        guard depth < maximumDepth else { return expected == actual }
        switch (expected.kind, actual.kind) {
        case (.object, .object):
            let table = MemberTable(actual)
            return expected.members.allSatisfy { member in
                table.value(of: member).map { isSubset(member.value, of: $0, depth: depth + 1) }
                    ?? false
            }
        case (.array, .array):
            guard expected.count <= actual.count else { return false }
            return unmatched(Array(expected.elements), Array(actual.elements), depth: depth)
                .isEmpty
        default: return expected == actual
        }
    }

    private static func unmatched(
        _ expected: [JSONValue], _ actual: [JSONValue], depth: Int
    ) -> [JSONValue] {
        let partners = expected.map { element in
            // Nobody reads the answer when the time is over.
            MatchingTime.isOver
                ? [] : actual.indices.filter { isSubset(element, of: actual[$0], depth: depth + 1) }
        }
        var matching = Matching(partners, count: actual.count)
        return expected.indices.filter { !matching.place($0) }.map { expected[$0] }
    }

    /// A largest matching between expected elements and the actual ones that each accepts.
    private struct Matching {
        private let partners: [[Int]]
        /// For each actual element, the expected one that has it.
        private var owner: [Int?]

        init(_ partners: [[Int]], count: Int) {
            self.partners = partners
            owner = Array(repeating: nil, count: count)
        }

        /// Finds a partner for one more element, moving others where that helps.
        mutating func place(_ element: Int) -> Bool {
            // Breadth first, so that a long chain of moves needs no deep stack.
            var cameFrom: [Int: (element: Int, previous: Int?)] = [:]
            var queue: [(element: Int, via: Int?)] = [(element, nil)]
            var next = 0
            while next < queue.count {
                let (current, via) = queue[next]
                next += 1
                for partner in partners[current] where cameFrom[partner] == nil {
                    cameFrom[partner] = (current, via)
                    guard let other = owner[partner] else {
                        move(partner, cameFrom)
                        return true
                    }
                    queue.append((other, partner))
                }
            }
            return false
        }

        /// Gives each element on the path the partner that was found for it.
        private mutating func move(
            _ last: Int, _ cameFrom: [Int: (element: Int, previous: Int?)]
        ) {
            var partner: Int? = last
            while let current = partner, let step = cameFrom[current] {
                owner[current] = step.element
                partner = step.previous
            }
        }
    }
}
