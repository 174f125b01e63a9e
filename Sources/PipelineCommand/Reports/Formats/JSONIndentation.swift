import PipelineJSON

/// JSON text with a line for each element, for people.
///
/// Only white space is changed. Strings keep their escapes: undone, they could hold secrets that
/// were masked before.
enum JSONIndentation {
    /// `nil` for what is not JSON, or would become very long.
    static func of(_ text: [UInt8]) -> [UInt8]? {
        guard let first = text.first(where: { !$0.isSpace }),
            first == UInt8(ascii: "{") || first == UInt8(ascii: "["),
            (try? JSONValue(parsing: text)) != nil
        else { return nil }
        return try? [UInt8](capacity: 4_096 + 4 * text.count) { (result) throws(TooLong) in
            try write(text, to: &result)
        }
    }

    private struct TooLong: Error {}

    /// Writes valid JSON.
    private static func write(
        _ text: [UInt8], to result: inout OutputSpan<UInt8>
    ) throws(TooLong) {
        var depth = 0
        var isInString = false
        var isEscaped = false
        var isEmpty = false
        for byte in text {
            // A line break with its indentation before the byte, and one after it.
            guard result.freeCapacity > 4 * depth + 8 else { throw TooLong() }
            if isInString {
                result.append(byte)
                isInString = isEscaped || byte != UInt8(ascii: "\"")
                isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
                continue
            }
            if byte.isSpace { continue }
            switch byte {
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                depth -= 1
                if !isEmpty { result.breakLine(depth) }
                result.append(byte)
                isEmpty = false
                continue
            default:
                if isEmpty { result.breakLine(depth) }
                isEmpty = false
                result.append(byte)
            }
            switch byte {
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                depth += 1
                isEmpty = true
            case UInt8(ascii: ","): result.breakLine(depth)
            case UInt8(ascii: ":"): result.append(UInt8(ascii: " "))
            case UInt8(ascii: "\""): isInString = true
            default: break
            }
        }
    }
}

extension OutputSpan<UInt8> {
    fileprivate mutating func breakLine(_ depth: Int) {
        append(UInt8(ascii: "\n"))
        append(repeating: UInt8(ascii: " "), count: 2 * depth)
    }
}

extension UInt8 {
    /// What may stand between the tokens of JSON (RFC 8259, section 2).
    fileprivate var isSpace: Bool {
        self == 0x20 || self == 0x09 || self == 0x0A || self == 0x0D
    }
}
