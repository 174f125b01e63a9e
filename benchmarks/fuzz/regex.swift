import PipelineJSON

/// The first byte chooses the syntax, the rest of the first line is a pattern and what follows a text.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    guard let first = bytes.first else { return -1 }
    let line = bytes.dropFirst().prefix { $0 != UInt8(ascii: "\n") }
    let pattern = String(decoding: line, as: UTF8.self)
    let text = String(decoding: bytes[line.endIndex...].dropFirst(), as: UTF8.self)
    do {
        let expression = try RegularExpression(
            pattern, syntax: first == UInt8(ascii: "i") ? .iRegexp : .ecmaScript)
        let match = expression.firstMatch(in: text)
        precondition(expression.isFound(in: text) == (match != nil))
        if let match {
            precondition(match.groups.first == match.range)
            for range in match.groups.compactMap(\.self) {
                precondition(0...text.utf8.count ~= range.upperBound)
            }
            let isWhole = match.range == 0..<text.utf8.count
            precondition(!isWhole || expression.matchesWhole(text))
        } else {
            precondition(!expression.matchesWhole(text))
        }
        let same = expression.replacingAll(in: text, with: "$&")
        precondition(same.utf8.elementsEqual(text.utf8))
        let literal = try RegularExpression(RegularExpression.escaped(text))
        precondition(literal.matchesWhole(text))
    } catch {
        precondition(0...max(pattern.utf8.count, 4 * text.utf8.count) ~= error.offset)
    }
    return 0
}
