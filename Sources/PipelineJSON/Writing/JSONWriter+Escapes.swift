// How the content of strings is written.
extension JSONWriter {
    /// Appends the content of a JSON string, without quotes, to a text (RFC 8259 section 7).
    ///
    /// Quotes, backslashes and control characters are escaped, the usual ones in their short form; all
    /// else stays as it is. The bytes must be UTF-8 for the result to be JSON.
    public static func appendEscaped(_ utf8: some Sequence<UInt8>, to bytes: inout [UInt8]) {
        let isDone: Void? = utf8.withContiguousStorageIfAvailable { buffer in
            if isPlain(buffer) { return bytes.append(contentsOf: buffer) }
            appendInPieces(buffer, to: &bytes)
        }
        guard isDone == nil else { return }
        Array(utf8).withUnsafeBufferPointer { appendInPieces($0, to: &bytes) }
    }

    /// Escapes in pieces, which may become six times as long.
    private static func appendInPieces(
        _ text: UnsafeBufferPointer<UInt8>, to bytes: inout [UInt8]
    ) {
        for start in stride(from: 0, to: text.count, by: 1_024) {
            let piece = text[start..<min(start + 1_024, text.count)]
            bytes.append(upTo: longestEscape * piece.count) { pen in
                for byte in piece {
                    if needsEscape(byte) { putEscape(of: byte, with: &pen) } else { pen.put(byte) }
                }
            }
        }
    }

    private static func needsEscape(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
    }

    /// `\u001b`.
    private static let longestEscape = 6

    private static func putEscape(of byte: UInt8, with pen: inout BytePen) {
        pen.put(UInt8(ascii: "\\"))
        if let letter = byte.shortEscape { return pen.put(letter) }
        pen.put("u00")
        for digit in [byte >> 4, byte & 0xF] {
            pen.put(digit + UInt8(ascii: digit < 10 ? "0" : "W"))
        }
    }

    /// Whether no byte needs an escape; eight at a time, since all text of a report passes here.
    static func isPlain(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        guard text.count >= 8 else { return !text.contains(where: needsEscape) }
        let text = UnsafeRawBufferPointer(text)
        var found = UInt64(0)
        var place = 0
        while place < text.count - 8 {
            found |= escapes(in: text.loadUnaligned(fromByteOffset: place, as: UInt64.self))
            place += 8
        }
        // The last eight, some of which were looked at before.
        found |= escapes(in: text.loadUnaligned(fromByteOffset: text.count - 8, as: UInt64.self))
        return found & 0x8080_8080_8080_8080 == 0
    }

    /// The highest bit of a byte is set where one of the eight needs an escape, and in none
    /// otherwise: it is what subtracting borrows.
    private static func escapes(in word: UInt64) -> UInt64 {
        let ones = UInt64(0x0101_0101_0101_0101)
        let quote = word ^ (ones &* UInt64(UInt8(ascii: "\"")))
        let backslash = word ^ (ones &* UInt64(UInt8(ascii: "\\")))
        let control = (word &- ones &* 0x20) & ~word
        return control | (quote &- ones) & ~quote | (backslash &- ones) & ~backslash
    }
}
