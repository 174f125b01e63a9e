/// Finds what somebody meant who wrote a name that does not exist.
package enum NearestName {
    /// The candidate that differs least from the name, if it differs little; the first one of
    /// several.
    package static func of(_ name: String, among candidates: some Sequence<String>) -> String? {
        // Nobody misspells a name so long; comparing takes time in proportion to both lengths.
        guard name.utf8.count <= longest else { return nil }
        let limit = max(1, name.count / 3)
        return candidates.map { ($0, distance(Array(name.lowercased()), Array($0.lowercased()))) }
            .filter { $0.1 <= limit }
            .min { $0.1 < $1.1 }?
            .0
    }

    private static let longest = 64

    /// `; did you mean "timeout"?`, or nothing.
    package static func hint(_ name: String, among candidates: some Sequence<String>) -> String {
        of(name, among: candidates).map { "; did you mean \"\($0)\"?" } ?? ""
    }

    /// How many characters must be added, left out, changed or swapped with their neighbour.
    private static func distance(_ one: [Character], _ other: [Character]) -> Int {
        var before: [Int] = []
        var last = Array(0...other.count)
        for i in one.indices {
            var row = [i + 1]
            for j in other.indices {
                let substituted = last[j] + (one[i] == other[j] ? 0 : 1)
                var best = min(substituted, last[j + 1] + 1, row[j] + 1)
                if i > 0, j > 0, one[i] == other[j - 1], one[i - 1] == other[j] {
                    best = min(best, before[j - 1] + 1)
                }
                row.append(best)
            }
            before = last
            last = row
        }
        return last[other.count]
    }
}
