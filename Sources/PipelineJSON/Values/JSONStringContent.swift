/// The content of a string or name, compared and hashed byte for byte without its quotes and escapes.
///
/// `String` would not do: it holds `é` and `e` with an accent for equal, which JSON does not.
struct JSONStringContent: Hashable {
    let document: JSONDocument
    let index: Int

    var hasEscapes: Bool { document.nodes[index].hasEscapes }

    /// The bytes between the quotes, as they stand.
    var slice: ArraySlice<UInt8> {
        let range = document.sourceRange(of: index)
        return document.bytes[range.lowerBound + 1..<range.upperBound - 1]
    }

    var utf8: UnescapedUTF8 { UnescapedUTF8(slice) }

    var string: String {
        hasEscapes
            ? String(decoding: Array(utf8), as: UTF8.self) : String(decoding: slice, as: UTF8.self)
    }

    /// How many code points the content has.
    var scalarCount: Int {
        hasEscapes
            ? utf8.count { !UTF8.isContinuation($0) } : slice.count { !UTF8.isContinuation($0) }
    }

    /// Gives the bytes to a closure; they are copied only when there are escapes to undo.
    func withUTF8<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        hasEscapes
            ? Array(utf8).withUnsafeBufferPointer(body) : slice.withUnsafeBufferPointer(body)
    }

    static func == (left: JSONStringContent, right: JSONStringContent) -> Bool {
        switch (left.hasEscapes, right.hasEscapes) {
        case (false, false): left.slice == right.slice
        default: left.utf8.elementsEqual(right.utf8)
        }
    }

    func hash(into hasher: inout Hasher) {
        if hasEscapes {
            Array(utf8).withUnsafeBytes { hasher.combine(bytes: $0) }
        } else {
            slice.withUnsafeBytes { hasher.combine(bytes: $0) }
        }
    }
}

extension JSONValue {
    /// The content of a value that is known to be a string.
    var content: JSONStringContent { JSONStringContent(document: document, index: index) }
}

/// The bytes of a string that was already found valid, with its escapes undone one by one.
///
/// Half a surrogate pair, which no UTF-8 can hold, comes out as U+FFFD.
struct UnescapedUTF8: Sequence, IteratorProtocol {
    private let bytes: ArraySlice<UInt8>
    private var offset: Int
    private var pending: UTF8.EncodedScalar.Iterator?

    /// The content between the quotes, without them.
    init(_ content: ArraySlice<UInt8>) {
        bytes = content
        offset = content.startIndex
    }

    mutating func next() -> UInt8? {
        if let byte = pending?.next() { return byte }
        guard offset < bytes.endIndex else { return nil }
        let byte = bytes[offset]
        guard byte == UInt8(ascii: "\\") else {
            offset += 1
            return byte
        }
        if let character = bytes[offset + 1].unescaped {
            offset += 2
            return character
        }
        pending = UTF8.encode(nextEscapedScalar())?.makeIterator()
        return pending?.next()
    }

    private mutating func nextEscapedScalar() -> Unicode.Scalar {
        let unit = bytes.escapedCodeUnit(at: offset) ?? 0xFFFD
        offset += 6
        if let scalar = Unicode.Scalar(unit) { return scalar }
        if let low = bytes.escapedCodeUnit(at: offset), let pair = scalar(high: unit, low: low) {
            offset += 6
            return pair
        }
        return "\u{FFFD}"
    }
}
