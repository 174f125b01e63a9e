import PipelineJSON

/// Says where two values differ: what is missing, extra or changed, each with its JSONPath.
enum ValueDifference {
    /// How many differences are told.
    static let limit = 20

    /// One line for each difference; none when neither is an object or an array.
    ///
    /// - Parameter isPartial: Whether members that are not expected are right.
    static func lines(
        expected: JSONValue, actual: JSONValue, path: String, isPartial: Bool = false
    ) -> [String] {
        guard expected.kind == actual.kind, expected.kind == .object || expected.kind == .array
        else { return [] }
        var walk = Walk(isPartial: isPartial)
        walk.compare(expected, actual, path)
        let hidden = walk.lines.count - limit
        return walk.lines.prefix(limit) + (hidden > 0 ? ["and \(hidden) more differences"] : [])
    }

    private struct Walk {
        let isPartial: Bool
        private(set) var lines: [String] = []

        init(isPartial: Bool) {
            self.isPartial = isPartial
        }

        /// Compares pair by pair with a stack of its own: values may be nested deeply.
        mutating func compare(_ expected: JSONValue, _ actual: JSONValue, _ path: String) {
            var open = [(expected, actual, path)]
            while let (expected, actual, path) = open.popLast() {
                switch (expected.kind, actual.kind) {
                case (.object, .object): open += members(expected, actual, path).reversed()
                case (.array, .array): open += elements(expected, actual, path).reversed()
                default:
                    lines.append(
                        "\(path): expected \(expected.shownWithType), got \(actual.shownWithType)")
                }
            }
        }

        /// The pairs that differ; what has no counterpart is told at once.
        private mutating func members(
            _ expected: JSONValue, _ actual: JSONValue, _ path: String
        ) -> [(JSONValue, JSONValue, String)] {
            var pairs: [(JSONValue, JSONValue, String)] = []
            let table = MemberTable(actual)
            for member in expected.members {
                let path = path + PathStep.member(member.name)
                guard let found = table.value(of: member) else {
                    lines.append("\(path): missing, expected \(member.value.shownWithType)")
                    continue
                }
                if found != member.value { pairs.append((member.value, found, path)) }
            }
            guard !isPartial else { return pairs }
            let wanted = MemberTable(expected)
            for member in actual.members where wanted.value(of: member) == nil {
                let path = path + PathStep.member(member.name)
                lines.append("\(path): not expected, got \(member.value.shownWithType)")
            }
            return pairs
        }

        private mutating func elements(
            _ expected: JSONValue, _ actual: JSONValue, _ path: String
        ) -> [(JSONValue, JSONValue, String)] {
            if isPartial {
                for element in SubsetComparison.missing(expected, from: actual) {
                    lines.append("\(path): no element includes \(element.shown)")
                }
                return []
            }
            var pairs: [(JSONValue, JSONValue, String)] = []
            var others = actual.elements
            for (index, element) in expected.elements.enumerated() {
                guard let found = others.next() else {
                    lines.append("\(path)[\(index)]: missing, expected \(element.shownWithType)")
                    continue
                }
                if found != element { pairs.append((element, found, "\(path)[\(index)]")) }
            }
            var index = expected.count
            while let extra = others.next() {
                lines.append("\(path)[\(index)]: not expected, got \(extra.shownWithType)")
                index += 1
            }
            return pairs
        }
    }
}

/// A step of a path, as messages write it.
enum PathStep {
    /// `.name` where that is possible, else `["name"]`.
    static func member(_ name: String) -> String {
        let isWord =
            !name.isEmpty
            && name.utf8.allSatisfy {
                $0.isASCIILetter || $0.isASCIIDigit || $0 == UInt8(ascii: "_")
                    || $0 == UInt8(ascii: "$")
            }
        return isWord ? ".\(name)" : "[\(JSONValue(name))]"
    }
}
