/// The marked regions of the examples, which documents show.
///
/// A region is what stands between `// snippet: name` and `// end`. A document shows it in a block
/// of code that follows the line `<!-- snippet: name -->`.
struct Snippets {
    private(set) var regions: [String: [String]] = [:]
    private(set) var problems: [String] = []

    mutating func read(_ text: String, file: String) {
        var name: String?
        var region: [Substring] = []
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            let content = line.drop { $0 == " " }
            if content.hasPrefix("// snippet: ") {
                if let name { problems.append("\(file): \(name) has no end") }
                name = String(content.dropFirst("// snippet: ".count))
                region = []
            } else if content == "// end", let ended = name {
                if regions[ended] != nil { problems.append("\(file): \(ended) is there twice") }
                regions[ended] = Self.unindented(region)
                name = nil
            } else if name != nil {
                region.append(line)
            }
        }
        if let name { problems.append("\(file): \(name) has no end") }
    }

    private static func unindented(_ lines: [Substring]) -> [String] {
        let indents = lines.filter { !$0.isEmpty }.map { $0.prefix { $0 == " " }.count }
        return lines.map { String($0.dropFirst(indents.min() ?? 0)) }
    }

    /// A document with every block of Swift as its region is; regions that are shown are counted.
    mutating func filled(_ text: String, file: String, shown: inout Set<String>) -> String {
        var result: [String] = []
        var name: String?
        var isInBlock = false
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if isInBlock {
                guard line == "```" else { continue }
                isInBlock = false
            } else if line.hasPrefix("<!-- snippet: ") {
                name = String(line.dropFirst("<!-- snippet: ".count).dropLast(" -->".count))
            } else if line == "```swift" {
                result.append(String(line))
                isInBlock = true
                if let region = name.flatMap({ regions[$0] }) {
                    result += region
                    shown.insert(name ?? "")
                } else {
                    problems.append("\(file): \(name ?? "a block without a name") is no snippet")
                }
                name = nil
                continue
            } else {
                name = nil
            }
            result.append(String(line))
        }
        return result.joined(separator: "\n")
    }
}
