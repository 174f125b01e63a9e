import PipelineJSON

/// The forms in which a secret can turn up in what is sent, received or shown.
enum SecretForms {
    static func all(of secret: String) -> [[UInt8]] {
        let raw = Array(secret.utf8)
        // An excerpt shows line breaks and control characters as something else.
        let excerpt = Array(TextExcerpt.of(raw, limit: raw.count).utf8)
        var forms: Set<[UInt8]> = [raw, json(raw), form(raw), excerpt]
        for quotes in [
            ("&quot;", "&apos;"), ("&quot;", "&#39;"), ("&#34;", "&#39;"), ("&quot;", "'"),
        ] {
            forms.insert(markup(secret, quotes))
        }
        for percent in [percent(raw), percentKeepingSlashes(raw)] {
            forms.insert(percent)
            forms.insert(lowerCaseEscapes(percent))
        }
        for prefix in 0..<3 {
            let base64 = base64(raw, after: prefix)
            guard base64.count >= Redactor.minimumLength else { continue }
            forms.insert(base64)
            forms.insert(
                base64.map {
                    switch $0 {
                    case UInt8(ascii: "+"): UInt8(ascii: "-")
                    case UInt8(ascii: "/"): UInt8(ascii: "_")
                    default: $0
                    }
                })
        }
        return Array(forms)
    }

    private static func percent(_ raw: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        PercentEncoding.append(encoding: raw, to: &result)
        return result
    }

    /// What some servers make of a value that they put into a path.
    private static func percentKeepingSlashes(_ raw: [UInt8]) -> [UInt8] {
        Array(
            raw.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
                .map { percent(Array($0)) }.joined(separator: [UInt8(ascii: "/")]))
    }

    /// As forms are encoded: a space is a plus sign.
    private static func form(_ raw: [UInt8]) -> [UInt8] {
        Array(
            raw.split(separator: 0x20, omittingEmptySubsequences: false)
                .map { percent(Array($0)) }.joined(separator: [UInt8(ascii: "+")]))
    }

    private static func lowerCaseEscapes(_ encoded: [UInt8]) -> [UInt8] {
        var result = encoded
        for (index, byte) in encoded.enumerated() where byte == UInt8(ascii: "%") {
            for digit in index + 1...index + 2 { result[digit] = encoded[digit].lowercasedASCII }
        }
        return result
    }

    /// As XML and HTML write text; for quotes there are several ways.
    private static func markup(_ secret: String, _ quotes: (String, String)) -> [UInt8] {
        let escaped = secret.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
            .replacing(">", with: "&gt;").replacing("\"", with: quotes.0)
            .replacing("'", with: quotes.1)
        return Array(escaped.utf8)
    }

    private static func json(_ raw: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        JSONWriter.appendEscaped(raw, to: &result)
        return result
    }

    /// The characters of Base64 that the secret alone decides when so many bytes stand before it.
    private static func base64(_ raw: [UInt8], after prefix: Int) -> [UInt8] {
        let text = Array(Base64.encode([UInt8](repeating: 0, count: prefix) + raw).utf8)
        // A character holds six bits: those that share bits with neighbours are left out.
        let first = (prefix * 8 + 5) / 6
        let last = (prefix + raw.count) * 8 / 6
        return Array(text[first..<max(first, last)])
    }
}
