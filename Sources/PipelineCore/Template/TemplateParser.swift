import PipelineJSON

/// Finds the placeholders of one string.
struct TemplateParser {
    /// Gives a name its meaning; `nil` once it has reported that there is none.
    let resolve: (_ name: String, _ place: SourcePlace) -> Reference?
    /// Reports what is wrong with a placeholder.
    let report: (_ message: String, _ place: SourcePlace) -> Void

    func parse(_ value: JSONValue) -> Template {
        let text = value.string ?? ""
        guard text.utf8.contains(UInt8(ascii: "{")) else { return Template(literal: text) }
        var places = PlaceholderPlaces(value)
        var segments: [Template.Segment] = []
        var literal: [UInt8] = []
        // Bytes, because a combining character after a brace would hide it in a Character.
        var rest = Array(text.utf8)[...]
        while let open = rest.firstOffset(of: "{{") {
            let place = places.next()
            literal += rest[..<open]
            let afterOpen = rest[(open + 2)...]
            if literal.last == UInt8(ascii: "\\") {
                literal.removeLast()
                literal += "{{".utf8
                rest = afterOpen
                continue
            }
            guard let close = afterOpen.firstOffset(of: "}}") else {
                report("the placeholder has no closing }}; write \\\\{{ for two braces", place)
                return Template(literal: text)
            }
            let name = String(decoding: afterOpen[..<close].trimmingWhitespace, as: UTF8.self)
            if let reference = reference(name, place) {
                Self.append(literal, to: &segments)
                literal = []
                segments.append(
                    .placeholder(.init(name: name, reference: reference, place: place)))
            }
            rest = afterOpen[(close + 2)...]
        }
        Self.append(literal + rest, to: &segments)
        return Template(segments: segments)
    }

    private static func append(_ literal: [UInt8], to segments: inout [Template.Segment]) {
        guard !literal.isEmpty else { return }
        segments.append(.text(String(decoding: literal, as: UTF8.self)))
    }

    private func reference(_ name: String, _ place: SourcePlace) -> Reference? {
        if name.hasPrefix("$") {
            let generators = Reference.generators
            if let known = generators.first(where: { $0.name == name }) { return known.reference }
            let hint = NearestName.hint(name, among: generators.lazy.map(\.name))
            report("there is no {{\(name)}}\(hint)", place)
            return nil
        }
        guard VariableName.isValid(name) else {
            report(
                "\"\(name)\" is not the name of a variable (\(VariableName.rule)); "
                    + "write \\\\{{ for two braces",
                place)
            return nil
        }
        return resolve(name, place)
    }
}

/// What a variable may be called.
package enum VariableName {
    static let rule = "letters, digits, _ and -, not a digit first"

    /// Whether a name is one that a placeholder can use; `env.` may stand before it.
    package static func isValid(_ name: String) -> Bool {
        let name = name.hasPrefix("env.") ? name.dropFirst(4) : name[...]
        guard let first = name.utf8.first, !first.isASCIIDigit else { return false }
        return name.utf8.allSatisfy {
            $0.isASCIILetter || $0.isASCIIDigit || $0 == UInt8(ascii: "_")
                || $0 == UInt8(ascii: "-")
        }
    }
}

/// Where the placeholders of a string stand in the file, one after the other.
private struct PlaceholderPlaces {
    private let whole: SourcePlace
    private var rest: ArraySlice<UInt8>

    init(_ value: JSONValue) {
        whole = SourcePlace(value.sourceRange)
        rest = value.sourceBytes
    }

    /// The braces and what is between them; the whole string when they are written with escapes.
    mutating func next() -> SourcePlace {
        guard let open = rest.firstOffset(of: "{{") else { return whole }
        rest = rest[(open + 2)...]
        return SourcePlace(open..<(rest.firstOffset(of: "}}") ?? open) + 2)
    }
}

extension ArraySlice<UInt8> {
    /// Where two bytes stand for the first time.
    fileprivate func firstOffset(of pair: StaticString) -> Int? {
        let (first, second) = (pair.utf8Start[0], pair.utf8Start[1])
        return indices.dropLast().first { self[$0] == first && self[$0 + 1] == second }
    }
}
