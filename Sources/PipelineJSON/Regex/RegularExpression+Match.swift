extension RegularExpression {
    /// Where a pattern was found.
    public struct Match: Sendable, Hashable {
        /// The whole match and then each group, in the order of their opening parentheses, as offsets
        /// in the UTF-8 bytes of the text; nil for a group that took no part.
        ///
        /// As in ECMAScript, a repetition forgets the groups in it when it begins again.
        public let groups: [Range<Int>?]

        /// The whole match, as offsets in the UTF-8 bytes of the text.
        public let range: Range<Int>

        /// The text of a group, or of the whole match for 0, from the text that was searched.
        ///
        /// Nil for a group that took no part or does not exist.
        public func text(ofGroup group: Int = 0, in text: String) -> String? {
            guard groups.indices.contains(group), let range = groups[group] else { return nil }
            let utf8 = text.utf8
            let start = utf8.index(utf8.startIndex, offsetBy: range.lowerBound)
            return String(text[start..<utf8.index(start, offsetBy: range.count)])
        }
    }

    /// The names of the groups, each with its number.
    public var groupNames: [String: Int] { program.groupNumbers }

    /// All matches from the first on, none overlapping the one before.
    ///
    /// After an empty match the search goes on one scalar further. Takes time in proportion to the text
    /// for each match, so at worst quadratic time for a pattern that looks far ahead and finds little.
    public func matches(in text: String) -> [Match] {
        withUTF8(of: text) { utf8 in
            var matcher = PatternMatcher(program, utf8, recordsGroups: true)
            var matches: [Match] = []
            var start = 0
            while start <= utf8.count, let match = matcher.search(from: start) {
                matches.append(match)
                start = match.range.upperBound
                if match.range.isEmpty { start = matcher.position(after: start) }
            }
            return matches
        }
    }

    /// The text with each match replaced by a text, in which `$&` stands for the match, `$1` to `$99`
    /// and `$<name>` for a group, and `$$` for a dollar sign (ECMA-262, GetSubstitution).
    ///
    /// A group that took no part gives nothing; what looks like none of these stands for itself.
    public func replacingAll(in text: String, with replacement: String) -> String {
        let template = ReplacementTemplate(replacement, for: program)
        return replacingAll(in: text) { template.resolve($0, in: text) }
    }

    /// The text with each match replaced by what a closure gives for it.
    public func replacingAll(in text: String, with replacement: (Match) -> String) -> String {
        var result: [UInt8] = []
        let utf8 = Array(text.utf8)
        var end = 0
        for match in matches(in: text) {
            result += utf8[end..<match.range.lowerBound]
            result += replacement(match).utf8
            end = match.range.upperBound
        }
        result += utf8[end...]
        return String(decoding: result, as: UTF8.self)
    }
}
