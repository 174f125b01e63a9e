import PipelineJSON

/// A pipeline file as it was read, kept so that every message can show its place.
///
/// Places are byte ranges. Lines, columns and paths are worked out from the text when a message is
/// made, so a file without problems costs nothing for them.
package struct SourceText: Sendable {
    /// What messages call the file.
    package let name: String
    private let bytes: [UInt8]

    init(name: String, bytes: [UInt8]) {
        self.name = name
        self.bytes = bytes
    }

    /// All of it.
    var whole: SourcePlace { SourcePlace(0..<bytes.count) }

    /// A problem with its line, column and path.
    package func diagnostic(_ message: String, at place: SourcePlace) -> Diagnostic {
        diagnostics([Problem(message: message, place: place)])[0]
    }

    /// Problems with their lines, columns and paths.
    func diagnostics(_ problems: some Collection<Problem>) -> [Diagnostic] {
        // Parsed again, since only failures come here: the tree is larger than the text.
        let root = (try? JSONValue(parsing: bytes)) ?? .null
        let lines = SourceLines(bytes)
        return problems.map { problem in
            let place = problem.place
            return Diagnostic(
                message: problem.message,
                location: "\(name):\(lines.position(of: place.bytes.lowerBound))",
                path: Self.path(to: place, in: root),
                excerpt: SourceExcerpt(bytes, place.bytes).lines)
        }
    }

    /// The keys and indices that lead to a place, such as `requests[2].expect.status`.
    private static func path(to place: SourcePlace, in root: JSONValue) -> String {
        var value = root
        let offset = place.bytes.lowerBound
        var path = ""
        descent: while true {
            for member in value.members
            where member.nameRange.lowerBound <= offset
                && offset < member.value.sourceRange.upperBound
            {
                path += step(member.name, after: path)
                if member.nameRange.contains(offset) { break descent }
                value = member.value
                continue descent
            }
            for (index, element) in value.elements.enumerated()
            where element.sourceRange.contains(offset) {
                path += "[\(index)]"
                value = element
                continue descent
            }
            break
        }
        return path
    }

    private static func step(_ name: String, after path: String) -> String {
        let isWord = name.utf8.allSatisfy {
            $0.isASCIILetter || $0.isASCIIDigit || $0 == UInt8(ascii: "_")
                || $0 == UInt8(ascii: "$")
        }
        guard isWord, !name.isEmpty else {
            return "[\(String(decoding: JSONValue(name).serialized(), as: UTF8.self))]"
        }
        return path.isEmpty ? name : ".\(name)"
    }
}
