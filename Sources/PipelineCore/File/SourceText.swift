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

    /// `home-screen.json:31:29`.
    package func location(of place: SourcePlace) -> String {
        let position = SourceLines(bytes).position(of: place.bytes.lowerBound)
        return "\(name):\(position.line):\(position.column)"
    }

    /// The line of a place with a caret under it.
    package func excerpt(of place: SourcePlace) -> SourceExcerpt {
        SourceExcerpt(bytes, place.bytes)
    }

    /// The keys and indices that lead to a place, such as `requests[2].expect.status`.
    package func path(to place: SourcePlace) -> String {
        // Parsed again, since only failures come here: the tree is larger than the text.
        guard var value = try? JSONValue(parsing: bytes) else { return "" }
        let offset = place.bytes.lowerBound
        var path = ""
        descent: while true {
            for member in value.members
            where member.nameRange.lowerBound <= offset
                && offset < member.value.sourceRange.upperBound
            {
                path += Self.step(member.name, after: path)
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
