import Foundation

/// A declaration as it is written in a listing.
struct DeclarationText {
    /// One line, or a line for each parameter when it would be too long.
    let lines: [String]

    init(_ text: String) {
        guard text.count > 92, let open = text.firstIndex(of: "(") else {
            lines = [text]
            return
        }
        var parts: [String] = [""]
        var depth = 0
        var rest = text[text.index(after: open)...]
        while let character = rest.popFirst() {
            // An operator such as `<<` opens nothing, and the arrow of a function closes nothing.
            let before = parts.last?.last
            if "([{".contains(character) || (character == "<" && before != " " && before != "<") {
                depth += 1
            }
            if ")]}".contains(character) || (character == ">" && before != "-") {
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
        lines = ["\(text[...open])"] + parts.map { "    \($0)" } + [")\(rest)"]
    }
}

extension SymbolGraph.Symbol {
    var isType: Bool {
        ["struct", "class", "enum", "protocol", "typealias"].contains {
            kind.identifier == "swift.\($0)"
        }
    }

    /// The file and the line in it, from 0.
    var place: (file: String, line: Int) {
        (location?.uri ?? "", location?.position.line ?? 0)
    }

    /// What the compiler writes, on one line.
    var declaration: String {
        let text = declarationFragments.map(\.spelling).joined().split(separator: "\n")
            .joined(separator: " ").replacing(" : ", with: ": ")
        let shown = isReadOnly ? text.replacing("{ get set }", with: "{ get }") : text
        return accessLevel == "open" ? "open \(shown)" : shown
    }

    /// Whether only its type may set it.
    ///
    /// Of what a macro has rewritten, only the source tells.
    private var isReadOnly: Bool {
        guard kind.identifier == "swift.property", let url = URL(string: place.file),
            let source = try? String(contentsOf: url, encoding: .utf8)
        else { return false }
        let lines = source.split(separator: "\n", omittingEmptySubsequences: false)
        return lines.indices.contains(place.line) && lines[place.line].contains("private(set)")
    }
}
