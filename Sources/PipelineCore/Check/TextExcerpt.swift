/// The beginning of a body as one line of text.
package enum TextExcerpt {
    /// At most so many characters; control characters and bytes that are not UTF-8 are replaced.
    package static func of(_ bytes: [UInt8], limit: Int) -> String {
        let text = String(decoding: bytes.prefix(limit * 4), as: UTF8.self)
        var result = ""
        var isCut = bytes.count > limit * 4
        for (count, scalar) in text.unicodeScalars.enumerated() {
            if count == limit {
                isCut = true
                break
            }
            result.unicodeScalars.append(printable(scalar))
        }
        return isCut ? result + "…" : result
    }

    /// White space becomes a space; what could move a cursor or hide text becomes U+FFFD.
    private static func printable(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        switch scalar.properties.generalCategory {
        case .control where scalar == "\n" || scalar == "\r" || scalar == "\t": " "
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate: "\u{FFFD}"
        default: scalar
        }
    }
}
