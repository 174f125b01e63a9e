extension PathParser {
    /// A name or string in quotes of either kind, with its escapes undone (RFC 9535 section 2.3.1).
    mutating func quoted() throws(JSONPathError) -> [UInt8] {
        let start = offset
        let quote = bytes[offset]
        offset += 1
        var content: [UInt8] = []
        while let byte = next {
            switch byte {
            case quote:
                offset += 1
                return content
            case UInt8(ascii: "\\"):
                try appendEscaped(to: &content, quote: quote)
            case ..<0x20:
                throw error("a control character in quotes is written as an escape")
            default:
                content.append(byte)
                offset += 1
            }
        }
        throw error("this quote is not closed", at: start)
    }

    private mutating func appendEscaped(
        to content: inout [UInt8], quote: UInt8
    ) throws(JSONPathError) {
        guard offset + 1 < bytes.count else { throw error("expected a character after '\\'") }
        let letter = bytes[offset + 1]
        let isOtherQuote = letter == UInt8(ascii: "\"") && letter != quote
        if letter == quote || (letter.unescaped != nil && !isOtherQuote) {
            content.append(letter.unescaped ?? letter)
            offset += 2
            return
        }
        guard letter == UInt8(ascii: "u") else {
            offset += 1
            throw error("\(found) may not stand after '\\'", at: offset - 1)
        }
        guard let unit = bytes.escapedCodeUnit(at: offset) else {
            throw error("expected four hexadecimal digits after '\\u'")
        }
        if let scalar = Unicode.Scalar(unit) {
            content.append(contentsOf: String(scalar).utf8)
            offset += 6
        } else if let low = bytes.escapedCodeUnit(at: offset + 6),
            let pair = scalar(high: unit, low: low)
        {
            content.append(contentsOf: String(pair).utf8)
            offset += 12
        } else {
            throw error("half a surrogate pair is not a character")
        }
    }
}
