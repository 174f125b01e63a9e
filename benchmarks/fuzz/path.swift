import PipelineJSON

/// The first line is a path and the rest a value; each node's normalized path leads to it alone.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    let line = bytes.prefix { $0 != UInt8(ascii: "\n") }
    let text = String(decoding: line, as: UTF8.self)
    do {
        let path = try JSONPath(text)
        // What a path asks for grows by a power with each of these, by its nature.
        guard text.utf8.count(where: { ",*?:".utf8.contains($0) }) <= 6,
            text.split(separator: "..", omittingEmptySubsequences: false).count <= 3
        else { return -1 }
        let rest = Array(bytes[line.endIndex...])
        guard let value = try? JSONValue(parsing: rest) else { return 0 }
        let nodes = path.locatedNodes(in: value)
        precondition(path.nodes(in: value) == nodes.map(\.value))
        precondition(!path.isSingular || nodes.count <= 1)
        for node in nodes.prefix(100) {
            let path = try JSONPath(node.path)
            // Half a surrogate pair in a name is read as U+FFFD, which may be the name of another.
            guard !node.path.unicodeScalars.contains("\u{FFFD}") else { continue }
            precondition(path.isSingular && path.nodes(in: value) == [node.value])
        }
    } catch {
        precondition(0...text.utf8.count ~= error.offset)
    }
    return 0
}
