import PipelineCore

extension FieldOverrides {
    /// Takes over one `--header`, as curl has it: `Name: value`, `Name:` to leave the field out,
    /// `Name;` to send it empty.
    ///
    /// - Throws: What is wrong, without the text, which may be secret.
    mutating func add(_ text: String) throws(UsageError) {
        let form =
            "expected \"Name: value\", \"Name:\" to leave it out or \"Name;\" to send it empty"
        guard !text.utf8.contains(where: \.isLineBreakOrNull) else {
            throw UsageError("a header field may not hold a line break or NUL")
        }
        let end = text.utf8.firstIndex(of: UInt8(ascii: ":"))
        let isEmpty = end == nil && text.hasSuffix(";")
        guard let end = end ?? (isEmpty ? text.utf8.lastIndex(of: UInt8(ascii: ";")) : nil) else {
            throw UsageError(form)
        }
        let name = String(text[..<end])
        guard name.utf8.isToken else {
            throw UsageError(
                "\(form); a name is made of letters, digits and !#$%&'*+-.^_`|~")
        }
        let value = text[text.utf8.index(after: end)...].drop { $0 == " " || $0 == "\t" }
        if value.isEmpty, !isEmpty {
            removedNames.append(name)
        } else {
            fields.append(HTTPField(name: name, value: Self.trimmed(value)))
        }
    }

    private static func trimmed(_ value: Substring) -> String {
        let end = value.utf8.lastIndex { $0 != 0x20 && $0 != 0x09 }
        return end.map { String(value[...$0]) } ?? ""
    }

    /// The values that prove who asks, to be masked: whole, and what in them is secret by itself.
    var credentials: [String] {
        let proofs = ["Authorization", "Proxy-Authorization"].flatMap { fields.values(of: $0) }
        let cookies = fields.values(of: "Cookie")
        return proofs + proofs.flatMap(Self.secrets) + cookies + cookies.flatMap(Self.values)
    }

    /// What comes after the scheme, and of Basic (RFC 7617) the password.
    private static func secrets(of proof: String) -> [String] {
        guard let secret = proof.split(separator: " ", maxSplits: 1).dropFirst().first else {
            return []
        }
        let pair = Base64.decode(String(secret)).map { String(decoding: $0, as: UTF8.self) }
        let password = pair?.split(separator: ":", maxSplits: 1).dropFirst().first
        return [String(secret)] + (password.map { [String($0)] } ?? [])
    }

    /// The value of each cookie.
    private static func values(of cookies: String) -> [String] {
        cookies.split(separator: ";").compactMap { pair in
            pair.split(separator: "=", maxSplits: 1).dropFirst().first.map(String.init)
        }
    }
}
