/// The public symbols of a module as a text to read: by folder, type and line of the source.
struct APIListing {
    private typealias Symbol = SymbolGraph.Symbol

    private let module: String
    private var types: [[String]: Symbol] = [:]
    private var members: [[String]: [Symbol]] = [:]
    private var superclasses: [String: String] = [:]
    private var conformances: [String: Set<String>] = [:]
    /// The identifiers of types of other modules, by name.
    private var extended: [String: String] = [:]

    init(_ module: String, _ graphs: [SymbolGraph]) {
        self.module = module
        // Initializers of raw values and the like are in no source, and everybody knows them.
        for symbol in graphs.flatMap(\.symbols) where symbol.location != nil {
            if symbol.isType { types[symbol.pathComponents] = symbol }
            members[Array(symbol.pathComponents.dropLast()), default: []].append(symbol)
        }
        let paths = Dictionary(
            graphs.flatMap(\.symbols).map { ($0.identifier.precise, $0.pathComponents) },
            uniquingKeysWith: { first, _ in first })
        for relationship in graphs.flatMap(\.relationships) {
            let (source, target) = (relationship.source, relationship.target)
            let fallback = relationship.targetFallback?.split(separator: ".").last.map(String.init)
            let name = paths[target]?.last ?? fallback ?? ""
            switch relationship.kind {
            case "inheritsFrom": superclasses[source] = name
            case "conformsTo": conformances[source, default: []].insert(name)
            case "memberOf" where paths[target] == nil:
                extended[paths[source]?.first ?? ""] = target
            default: break
            }
        }
    }

    /// The listing, as Markdown.
    var text: String {
        let roots = Set(members.values.joined().compactMap(\.pathComponents.first))
        let byFolder = Dictionary(grouping: roots) { folder(of: $0) }
        let folders = byFolder.sorted { Self.precedes($0.key, $1.key, in: Self.folders) }
        let sections = folders.map { folder, names in
            let title = folder.isEmpty ? "" : "### \(folder)\n\n"
            let blocks = names.sorted { Self.precedes($0, $1, in: Self.types) }
                .map { declaration([$0]).joined(separator: "\n") }
            // What only conforms to something needs no room of its own.
            let conformances = blocks.filter { $0.hasPrefix("extension") && $0.hasSuffix(" {}") }
            let others = blocks.filter { !conformances.contains($0) }
            let shown =
                others + (conformances.isEmpty ? [] : [conformances.joined(separator: "\n")])
            return "\(title)```swift\n\(shown.joined(separator: "\n\n"))\n```\n"
        }
        return "## \(module)\n\n\(sections.joined(separator: "\n"))"
    }

    /// The folders in the order in which an app gets to know them; others come last.
    private static let folders = [
        "", "Pipeline", "Run", "File", "Queue", "HTTP", "Policy", "Transport", "Middleware",
        "Download", "Cache",
    ]

    /// The types that the others of their folder belong to.
    private static let types = [
        "PipelineRun", "RunEvent", "RunResult", "RequestResult", "RunOptions", "PipelineError",
        "RequestQueue", "RequestRecord", "RequestState", "RequestPolicy", "RequestError",
        "HTTPRequest", "HTTPResponse", "HTTPURL", "HTTPFields", "HTTPField", "Transport",
        "Exchange", "ResponseReceiver", "TransportError", "ScriptedTransport", "Middleware",
        "IncomingResponse", "Downloader", "Download", "DownloadError", "PipelineModel",
        "CurlTransport", "StubServer", "StubFault",
    ]

    /// Whether one comes before another by this order, in which what is not there comes last.
    private static func precedes(_ one: String, _ other: String, in order: [String]) -> Bool {
        let (first, second) = (order.firstIndex(of: one), order.firstIndex(of: other))
        return (first ?? order.count, one) < (second ?? order.count, other)
    }

    /// The folder of the source that a type, or the first thing added to it, is in.
    private func folder(of root: String) -> String {
        let symbol = types[[root]] ?? sorted([root]).first
        let parts = symbol?.place.file.split(separator: "/") ?? []
        let index = parts.lastIndex(of: Substring(module)) ?? parts.startIndex
        return parts[index...].dropFirst().dropLast().joined(separator: "/")
    }

    private func declaration(_ path: [String]) -> [String] {
        guard let type = types[path] else { return extensionOfOther(path[0]) }
        let summary = type.docComment.map { Self.summary($0) } ?? []
        guard !type.kind.identifier.hasSuffix("typealias") else {
            return summary + [type.declaration]
        }
        let body = sorted(path).flatMap { member in
            types[member.pathComponents] == nil
                ? DeclarationText(member.declaration).lines : declaration(member.pathComponents)
        }
        let inherited = inherited(type)
        let header = type.declaration + (inherited.isEmpty ? "" : ": \(inherited)")
        guard header.hasPrefix("@MainActor") else { return summary + Self.block(header, body) }
        // Said of the type, it need not be said of each member.
        return summary + Self.block(header, body.map { $0.replacing("@MainActor ", with: "") })
    }

    /// What the module adds to a type of another one.
    private func extensionOfOther(_ name: String) -> [String] {
        let protocols = (conformances[extended[name] ?? ""] ?? []).filter { types[[$0]] != nil }
        let requirements = protocols.flatMap { members[[$0], default: []] }
            .compactMap(\.pathComponents.last)
        let added = sorted([name]).filter { !requirements.contains($0.pathComponents[1]) }
        let header = ["extension \(name)", protocols.sorted().joined(separator: ", ")]
            .filter { !$0.isEmpty }.joined(separator: ": ")
        return Self.block(header, added.flatMap { DeclarationText($0.declaration).lines })
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
        // The declaration of a protocol says itself what it inherits from.
        guard !type.kind.identifier.hasSuffix("protocol") else { return "" }
        var names = conformances[type.identifier.precise] ?? []
        names.subtract(["Copyable", "Escapable", "SendableMetatype", "RawRepresentable"])
        if names.contains("Hashable") { names.remove("Equatable") }
        if names.contains("Error") { names.remove("Sendable") }
        if names.contains("RandomAccessCollection") {
            names.subtract(["Sequence", "Collection", "BidirectionalCollection"])
        }
        if names.contains("ExpressibleByStringLiteral") {
            names.subtract([
                "ExpressibleByExtendedGraphemeClusterLiteral", "ExpressibleByUnicodeScalarLiteral",
            ])
        }
        guard let superclass = superclasses[type.identifier.precise] else {
            return names.sorted().joined(separator: ", ")
        }
        // What every class of Foundation conforms to says nothing.
        return ([superclass] + names.filter { types[[$0]] != nil }.sorted())
            .joined(separator: ", ")
    }

    private static func block(_ header: String, _ body: [String]) -> [String] {
        guard !body.isEmpty else { return ["\(header) {}"] }
        return ["\(header) {"] + joiningCases(body).map { "    \($0)" } + ["}"]
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

    private static func summary(_ comment: Symbol.Comment) -> [String] {
        comment.lines.map(\.text).prefix { !$0.isEmpty }
            .map { "/// \($0.replacing("``", with: "`"))" }
    }
}
