/// The forms of a secret that ``EscapedText`` does not see through.
enum SecretForms {
    static func all(of secret: [UInt8]) -> [[UInt8]] {
        // An excerpt shows line breaks and control characters as something else.
        var forms: Set<[UInt8]> = [Array(TextExcerpt.of(secret, limit: secret.count).utf8)]
        for prefix in 0..<3 {
            let base64 = base64(secret, after: prefix)
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
        forms.remove(secret)
        return forms.filter { !$0.isEmpty }
    }

    /// The characters of Base64 that the secret alone decides when so many bytes stand before it.
    private static func base64(_ secret: [UInt8], after prefix: Int) -> [UInt8] {
        let text = Array(Base64.encode([UInt8](repeating: 0, count: prefix) + secret).utf8)
        // A character holds six bits: those that share bits with neighbours are left out.
        let first = (prefix * 8 + 5) / 6
        let last = (prefix + secret.count) * 8 / 6
        return Array(text[first..<max(first, last)])
    }
}
