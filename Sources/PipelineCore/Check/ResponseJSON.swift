import PipelineJSON

/// The body of a response as JSON, parsed when it is first asked for and at most once.
final class ResponseJSON {
    private let bytes: [UInt8]
    private var parsed: Result<JSONValue, JSONError>?

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    func value() throws(JSONError) -> JSONValue {
        if let parsed { return try parsed.get() }
        let result = Result { () throws(JSONError) in try JSONValue(parsing: bytes) }
        parsed = result
        return try result.get()
    }

    /// What is to be said about a body that is not JSON, with its first bytes (case O22).
    func complaint(_ error: any Error) -> String {
        guard let error = error as? JSONError else { return "\(error)" }
        let start = bytes.isEmpty ? "" : "; it begins with \(TextExcerpt.of(bytes, limit: 60))"
        return "the body is not JSON: \(error.message) (byte \(error.offset))\(start)"
    }
}

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
