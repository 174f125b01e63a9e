/// The storage that the values of one text share: its bytes, and one flat array of nodes in document order.
///
/// There is no tree of objects. A value is an index into `nodes`, and the node after a whole subtree is
/// one addition away, so nothing is copied to look at a part and nothing recurses to let go of it.
package final class JSONDocument: Sendable {
    /// The text as it was given, a byte order mark included.
    package let bytes: [UInt8]

    /// How many escapes of half a surrogate pair the text holds; each is read as U+FFFD.
    package let loneSurrogateCount: Int

    /// The offset of the first of them, for a warning.
    package let firstLoneSurrogate: Int?

    let nodes: [JSONNode]

    init(
        bytes: [UInt8], nodes: [JSONNode], loneSurrogateCount: Int = 0,
        firstLoneSurrogate: Int? = nil
    ) {
        self.bytes = bytes
        self.nodes = nodes
        self.loneSurrogateCount = loneSurrogateCount
        self.firstLoneSurrogate = firstLoneSurrogate
    }

    func sourceRange(of index: Int) -> Range<Int> {
        let node = nodes[index]
        return Int(node.start)..<Int(node.start) + Int(node.length)
    }

    /// The index after the subtree that begins at `index`.
    func next(after index: Int) -> Int { Int(nodes[index].next) }

    /// The value of the last member with this name, found without allocating unless names hold escapes.
    func value(ofMember name: UnsafeBufferPointer<UInt8>, in object: Int) -> Int? {
        var found: Int?
        var key = object + 1
        let end = next(after: object)
        while key < end {
            if isName(key, equalTo: name) { found = key + 1 }
            key = next(after: key + 1)
        }
        return found
    }

    private func isName(_ key: Int, equalTo name: UnsafeBufferPointer<UInt8>) -> Bool {
        let node = nodes[key]
        guard !node.hasEscapes else {
            return JSONStringContent(document: self, index: key).utf8.elementsEqual(name)
        }
        guard Int(node.length) == name.count + 2 else { return false }
        let start = Int(node.start) + 1
        for offset in name.indices where bytes[start + offset] != name[offset] { return false }
        return true
    }
}
