/// Reads a JSONPath by the grammar of RFC 9535, appendix A, into its compiled form.
struct PathParser {
    let bytes: [UInt8]
    var offset = 0

    /// How many filters, parentheses and functions are open.
    private var depth = 0

    private var cachedQueryCount = 0

    init(_ text: String) {
        bytes = Array(text.utf8)
    }

    mutating func parse() throws(JSONPathError) -> PathQuery {
        guard skip("$") else { throw error("a JSONPath begins with '$'") }
        let segments = try segments()
        guard offset == bytes.count else { throw error("expected '.' or '[', found \(found)") }
        return PathQuery(start: .root, cacheIndex: nil, segments: segments)
    }

    /// A query within a filter, from its `$` or `@` on.
    mutating func filterQuery() throws(JSONPathError) -> PathQuery {
        let isAbsolute = next == UInt8(ascii: "$")
        offset += 1
        let segments = try segments()
        if isAbsolute { cachedQueryCount += 1 }
        return PathQuery(
            start: isAbsolute ? .root : .current, cacheIndex: isAbsolute ? cachedQueryCount : nil,
            segments: segments)
    }

    /// Goes one level deeper for as long as a closure reads.
    mutating func nested<Result>(
        _ read: (inout PathParser) throws(JSONPathError) -> Result
    ) throws(JSONPathError) -> Result {
        guard depth < JSONPath.maximumDepth else {
            throw error(
                "filters, parentheses and functions are nested more than "
                    + "\(JSONPath.maximumDepth) levels deep")
        }
        depth += 1
        defer { depth -= 1 }
        return try read(&self)
    }

    private mutating func segments() throws(JSONPathError) -> [PathSegment] {
        var segments: [PathSegment] = []
        while true {
            let end = offset
            skipBlanks()
            if skip("[") {
                segments.append(PathSegment(isDescendant: false, selectors: try bracketed()))
            } else if skip(".") {
                segments.append(try dotted())
            } else {
                // Blanks belong to what comes next, and nothing may come after a whole path.
                offset = end
                return segments
            }
        }
    }

    private mutating func dotted() throws(JSONPathError) -> PathSegment {
        let isDescendant = skip(".")
        if isDescendant, skip("[") {
            return PathSegment(isDescendant: true, selectors: try bracketed())
        }
        if skip("*") { return PathSegment(isDescendant: isDescendant, selectors: [.wildcard]) }
        let name = bytes[offset...].prefix(while: \.isPathNameByte)
        guard let first = name.first, !first.isDigit else {
            throw error(
                isDescendant
                    ? "expected a name, '*' or '[' after '..', found \(found)"
                    : "expected a name or '*' after '.', found \(found)")
        }
        offset = name.endIndex
        return PathSegment(isDescendant: isDescendant, selectors: [.name(Array(name))])
    }

    private mutating func bracketed() throws(JSONPathError) -> [PathSelector] {
        var selectors: [PathSelector] = []
        while true {
            skipBlanks()
            selectors.append(try selector())
            skipBlanks()
            if skip("]") { return selectors }
            guard skip(",") else { throw error("expected ',' or ']', found \(found)") }
        }
    }

    private mutating func selector() throws(JSONPathError) -> PathSelector {
        switch next {
        case UInt8(ascii: "'"), UInt8(ascii: "\""):
            return .name(try quoted())
        case UInt8(ascii: "*"):
            offset += 1
            return .wildcard
        case UInt8(ascii: "?"):
            offset += 1
            return .filter(try filter())
        case let byte? where byte.isDigit || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ":"):
            return try indexOrSlice()
        default:
            throw error(
                "expected a quoted name, an index, a slice, '*' or '?' in brackets, found \(found)")
        }
    }

    private mutating func indexOrSlice() throws(JSONPathError) -> PathSelector {
        let start = try integer()
        let end = offset
        skipBlanks()
        guard skip(":") else {
            offset = end
            guard let start else { throw error("expected a digit, found \(found)") }
            return .index(start)
        }
        var slice = PathSlice(start: start)
        skipBlanks()
        slice.end = try integer()
        skipBlanks()
        if skip(":") {
            skipBlanks()
            slice.step = try integer() ?? 1
        }
        return .slice(slice)
    }

    /// An integer that I-JSON can hold exactly (RFC 7493); nil where none begins.
    private mutating func integer() throws(JSONPathError) -> Int? {
        let start = offset
        let isNegative = skip("-")
        let digits = bytes[offset...].prefix(while: \.isDigit)
        offset = digits.endIndex
        guard let first = digits.first else {
            guard isNegative else { return nil }
            throw error("expected a digit after '-', found \(found)")
        }
        guard first != UInt8(ascii: "0") || (digits.count == 1 && !isNegative) else {
            throw error("an index may not begin with '0' or '-0'", at: start)
        }
        guard let value = Int(String(decoding: digits, as: UTF8.self)), value < 1 << 53 else {
            throw error("an index is at most 2^53 - 1", at: start)
        }
        return isNegative ? -value : value
    }
}

extension PathParser {
    var next: UInt8? { offset < bytes.count ? bytes[offset] : nil }

    mutating func skip(_ text: StaticString) -> Bool {
        let length = text.utf8CodeUnitCount
        let expected = UnsafeBufferPointer(start: text.utf8Start, count: length)
        guard bytes[offset...].prefix(length).elementsEqual(expected) else { return false }
        offset += length
        return true
    }

    mutating func skipBlanks() {
        while next?.isJSONBlank == true { offset += 1 }
    }

    var found: String {
        let scalar = next.flatMap { _ in Unicode.Scalar(bytes.scalar(at: offset).value) }
        return scalar.map { "'\($0)'" } ?? "the end of the path"
    }

    func error(_ message: String, at place: Int? = nil) -> JSONPathError {
        JSONPathError(message: message, offset: place ?? offset)
    }
}

extension UInt8 {
    /// Letters, digits, `_` and all beyond ASCII; a `String` holds whole scalars only.
    fileprivate var isPathNameByte: Bool {
        isDigit || isASCIILetter || self == UInt8(ascii: "_") || self >= 0x80
    }
}
