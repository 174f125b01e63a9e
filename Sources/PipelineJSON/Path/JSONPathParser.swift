/// Reads a JSONPath by the grammar of RFC 9535, appendix A.
struct JSONPathParser {
    private let bytes: [UInt8]
    private var offset = 0

    init(_ text: String) {
        bytes = Array(text.utf8)
    }

    mutating func parse() throws(JSONPathError) -> [JSONPath.Selector] {
        guard skip("$") else { throw error("a JSONPath begins with '$'") }
        var selectors: [JSONPath.Selector] = []
        while offset < bytes.count {
            let start = offset
            skipBlanks()
            if skip(".") {
                selectors.append(try dotted())
            } else if skip("[") {
                selectors.append(try bracketed())
            } else {
                offset = start
                throw error("expected '.' or '[', found \(found)")
            }
        }
        return selectors
    }

    private mutating func dotted() throws(JSONPathError) -> JSONPath.Selector {
        if next == UInt8(ascii: ".") { throw unsupported("descendants ('..') are", at: offset - 1) }
        if skip("*") { return .wildcard }
        let name = bytes[offset...].prefix(while: \.isPathNameByte)
        guard let first = name.first, !first.isDigit else {
            throw error("expected a name or '*' after '.', found \(found)")
        }
        offset = name.endIndex
        return .name(Array(name))
    }

    private mutating func bracketed() throws(JSONPathError) -> JSONPath.Selector {
        skipBlanks()
        let selector: JSONPath.Selector
        switch next {
        case UInt8(ascii: "'"), UInt8(ascii: "\""): selector = .name(try quotedName())
        case let byte? where byte.isDigit || byte == UInt8(ascii: "-"):
            selector = .index(try index())
        case UInt8(ascii: "*"):
            offset += 1
            selector = .wildcard
        case UInt8(ascii: "?"): throw unsupported("filters ('?') are", at: offset)
        case UInt8(ascii: ":"): throw unsupported("slices (':') are", at: offset)
        default: throw error("expected a quoted name, an index or '*' after '[', found \(found)")
        }
        skipBlanks()
        switch next {
        case UInt8(ascii: "]"):
            offset += 1
            return selector
        case UInt8(ascii: ":"): throw unsupported("slices (':') are", at: offset)
        case UInt8(ascii: ","):
            throw unsupported("several selectors (',') in brackets are", at: offset)
        default: throw error("expected ']', found \(found)")
        }
    }

    private mutating func index() throws(JSONPathError) -> Int {
        let start = offset
        let isNegative = skip("-")
        let digits = bytes[offset...].prefix(while: \.isDigit)
        offset = digits.endIndex
        guard let first = digits.first else {
            throw error("expected a digit after '-', found \(found)")
        }
        guard first != UInt8(ascii: "0") || (digits.count == 1 && !isNegative) else {
            throw JSONPathError(message: "an index may not begin with '0' or '-0'", offset: start)
        }
        guard let value = Int(String(decoding: digits, as: UTF8.self)), value < 1 << 53 else {
            throw JSONPathError(message: "an index is at most 2^53 - 1", offset: start)
        }
        return isNegative ? -value : value
    }

    private mutating func quotedName() throws(JSONPathError) -> [UInt8] {
        let start = offset
        let quote = bytes[offset]
        offset += 1
        var name: [UInt8] = []
        while let byte = next {
            switch byte {
            case quote:
                offset += 1
                return name
            case UInt8(ascii: "\\"):
                try appendEscaped(to: &name, quote: quote)
            case ..<0x20:
                throw error("a control character in a name is written as an escape")
            default:
                name.append(byte)
                offset += 1
            }
        }
        throw JSONPathError(message: "this name is not closed", offset: start)
    }

    private mutating func appendEscaped(to name: inout [UInt8], quote: UInt8) throws(JSONPathError)
    {
        guard offset + 1 < bytes.count else { throw error("expected a character after '\\'") }
        let letter = bytes[offset + 1]
        let isOtherQuote = letter == UInt8(ascii: "\"") && letter != quote
        if letter == quote || (letter.unescaped != nil && !isOtherQuote) {
            name.append(letter.unescaped ?? letter)
            offset += 2
            return
        }
        guard letter == UInt8(ascii: "u") else { throw error("unknown escape in a name") }
        guard let unit = bytes.escapedCodeUnit(at: offset) else {
            throw error("expected four hexadecimal digits after '\\u'")
        }
        if let scalar = Unicode.Scalar(unit) {
            name.append(contentsOf: String(scalar).utf8)
            offset += 6
        } else if let low = bytes.escapedCodeUnit(at: offset + 6),
            let pair = scalar(high: unit, low: low)
        {
            name.append(contentsOf: String(pair).utf8)
            offset += 12
        } else {
            throw error("half a surrogate pair is not a character")
        }
    }

    private var next: UInt8? { offset < bytes.count ? bytes[offset] : nil }

    private mutating func skip(_ character: Unicode.Scalar) -> Bool {
        guard next == UInt8(ascii: character) else { return false }
        offset += 1
        return true
    }

    private mutating func skipBlanks() {
        while next?.isJSONBlank == true { offset += 1 }
    }

    private var found: String {
        String(decoding: bytes[offset...], as: UTF8.self).unicodeScalars.first.map { "'\($0)'" }
            ?? "the end of the path"
    }

    private func error(_ message: String) -> JSONPathError {
        JSONPathError(message: message, offset: offset)
    }

    private func unsupported(_ feature: String, at offset: Int) -> JSONPathError {
        JSONPathError(message: "\(feature) not supported yet", offset: offset)
    }
}

extension UInt8 {
    /// Letters, digits, `_` and all beyond ASCII; a `String` holds whole scalars only.
    fileprivate var isPathNameByte: Bool {
        isDigit || self == UInt8(ascii: "_") || self >= 0x80
            || UInt8(ascii: "a")...UInt8(ascii: "z") ~= self | 0x20
    }
}
