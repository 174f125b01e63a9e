/// A JSONPath, compiled once and applied to any number of values: all of RFC 9535.
///
/// A path is compared and hashed by its text. Of a doubled member name only the last one is seen. The
/// patterns of `match` and `search` are I-Regexp (RFC 9485) and are matched in linear time.
///
/// A path without descendants (`..`) and filters takes time in proportion to the children that it looks
/// at. `..` looks at everything below a node once; a second one, or one within a filter, does so for
/// each node that the first gave, and a bracket that names a child twice gives it twice: what a path asks
/// for can be a power of the size of the value.
///
/// ```swift
/// let path = try JSONPath("$.items[?@.price < 10 && match(@.name, 'a.*')].id")
/// path.nodes(in: response)                          // the ids, views of the response
/// path.locatedNodes(in: response).map(\.path)       // ["$['items'][3]['id']"]
/// ```
public struct JSONPath: Sendable {
    /// How deeply filters, parentheses and functions of a path may be nested.
    public static let maximumDepth = 32

    /// The path as it was written.
    public let text: String

    private let query: PathQuery

    /// Compiles a path; throws with the place of the first character that cannot be part of one.
    public init(_ text: String) throws(JSONPathError) {
        var parser = PathParser(text)
        query = try parser.parse()
        self.text = text
    }

    /// Whether the path gives one node at most, whatever the value (RFC 9535 section 2.3.5.1).
    public var isSingular: Bool { query.isSingular }

    /// The nodes that the path selects, in the order of RFC 9535; none is not an error.
    ///
    /// They are views of `root`'s document: nothing is copied.
    public func nodes(in root: JSONValue) -> [JSONValue] {
        indices(in: root).map { JSONValue(document: root.document, index: $0) }
    }

    /// The nodes that the path selects, each with the normalized path that leads to it from `root` (RFC
    /// 9535 section 2.7), such as `$['items'][3]['id']`.
    public func locatedNodes(in root: JSONValue) -> [(path: String, value: JSONValue)] {
        let indices = indices(in: root)
        let paths = NormalizedPaths(of: indices, in: root)
        return indices.map { index in
            (paths[index], JSONValue(document: root.document, index: index))
        }
    }

    private func indices(in root: JSONValue) -> [Int] {
        var evaluation = PathEvaluation(root: root)
        return evaluation.nodes(of: query, at: root.index)
    }
}

extension JSONPath: Hashable {
    /// Whether both have the same text, byte for byte.
    public static func == (left: JSONPath, right: JSONPath) -> Bool {
        left.text.utf8.elementsEqual(right.text.utf8)
    }

    /// Hashes the bytes of the text: a `String` holds canonically equivalent texts for equal.
    public func hash(into hasher: inout Hasher) {
        for byte in text.utf8 { hasher.combine(byte) }
    }
}
