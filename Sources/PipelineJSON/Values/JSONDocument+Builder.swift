extension JSONDocument {
    /// Joins values to a new document by copying their bytes and nodes one after the other.
    struct Builder {
        private var bytes: [UInt8] = []
        private var nodes: [JSONNode] = []

        /// The value that was appended first, with a document of its own.
        consuming func value() -> JSONValue {
            precondition(bytes.count <= JSONValue.maximumSize, "a JSON value is larger than 1 GiB")
            return JSONValue(document: JSONDocument(bytes: bytes, nodes: nodes), index: 0)
        }

        /// Appends a scalar whose text needs no escapes.
        mutating func append(_ kind: JSONValue.Kind, _ text: String) {
            let start = bytes.count
            bytes.append(contentsOf: text.utf8)
            nodes.append(JSONNode(kind, start: start, end: bytes.count, index: nodes.count))
        }

        mutating func append(string: String) {
            let start = bytes.count
            bytes.append(UInt8(ascii: "\""))
            JSONWriter.appendEscaped(string.utf8, to: &bytes)
            bytes.append(UInt8(ascii: "\""))
            nodes.append(
                JSONNode(
                    .string, start: start, end: bytes.count, index: nodes.count,
                    hasEscapes: bytes.count - start != string.utf8.count + 2))
        }

        mutating func append(_ value: JSONValue) {
            let range = value.sourceRange
            let byteShift = bytes.count - range.lowerBound
            let nodeShift = nodes.count - value.index
            bytes.append(contentsOf: value.sourceBytes)
            for node in value.document.nodes[value.index..<value.end] {
                nodes.append(node.moved(bytes: byteShift, nodes: nodeShift))
            }
        }

        mutating func append(array: [JSONValue]) {
            append(.array, array, UInt8(ascii: "["), UInt8(ascii: "]")) { $0.append($1) }
        }

        mutating func append(object: [(name: String, value: JSONValue)]) {
            append(.object, object, UInt8(ascii: "{"), UInt8(ascii: "}")) {
                $0.append(string: $1.name)
                $0.bytes.append(UInt8(ascii: ":"))
                $0.append($1.value)
            }
        }

        private mutating func append<Part>(
            _ kind: JSONValue.Kind, _ parts: [Part], _ opening: UInt8, _ closing: UInt8,
            appendPart: (inout Builder, Part) -> Void
        ) {
            let index = nodes.count
            nodes.append(
                JSONNode(opening: kind, start: bytes.count, parent: -1, count: parts.count))
            bytes.append(opening)
            for (place, part) in parts.enumerated() {
                if place > 0 { bytes.append(UInt8(ascii: ",")) }
                appendPart(&self, part)
            }
            bytes.append(closing)
            nodes[index].close(end: bytes.count, next: nodes.count)
        }
    }
}
