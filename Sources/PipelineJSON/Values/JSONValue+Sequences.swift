extension JSONValue {
    /// The elements of an array in order; none for any other value.
    public var elements: Elements { Elements(of: self, when: .array) }

    /// The members of an object in order, doubled ones included; none for any other value.
    public var members: Members { Members(Elements(of: self, when: .object)) }

    /// The elements of an array, found one after the other; nothing is allocated or copied.
    public struct Elements: Sequence, IteratorProtocol, Sendable {
        private let document: JSONDocument
        private var index: Int
        private let end: Int

        fileprivate init(of value: JSONValue, when kind: Kind) {
            document = value.document
            index = value.index + 1
            end = value.kind == kind ? value.end : index
        }

        /// The next element; nil after the last.
        public mutating func next() -> JSONValue? {
            guard index < end else { return nil }
            defer { index = document.next(after: index) }
            return JSONValue(document: document, index: index)
        }
    }

    /// The members of an object, found one after the other; nothing is allocated or copied.
    public struct Members: Sequence, IteratorProtocol, Sendable {
        private var nodes: Elements

        fileprivate init(_ nodes: Elements) {
            self.nodes = nodes
        }

        /// The next member; nil after the last.
        public mutating func next() -> Member? {
            guard nodes.next() != nil, let value = nodes.next() else { return nil }
            return Member(value: value)
        }
    }

    /// A member of an object.
    public struct Member: Sendable {
        /// The value.
        public let value: JSONValue

        /// The name with its escapes undone.
        public var name: String { content.string }

        /// Where the name stands in the text, in bytes, its quotes included.
        public var nameRange: Range<Int> { value.document.sourceRange(of: value.index - 1) }

        /// A name is the node right before its value.
        var content: JSONStringContent {
            JSONStringContent(document: value.document, index: value.index - 1)
        }
    }
}
