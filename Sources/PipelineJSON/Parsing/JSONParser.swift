/// Reads a text in one pass and appends a node for each token; nothing recurses and nothing is built.
///
/// This is the one file that reads memory through a pointer. All bytes of a response pass here, and
/// through an array each of them would be checked against its bounds twice; every access below is
/// behind a comparison with `bytes.count`, and debug builds check them again.
///
/// Not copyable, since the optimizer (Swift 6.3.1) otherwise copies the parser to call its methods that
/// change nothing; `nodes` then has two owners, and the next append copies all of it.
struct JSONParser: ~Copyable {
    private let bytes: UnsafeRawBufferPointer

    /// The same bytes, for the messages.
    private let source: [UInt8]

    private var nodes: [JSONNode] = []
    private var loneSurrogateCount = 0
    private var firstLoneSurrogate: Int?

    static func document(parsing source: [UInt8]) throws(JSONError) -> JSONDocument {
        guard source.count <= JSONValue.maximumSize else {
            throw JSONDiagnosis(source).error("the text is larger than 1 GiB", at: 0)
        }
        return try source.withUnsafeBufferPointer { (buffer) throws(JSONError) in
            var parser = JSONParser(bytes: UnsafeRawBufferPointer(buffer), source: source)
            try parser.parse()
            return JSONDocument(
                bytes: source, nodes: parser.nodes, loneSurrogateCount: parser.loneSurrogateCount,
                firstLoneSurrogate: parser.firstLoneSurrogate)
        }
    }

    private init(bytes: UnsafeRawBufferPointer, source: [UInt8]) {
        self.bytes = bytes
        self.source = source
        // Typical responses have a token for each 10 to 20 bytes; memory that is not used is not touched.
        nodes.reserveCapacity(bytes.count / 10 + 1)
    }

    private mutating func parse() throws(JSONError) {
        /// The index of the innermost container that is still open; its node knows its parent.
        var open = -1
        var depth = 0
        var offset = tokenStart(from: source.starts(with: byteOrderMark) ? byteOrderMark.count : 0)

        value: while true {
            let first = byte(at: offset)
            switch first {
            case UInt8(ascii: "\""):
                offset = try string(at: offset)
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                depth += 1
                guard depth <= JSONValue.maximumDepth else { throw diagnosis.tooDeep(at: offset) }
                let isObject = first == UInt8(ascii: "{")
                let start = offset
                offset = tokenStart(from: offset + 1)
                let isEmpty = byte(at: offset) == first + 2
                nodes.append(
                    JSONNode(
                        opening: isObject ? .object : .array, start: start, parent: open,
                        count: isEmpty ? 0 : 1))
                open = nodes.count - 1
                if !isEmpty {
                    if isObject { offset = try name(at: offset, in: open) }
                    continue value
                }
            case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
                let start = offset
                offset = try endOfNumber(at: offset)
                append(.number, from: start, to: offset)
            case UInt8(ascii: "t"):
                offset = try literal("true", .boolean, at: offset)
            case UInt8(ascii: "f"):
                offset = try literal("false", .boolean, at: offset)
            case UInt8(ascii: "n"):
                offset = try literal("null", .null, at: offset)
            default:
                throw diagnosis.unexpected(at: offset, in: node(open), expected: .value)
            }

            // A value has ended, or an empty container is at its end.
            while true {
                offset = tokenStart(from: offset)
                guard open >= 0 else {
                    guard offset == bytes.count else {
                        throw diagnosis.unexpected(at: offset, in: nil, expected: .end)
                    }
                    return
                }
                let isObject = nodes[open].isObject
                switch byte(at: offset) {
                case UInt8(ascii: ","):
                    nodes[open].addElement()
                    offset = tokenStart(from: offset + 1)
                    if isObject { offset = try name(at: offset, in: open) }
                    continue value
                case isObject ? UInt8(ascii: "}") : UInt8(ascii: "]"):
                    offset += 1
                    depth -= 1
                    let parent = nodes[open].parent
                    nodes[open].close(end: offset, next: nodes.count)
                    open = parent
                default:
                    throw diagnosis.unexpected(at: offset, in: node(open), expected: .separator)
                }
            }
        }
    }

    /// Appends a name and gives the offset of the value after its colon.
    private mutating func name(at start: Int, in object: Int) throws(JSONError) -> Int {
        guard byte(at: start) == UInt8(ascii: "\"") else {
            throw diagnosis.unexpected(at: start, in: node(object), expected: .name)
        }
        let offset = tokenStart(from: try string(at: start))
        guard byte(at: offset) == UInt8(ascii: ":") else {
            throw diagnosis.unexpected(at: offset, in: node(object), expected: .colon)
        }
        return tokenStart(from: offset + 1)
    }

    /// Appends the string whose opening quote stands at `start` and gives the offset after it.
    private mutating func string(at start: Int) throws(JSONError) -> Int {
        var offset = start + 1
        var hasEscapes = false
        while true {
            offset = endOfPlainCharacters(from: offset)
            guard offset < bytes.count else { throw diagnosis.unterminated(string: start) }
            switch bytes[offset] {
            case UInt8(ascii: "\""):
                append(.string, from: start, to: offset + 1, hasEscapes: hasEscapes)
                return offset + 1
            case UInt8(ascii: "\\"):
                hasEscapes = true
                offset = try endOfEscape(at: offset, in: start)
            case 0x80...:
                repeat {
                    offset = try endOfScalar(at: offset)
                } while byte(at: offset) >= 0x80
            default:
                throw diagnosis.control(at: offset, in: start)
            }
        }
    }

    private mutating func endOfEscape(at start: Int, in string: Int) throws(JSONError) -> Int {
        let letter = byte(at: start + 1)
        guard letter == UInt8(ascii: "u") else {
            guard letter.unescaped != nil else { throw diagnosis.escape(at: start, in: string) }
            return start + 2
        }
        guard let unit = bytes.codeUnit(at: start + 2) else {
            throw diagnosis.escape(at: start, in: string)
        }
        guard (0xD800..<0xE000).contains(unit) else { return start + 6 }
        if let low = bytes.escapedCodeUnit(at: start + 6), scalar(high: unit, low: low) != nil {
            return start + 12
        }
        loneSurrogateCount += 1
        firstLoneSurrogate = firstLoneSurrogate ?? start
        return start + 6
    }

    private mutating func literal(
        _ text: StaticString, _ kind: JSONValue.Kind, at start: Int
    ) throws(JSONError) -> Int {
        let end = start + text.utf8CodeUnitCount
        guard
            end <= bytes.count,
            UnsafeRawBufferPointer(rebasing: bytes[start..<end]).elementsEqual(
                UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
        else { throw diagnosis.unexpected(at: start, in: nil, expected: .value) }
        append(kind, from: start, to: end)
        return end
    }

    private mutating func append(
        _ kind: JSONValue.Kind, from start: Int, to end: Int, hasEscapes: Bool = false
    ) {
        nodes.append(
            JSONNode(kind, start: start, end: end, index: nodes.count, hasEscapes: hasEscapes))
    }

    private func endOfNumber(at start: Int) throws(JSONError) -> Int {
        var offset = start
        if bytes[offset] == UInt8(ascii: "-") { offset += 1 }
        if byte(at: offset) == UInt8(ascii: "0") {
            offset += 1
            guard !byte(at: offset).isDigit else { throw diagnosis.leadingZero(at: offset - 1) }
        } else {
            offset = try endOfDigits(from: offset, "after '-'")
        }
        if byte(at: offset) == UInt8(ascii: ".") {
            offset = try endOfDigits(from: offset + 1, "after '.'")
        }
        if byte(at: offset) | 0x20 == UInt8(ascii: "e") {
            offset += 1
            let sign = byte(at: offset)
            if sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") { offset += 1 }
            offset = try endOfDigits(from: offset, "in the exponent")
        }
        return offset
    }

    private func endOfDigits(from start: Int, _ place: StaticString) throws(JSONError) -> Int {
        var offset = start
        while byte(at: offset).isDigit { offset += 1 }
        guard offset > start else { throw diagnosis.missingDigit(at: start, "\(place)") }
        return offset
    }

    /// The offset after a scalar of two to four bytes, which must be well-formed (RFC 3629 section 4).
    private func endOfScalar(at start: Int) throws(JSONError) -> Int {
        let second = byte(at: start + 1)
        let length: Int
        switch bytes[start] {
        case 0xC2...0xDF where UTF8.isContinuation(second): return start + 2
        case 0xE0 where 0xA0...0xBF ~= second: length = 3
        case 0xED where 0x80...0x9F ~= second: length = 3
        case 0xE1...0xEC where UTF8.isContinuation(second): length = 3
        case 0xEE...0xEF where UTF8.isContinuation(second): length = 3
        case 0xF0 where 0x90...0xBF ~= second: length = 4
        case 0xF1...0xF3 where UTF8.isContinuation(second): length = 4
        case 0xF4 where 0x80...0x8F ~= second: length = 4
        default: throw diagnosis.notUTF8(at: start)
        }
        guard
            UTF8.isContinuation(byte(at: start + 2)),
            length == 3 || UTF8.isContinuation(byte(at: start + 3))
        else { throw diagnosis.notUTF8(at: start) }
        return start + length
    }

    /// The offset of the next quote, backslash, control character or byte beyond ASCII, or the end.
    private func endOfPlainCharacters(from start: Int) -> Int {
        var offset = start
        while offset &+ 8 <= bytes.count {
            let word = UInt64(
                littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
            let special = specialBytes(in: word)
            guard special == 0 else { return offset &+ special.trailingZeroBitCount / 8 }
            offset &+= 8
        }
        while offset < bytes.count, specialBytes(in: UInt64(bytes[offset]) | spaces << 8) == 0 {
            offset &+= 1
        }
        return offset
    }

    private func tokenStart(from start: Int) -> Int {
        var offset = start
        while offset < bytes.count, bytes[offset].isJSONBlank { offset &+= 1 }
        return offset
    }

    /// The byte at an offset; NUL, which no JSON text may hold, at the end.
    private func byte(at offset: Int) -> UInt8 { offset < bytes.count ? bytes[offset] : 0 }

    private func node(_ index: Int) -> JSONNode? { index < 0 ? nil : nodes[index] }

    private var diagnosis: JSONDiagnosis { JSONDiagnosis(source) }
}

private let ones: UInt64 = 0x0101_0101_0101_0101
private let highBits = ones << 7
private let spaces = ones * 0x20

/// Sets the high bit of each byte that ends a run of plain characters: the lowest one set is exact,
/// since a borrow between bytes can only reach those above a byte that is set already.
private func specialBytes(in word: UInt64) -> UInt64 {
    let quote = word ^ (ones &* UInt64(UInt8(ascii: "\"")))
    let backslash = word ^ (ones &* UInt64(UInt8(ascii: "\\")))
    let control = (word &- spaces) & ~word
    return ((quote &- ones) & ~quote | (backslash &- ones) & ~backslash | control | word) & highBits
}
