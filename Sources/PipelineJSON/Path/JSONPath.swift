/// A JSONPath (RFC 9535), compiled once and applied to any number of values.
///
/// Names (`$.a`, `$['a']`), indices (`$[0]`, `$[-1]`) and wildcards (`$.*`, `$[*]`) are known; slices,
/// several selectors in one pair of brackets, descendants and filters are refused.
public struct JSONPath: Sendable, Hashable {
    /// The path as it was written.
    public let text: String

    private let selectors: [Selector]

    enum Selector: Hashable {
        /// A name in UTF-8: bytes, since `String` holds canonically equivalent names for equal.
        case name([UInt8])
        /// A place from the start, or from the end when it is negative.
        case index(Int)
        case wildcard
    }

    /// Compiles a path; throws with the place of the first character that cannot be part of one.
    public init(_ text: String) throws(JSONPathError) {
        var parser = JSONPathParser(text)
        selectors = try parser.parse()
        self.text = text
    }

    /// Whether the path gives one node at most, whatever the value (RFC 9535 section 2.3.5.1).
    public var isSingular: Bool { !selectors.contains(.wildcard) }

    /// The nodes that the path selects, in the order of RFC 9535; none is not an error.
    ///
    /// They are views of `root`'s document: nothing is copied.
    public func nodes(in root: JSONValue) -> [JSONValue] {
        var nodes = [root]
        for selector in selectors {
            var selected: [JSONValue] = []
            for node in nodes { selector.appendChildren(of: node, to: &selected) }
            nodes = selected
        }
        return nodes
    }
}

extension JSONPath.Selector {
    fileprivate func appendChildren(of node: JSONValue, to selected: inout [JSONValue]) {
        switch self {
        case .name(let name):
            guard let child = name.withUnsafeBufferPointer({ node.member($0) }) else { return }
            selected.append(child)
        case .index(let index):
            guard let child = node[index < 0 ? node.count + index : index] else { return }
            selected.append(child)
        case .wildcard:
            selected.append(contentsOf: node.elements)
            selected.append(contentsOf: node.members.lazy.map(\.value))
        }
    }
}
