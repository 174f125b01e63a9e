/// The public symbols of a module as a text to read: by folder, type and line of the source.
struct APIListing {
    private typealias Symbol = SymbolGraph.Symbol

    private let module: String
    private var types: [[String]: Symbol] = [:]
    private var members: [[String]: [Symbol]] = [:]
    private var conformances: [String: [String]] = [:]

    init(_ module: String, _ graphs: [SymbolGraph]) {
        self.module = module
        // Initializers of raw values and the like are in no source, and everybody knows them.
        for symbol in graphs.flatMap(\.symbols) where symbol.location != nil {
            if symbol.isType { types[symbol.pathComponents] = symbol }
            members[Array(symbol.pathComponents.dropLast()), default: []].append(symbol)
        }
        let names = Dictionary(
            graphs.flatMap(\.symbols).map { ($0.identifier.precise, $0.pathComponents.last ?? "") },
            uniquingKeysWith: { first, _ in first })
        for relationship in graphs.flatMap(\.relationships)
        where relationship.kind == "conformsTo" || relationship.kind == "inheritsFrom" {
            let fallback = relationship.targetFallback?.split(separator: ".").last.map(String.init)
            guard let name = names[relationship.target] ?? fallback else { continue }
            let isFirst = relationship.kind == "inheritsFrom"
            conformances[relationship.source, default: []].append((isFirst ? " " : "") + name)
        }
    }

    /// The listing, as Markdown.
    var text: String {
        let roots = Set(members.values.joined().compactMap(\.pathComponents.first))
        let byFolder = Dictionary(grouping: roots) { folder(of: $0) }
        let sections = byFolder.sorted { $0.key < $1.key }.map { folder, names in
            let title = folder.isEmpty ? "" : "### \(folder)\n\n"
            let blocks = names.sorted().map { declaration([$0]).joined(separator: "\n") }
            return "\(title)```swift\n\(blocks.joined(separator: "\n\n"))\n```\n"
        }
        return "## \(module)\n\n\(sections.joined(separator: "\n"))"
    }

    /// The folder of the source that a type, or the first thing added to it, is in.
    private func folder(of root: String) -> String {
        let symbol = types[[root]] ?? sorted([root]).first
        let parts = symbol?.place.file.split(separator: "/") ?? []
        let index = parts.lastIndex(of: Substring(module)) ?? parts.startIndex
        return parts[index...].dropFirst().dropLast().joined(separator: "/")
    }

    private func declaration(_ path: [String]) -> [String] {
        let members = sorted(path).flatMap { member in
            types[member.pathComponents] == nil
                ? Self.wrapped(member.declaration) : declaration(member.pathComponents)
        }
        let body = Self.joiningCases(members).map { "    \($0)" }
        guard let type = types[path] else {
            return ["extension \(path.joined(separator: ".")) {"] + body + ["}"]
        }
        let inherited = inherited(type)
        let header = type.declaration + (inherited.isEmpty ? "" : ": \(inherited)")
        let summary = type.docComment.map { ["/// \(Self.summary($0))"] } ?? []
        guard !type.kind.identifier.hasSuffix("typealias") else {
            return summary + [type.declaration]
        }
        return summary + (body.isEmpty ? ["\(header) {}"] : ["\(header) {"] + body + ["}"])
    }

    /// What is inside a type, in the order of its files, its own first, and of their lines.
    private func sorted(_ path: [String]) -> [Symbol] {
        let home = types[path]?.place.file
        return members[path, default: []].sorted { one, other in
            let (one, other) = (one.place, other.place)
            if one.file == other.file { return one.line < other.line }
            return one.file == home || (other.file != home && one.file < other.file)
        }
    }

    private func inherited(_ type: Symbol) -> String {
        var names = Set(conformances[type.identifier.precise] ?? [])
        names.subtract(["Copyable", "Escapable", "SendableMetatype", "RawRepresentable"])
        if names.contains("Hashable") { names.remove("Equatable") }
        if names.contains("Error") { names.remove("Sendable") }
        // A class that another one inherits from is marked by a space, and so comes first.
        return names.sorted().map { $0.trimming(" ") }.joined(separator: ", ")
    }

    /// Cases without values on one line.
    private static func joiningCases(_ lines: [String]) -> [String] {
        lines.reduce(into: []) { result, line in
            guard line.hasPrefix("case "), !line.contains("("), let last = result.last,
                last.hasPrefix("case "), !last.contains("("), last.count + line.count < 90
            else { return result.append(line) }
            result[result.count - 1] += ", \(line.dropFirst("case ".count))"
        }
    }

    private static func summary(_ comment: Symbol.Comment) -> String {
        let paragraph = comment.lines.map(\.text).prefix { !$0.isEmpty }.joined(separator: " ")
        return paragraph.replacing("``", with: "`")
    }

    /// A declaration on one line, or with a line for each parameter when it would be too long.
    static func wrapped(_ declaration: String) -> [String] {
        guard declaration.count > 92, let open = declaration.firstIndex(of: "(") else {
            return [declaration]
        }
        var parts: [String] = [""]
        var depth = 0
        var rest = declaration[declaration.index(after: open)...]
        while let character = rest.popFirst() {
            // The arrow of a function's type closes nothing.
            if "([<".contains(character) { depth += 1 }
            if ")]".contains(character) || (character == ">" && parts.last?.last != "-") {
                if depth == 0 { break }
                depth -= 1
            }
            if character == ",", depth == 0 {
                parts[parts.count - 1] += ","
                parts.append("")
            } else if !(parts.last == "" && character == " ") {
                parts[parts.count - 1].append(character)
            }
        }
        return ["\(declaration[...open])"] + parts.map { "    \($0)" } + [")\(rest)"]
    }
}

extension SymbolGraph.Symbol {
    fileprivate var isType: Bool {
        ["struct", "class", "enum", "protocol", "typealias"].contains {
            kind.identifier == "swift.\($0)"
        }
    }

    fileprivate var declaration: String {
        declarationFragments.map(\.spelling).joined().split(separator: "\n")
            .joined(separator: " ")
    }

    fileprivate var place: (file: String, line: Int) {
        (location?.uri ?? "", location?.position.line ?? 0)
    }
}

extension String {
    fileprivate func trimming(_ prefix: String) -> String {
        hasPrefix(prefix) ? String(dropFirst(prefix.count)) : self
    }
}
