/// The normalized paths (RFC 9535 section 2.7) of nodes of a value, found in one walk for all of them.
struct NormalizedPaths {
    private var paths: [Int: String] = [:]

    private let document: JSONDocument
    private let root: Int

    /// The containers from the root to the node looked at, and the path up to each.
    private var enclosing: [Container] = []

    private struct Container {
        let path: String
        let isObject: Bool
        let end: Int
        /// The child that was come to, and its place.
        var child: Int
        var place = 0
    }

    init(of indices: [Int], in root: JSONValue) {
        document = root.document
        self.root = root.index
        for index in Set(indices).sorted() { paths[index] = path(of: index) }
    }

    subscript(_ index: Int) -> String { paths[index] ?? "$" }

    /// The path of a node that does not come before the one asked for last.
    private mutating func path(of index: Int) -> String {
        while let container = enclosing.last, container.end <= index { enclosing.removeLast() }
        if enclosing.isEmpty { open(root, path: "$") }
        guard index > root else { return "$" }
        while true {
            goToChild(around: index)
            let container = enclosing[enclosing.count - 1]
            let path = container.path + step(to: container)
            guard container.child < index else { return path }
            open(container.child, path: path)
        }
    }

    private mutating func open(_ index: Int, path: String) {
        let isObject = document.nodes[index].isObject
        enclosing.append(
            Container(
                path: path, isObject: isObject, end: document.next(after: index),
                child: isObject ? index + 2 : index + 1))
    }

    /// Goes on in the innermost container until the child that holds a node, or is it.
    private mutating func goToChild(around index: Int) {
        let last = enclosing.count - 1
        while document.next(after: enclosing[last].child) <= index {
            let next = document.next(after: enclosing[last].child)
            enclosing[last].child = enclosing[last].isObject ? next + 1 : next
            enclosing[last].place += 1
        }
    }

    private func step(to container: Container) -> String {
        guard container.isObject else { return "[\(container.place)]" }
        let name = JSONStringContent(document: document, index: container.child - 1).string
        return "['\(Self.escaped(name))']"
    }

    private static func escaped(_ name: String) -> String {
        var escaped = String.UnicodeScalarView()
        for scalar in name.unicodeScalars {
            switch scalar {
            case "'", "\\": escaped += ["\\", scalar]
            case ..<" ":
                let value = UInt8(truncatingIfNeeded: scalar.value)
                if let letter = value.shortEscape {
                    escaped += ["\\", Unicode.Scalar(letter)]
                } else {
                    escaped += (value < 0x10 ? "\\u000" : "\\u00").unicodeScalars
                    escaped += String(value, radix: 16).unicodeScalars
                }
            default: escaped.append(scalar)
            }
        }
        return String(escaped)
    }
}
