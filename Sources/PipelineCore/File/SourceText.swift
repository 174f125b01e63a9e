import PipelineJSON
import Synchronization

/// A pipeline file as it was read, kept so that every message can show its place.
///
/// Places are byte ranges. Lines, columns and paths are worked out when the first message is made,
/// so a file without problems costs nothing for them.
package final class SourceText: Sendable {
    /// What messages call the file.
    package let name: String
    private let bytes: [UInt8]
    private let index = Mutex<Index?>(nil)

    /// What places are looked up in.
    private struct Index {
        let lines: SourceLines
        let root: JSONValue
    }

    init(name: String, bytes: [UInt8]) {
        self.name = name
        self.bytes = bytes
    }

    /// All of it.
    var whole: SourcePlace { SourcePlace(0..<bytes.count) }

    /// A problem with its line, column and path.
    package func diagnostic(_ message: String, at place: SourcePlace) -> Diagnostic {
        let index = lookUp()
        return Diagnostic(
            message: message,
            location: "\(name):\(index.lines.position(of: place.bytes.lowerBound))",
            path: Self.path(to: place, in: index.root),
            excerpt: SourceExcerpt(index.lines, place.bytes).lines)
    }

    private func lookUp() -> Index {
        index.withLock { index in
            // Parsed again, since only failures come here: the tree is larger than the text.
            let found =
                index
                ?? Index(
                    lines: SourceLines(bytes), root: (try? JSONValue(parsing: bytes)) ?? .null)
            index = found
            return found
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
                path += step(member.name.shortened, after: path)
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
