/// What a server asks for before it answers: one challenge of a `WWW-Authenticate` field (RFC 9110,
/// section 11.6.1).
struct AuthenticationChallenge: Sendable {
    /// The scheme in lower case, such as `digest`.
    let scheme: String
    /// The parameters in order, their names in lower case and quotes undone.
    private(set) var parameters: [(name: String, value: String)] = []

    /// The value of the parameter of that name; `nil` when there is none.
    subscript(name: String) -> String? {
        parameters.first { $0.name == name }?.value
    }

    /// The challenges of one field line, in order; `nil` when it breaks the grammar.
    ///
    /// A comma separates both parameters and challenges, so a line of which one part is broken
    /// cannot be trusted to be split in the right places.
    static func parse(_ line: String) -> [AuthenticationChallenge]? {
        var rest = Array(line.utf8)[...]
        var challenges: [AuthenticationChallenge] = []
        while true {
            rest = rest.drop { $0 == UInt8(ascii: ",") || $0.isBlank }
            guard !rest.isEmpty else { return challenges }
            if !rest.beginsParameter {
                guard let challenge = opening(&rest) else { return nil }
                challenges.append(challenge)
            }
            if let parameter = rest.takeParameter() {
                // A parameter comes once, and in a challenge (section 11.2).
                guard let last = challenges.indices.last, challenges[last][parameter.name] == nil
                else { return nil }
                challenges[last].parameters.append(parameter)
            }
            _ = rest.skipBlanks()
            guard rest.isAtEndOfElement else { return nil }
        }
    }

    /// Reads a scheme and the space or the token68 behind it.
    private static func opening(_ rest: inout ArraySlice<UInt8>) -> AuthenticationChallenge? {
        let scheme = rest.takeToken()
        guard !scheme.isEmpty, rest.skipBlanks() || rest.isAtEndOfElement else { return nil }
        rest.skipToken68()
        return AuthenticationChallenge(scheme: scheme)
    }
}

extension UInt8 {
    fileprivate var isBlank: Bool { self == 0x20 || self == 0x09 }
}

extension ArraySlice<UInt8> {
    /// Whether a comma or nothing comes next.
    fileprivate var isAtEndOfElement: Bool { isEmpty || first == UInt8(ascii: ",") }

    /// Whether a parameter comes next.
    fileprivate var beginsParameter: Bool {
        var rest = self
        return rest.takeParameter() != nil
    }

    /// Skips spaces and tabs; whether there were any.
    fileprivate mutating func skipBlanks() -> Bool {
        let count = prefix { $0.isBlank }.count
        removeFirst(count)
        return count > 0
    }

    /// Takes a token, which is empty where none comes next; in lower case.
    fileprivate mutating func takeToken() -> String {
        let token = prefix { $0.isTokenCharacter }
        removeFirst(token.count)
        return String(decoding: token.map(\.lowercasedASCII), as: UTF8.self)
    }

    /// Takes `name=value` or `name="value"`, or nothing.
    fileprivate mutating func takeParameter() -> (name: String, value: String)? {
        var rest = self
        let name = rest.takeToken()
        _ = rest.skipBlanks()
        guard !name.isEmpty, rest.take("=") else { return nil }
        _ = rest.skipBlanks()
        guard let value = rest.first == UInt8(ascii: "\"") ? rest.takeQuoted() : rest.takeValue()
        else { return nil }
        self = rest
        return (name, value)
    }

    private mutating func takeValue() -> String? {
        let token = prefix { $0.isTokenCharacter }
        removeFirst(token.count)
        return token.isEmpty ? nil : String(decoding: token, as: UTF8.self)
    }

    /// RFC 9110, section 5.6.4.
    private mutating func takeQuoted() -> String? {
        var value: [UInt8] = []
        removeFirst()
        while var byte = popFirst() {
            if byte == UInt8(ascii: "\"") { return String(decoding: value, as: UTF8.self) }
            if byte == UInt8(ascii: "\\") {
                guard let escaped = popFirst() else { return nil }
                byte = escaped
            }
            guard byte >= 0x20 && byte != 0x7F || byte == 0x09 else { return nil }
            value.append(byte)
        }
        return nil
    }

    /// Skips what is no parameter but, say, Base64, up to the next comma (section 11.2).
    fileprivate mutating func skipToken68() {
        var rest = self
        rest = rest.drop {
            $0.isASCIILetter || $0.isASCIIDigit || "-._~+/".utf8.contains($0)
        }
        rest = rest.drop { $0 == UInt8(ascii: "=") }
        _ = rest.skipBlanks()
        if rest.isAtEndOfElement { self = rest }
    }
}
