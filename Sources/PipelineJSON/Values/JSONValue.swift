/// A JSON value: a view of a part of a text that was parsed or built.
///
/// A value is 16 bytes and cheap to copy; it keeps the whole text that it is a part of alive, unless
/// `detached()`. It can be used from any thread. Values are equal as RFC 8259 has them: numbers by
/// their exact decimal value, strings byte for byte after their escapes are undone, objects whatever
/// the order of their members.
///
/// ```swift
/// let value = try JSONValue(parsing: #"{"user": {"name": "Ada", "id": 9007199254740993}}"#)
/// value["user"]?["name"]?.string     // "Ada"
/// value["user"]?["id"]?.sourceText   // "9007199254740993"
/// ```
public struct JSONValue: Sendable {
    /// What a value is; the raw value is its name in messages and in the pipeline format.
    public enum Kind: String, Sendable, CaseIterable {
        /// The literal `null`.
        case null
        /// The literals `true` and `false`.
        case boolean
        /// Any number; JSON does not tell integers from others.
        case number
        /// A string.
        case string
        /// A list of values.
        case array
        /// A list of members, each a name and a value.
        case object
    }

    /// How deeply arrays and objects of a text may be nested (RFC 8259 section 9 lets a parser set this).
    public static let maximumDepth = 1_000

    /// The largest text that is parsed, in bytes: 1 GiB.
    public static let maximumSize = 1 << 30

    /// The text and nodes that this value is a part of.
    package let document: JSONDocument

    let index: Int

    /// Reads a text that holds one JSON value, strictly after RFC 8259.
    ///
    /// The text is UTF-8; a byte order mark before it is skipped. The bytes are kept, not copied.
    /// Nesting beyond `maximumDepth` and texts beyond `maximumSize` are refused. Doubled names and
    /// escapes of half a surrogate pair are accepted; see `doubledNames()`. Costs about twice the size
    /// of the text in memory beside it.
    public init(parsing bytes: [UInt8]) throws(JSONError) {
        self.init(document: try JSONParser.document(parsing: bytes), index: 0)
    }

    /// Reads a text that holds one JSON value; offsets in errors and ranges count its UTF-8 bytes.
    public init(parsing text: String) throws(JSONError) {
        try self.init(parsing: Array(text.utf8))
    }

    init(document: JSONDocument, index: Int) {
        self.document = document
        self.index = index
    }

    /// What this value is.
    public var kind: Kind { node.kind }

    /// Whether this is the literal `null`.
    public var isNull: Bool { kind == .null }

    /// The value of `true` and `false`; nil for every other value.
    public var boolean: Bool? {
        kind == .boolean ? document.bytes[Int(node.start)] == UInt8(ascii: "t") : nil
    }

    /// The number with the digits that stand in the text; nil for a value that is not one.
    public var number: JSONNumber? {
        kind == .number ? JSONNumber(validated: sourceText) : nil
    }

    /// The content of a string with its escapes undone; nil for a value that is not one.
    ///
    /// An escape of half a surrogate pair gives U+FFFD.
    public var string: String? {
        kind == .string ? content.string : nil
    }

    /// How many elements an array or members an object has, doubled ones included; 0 for a scalar.
    public var count: Int { node.count }

    /// The value of the member with this name; nil without one, and for a value that is not an object.
    ///
    /// Names are compared byte for byte. Of a doubled name the last one wins (RFC 8259 section 4
    /// leaves it open). Takes time in proportion to `count`.
    public subscript(_ name: String) -> JSONValue? {
        var name = name
        return name.withUTF8 { member($0) }
    }

    /// The element at this place, counted from 0; nil beyond the end, for a negative one, and for a
    /// value that is not an array.
    ///
    /// Takes time in proportion to `index`; loop over `elements` to see them all.
    public subscript(_ index: Int) -> JSONValue? {
        guard kind == .array, 0..<count ~= index else { return nil }
        return elements.dropFirst(index).first { _ in true }
    }

    /// Where this value stands in its text, in bytes; the quotes of a string are part of it.
    ///
    /// A value that was built, and a detached one, has a text of its own.
    public var sourceRange: Range<Int> { document.sourceRange(of: index) }

    /// The text of this value as it stands, with its blanks; a number keeps all its digits.
    public var sourceText: String { String(decoding: sourceBytes, as: UTF8.self) }

    /// The bytes of `sourceText`, not copied.
    package var sourceBytes: ArraySlice<UInt8> { document.bytes[sourceRange] }

    var node: JSONNode { document.nodes[index] }

    /// The index after this value and all that it holds.
    var end: Int { Int(node.next) }

    func member(_ name: UnsafeBufferPointer<UInt8>) -> JSONValue? {
        guard kind == .object, let value = document.value(ofMember: name, in: index) else {
            return nil
        }
        return JSONValue(document: document, index: value)
    }
}
