/// Percent-encoding of values that are put into an address (RFC 3986, section 2).
package enum PercentEncoding {
    /// Adds `%XX` for a byte, in upper case as RFC 3986 section 2.1 asks.
    static func append(_ byte: UInt8, to output: inout [UInt8]) {
        output.append(UInt8(ascii: "%"))
        output.append(digits[Int(byte >> 4)])
        output.append(digits[Int(byte & 15)])
    }

    /// Encodes every byte but the unreserved ones (RFC 3986, section 2.3).
    ///
    /// So a value can neither end its path segment nor begin a query, and `+` arrives as `+` at a
    /// server that reads the query as a form.
    package static func append(encoding text: some Sequence<UInt8>, to output: inout [UInt8]) {
        for byte in text {
            if byte.isASCIILetter || byte.isASCIIDigit || "-._~".utf8.contains(byte) {
                output.append(byte)
            } else {
                append(byte, to: &output)
            }
        }
    }

    /// The text behind `%XX`; `nil` when an escape is cut off or the result is not UTF-8.
    package static func decode(_ text: String) -> String? {
        let (bytes, isSound) = decode(Array(text.utf8)[...])
        return isSound ? String(validating: bytes, as: UTF8.self) : nil
    }

    /// The bytes behind `%XX`, whatever they are, and whether every percent sign begins an escape;
    /// one that begins none is itself.
    static func decode(_ bytes: ArraySlice<UInt8>) -> (bytes: [UInt8], isSound: Bool) {
        var result: [UInt8] = []
        var isSound = true
        var rest = bytes
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                result.append(byte)
                continue
            }
            let digits = rest.prefix(2)
            guard digits.count == 2, digits.allSatisfy(\.isHexDigit),
                let value = UInt8(String(decoding: digits, as: UTF8.self), radix: 16)
            else {
                isSound = false
                result.append(byte)
                continue
            }
            result.append(value)
            rest = rest.dropFirst(2)
        }
        return (result, isSound)
    }

    private static let digits = Array("0123456789ABCDEF".utf8)
}
