/// One token in document order: a scalar, a name, or an array or object with all that it holds.
///
/// A member is two nodes, its name and then its value. Documents are at most 1 GiB, so offsets and
/// indices fit 32 bits, and a count (two bytes of text for each element at least) fits 29.
struct JSONNode: Sendable {
    let start: UInt32

    /// The length of the token in bytes: quotes and brackets are part of it.
    private(set) var length: UInt32

    /// The index of the node after this subtree; while the parser is inside it, that of the parent.
    private(set) var next: UInt32

    /// From the lowest bit: three of kind, then the count, or for a string whether it holds escapes.
    private var meta: UInt32

    /// A node without children.
    init(_ kind: JSONValue.Kind, start: Int, end: Int, index: Int, hasEscapes: Bool = false) {
        self.start = UInt32(truncatingIfNeeded: start)
        length = UInt32(truncatingIfNeeded: end - start)
        next = UInt32(truncatingIfNeeded: index + 1)
        meta = kind.tag | (hasEscapes ? Self.one : 0)
    }

    /// An array or object whose end is not known yet.
    init(opening kind: JSONValue.Kind, start: Int, parent: Int, count: Int) {
        self.start = UInt32(truncatingIfNeeded: start)
        length = 0
        next = UInt32(truncatingIfNeeded: parent)
        meta = kind.tag | UInt32(truncatingIfNeeded: count) << 3
    }

    var kind: JSONValue.Kind { JSONValue.Kind(tag: meta & 0b111) }
    var isContainer: Bool { meta & 0b111 >= JSONValue.Kind.array.tag }
    var isObject: Bool { meta & 0b111 == JSONValue.Kind.object.tag }
    var hasEscapes: Bool { meta == JSONValue.Kind.string.tag | Self.one }
    var count: Int { isContainer ? Int(meta >> 3) : 0 }

    /// The index of the container around one that is still open; -1 around the outermost.
    var parent: Int { Int(Int32(bitPattern: next)) }

    mutating func addElement() { meta &+= Self.one }

    mutating func close(end: Int, next: Int) {
        length = UInt32(truncatingIfNeeded: end) &- start
        self.next = UInt32(truncatingIfNeeded: next)
    }

    /// The same node in a copy of its subtree that begins elsewhere.
    func moved(bytes: Int, nodes: Int) -> JSONNode {
        JSONNode(
            start: start &+ UInt32(truncatingIfNeeded: bytes), length: length,
            next: next &+ UInt32(truncatingIfNeeded: nodes), meta: meta)
    }

    private init(start: UInt32, length: UInt32, next: UInt32, meta: UInt32) {
        self.start = start
        self.length = length
        self.next = next
        self.meta = meta
    }

    private static var one: UInt32 { 1 << 3 }
}

extension JSONValue.Kind {
    fileprivate var tag: UInt32 {
        switch self {
        case .null: 0
        case .boolean: 1
        case .number: 2
        case .string: 3
        case .array: 4
        case .object: 5
        }
    }

    fileprivate init(tag: UInt32) {
        switch tag {
        case 0: self = .null
        case 1: self = .boolean
        case 2: self = .number
        case 3: self = .string
        case 4: self = .array
        default: self = .object
        }
    }
}
