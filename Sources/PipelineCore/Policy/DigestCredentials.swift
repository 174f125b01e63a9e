/// A user's name and password for digest authentication (RFC 7616): the password is never sent.
package struct DigestCredentials: Sendable, Hashable {
    private let username: String
    private let password: String

    /// Checks and keeps the credentials.
    ///
    /// - Throws: ``DigestError``, when the name cannot be sent.
    package init(username: String, password: String) throws(DigestError) {
        let isControl: (UInt8) -> Bool = { $0 < 0x20 && $0 != 0x09 || $0 == 0x7F }
        guard !username.utf8.contains(where: isControl) else {
            throw .controlCharacterInUsername
        }
        guard !username.utf8.contains(UInt8(ascii: ":")) else { throw .colonInUsername }
        self.username = username
        self.password = password
    }

    /// The value of the `Authorization` field that answers a challenge (section 3.4).
    ///
    /// A name that is not ASCII is sent as `username*` to a server that announced UTF-8, else in
    /// UTF-8 as it is.
    ///
    /// - Parameters:
    ///   - challenge: What the server asked for.
    ///   - method: The method of the request.
    ///   - target: What its request line names (``HTTPURL/target``).
    ///   - nonceCount: How many requests with this nonce there were, this one included.
    ///   - cnonce: The client's part of what is hashed: random, and in ASCII.
    package func authorization(
        for challenge: DigestChallenge, method: String, target: String, nonceCount: Int,
        cnonce: String
    ) -> String {
        let hash = challenge.algorithm.hash
        let count = UInt32(truncatingIfNeeded: nonceCount).hexadecimal
        var secret = hash("\(username):\(challenge.realm):\(password)")
        if challenge.algorithm.isSession {
            secret = hash("\(secret):\(challenge.nonce):\(cnonce)")
        }
        let middle = challenge.offersAuth ? "\(count):\(cnonce):auth:" : ""
        let response = hash(
            "\(secret):\(challenge.nonce):\(middle)\(hash("\(method):\(target)"))")

        var parameters = [
            name(for: challenge), "realm=\(quotedString(challenge.realm))",
            "nonce=\(quotedString(challenge.nonce))", "uri=\(quotedString(target))",
        ]
        if challenge.offersAuth {
            parameters += ["cnonce=\(quotedString(cnonce))", "nc=\(count)", "qop=auth"]
        }
        parameters.append("response=\"\(response)\"")
        if let algorithm = challenge.writtenAlgorithm {
            parameters.append("algorithm=\(algorithm)")
        }
        if let opaque = challenge.opaque { parameters.append("opaque=\(quotedString(opaque))") }
        if challenge.hashesUsername { parameters.append("userhash=true") }
        return "Digest " + parameters.joined(separator: ", ")
    }

    /// Section 3.4.4 for a hashed name, section 3.4 for one that is not ASCII.
    private func name(for challenge: DigestChallenge) -> String {
        if challenge.hashesUsername {
            return "username=\"\(challenge.algorithm.hash("\(username):\(challenge.realm)"))\""
        }
        guard challenge.isUTF8, !username.utf8.allSatisfy({ $0 < 0x80 }) else {
            return "username=\(quotedString(username))"
        }
        var encoded: [UInt8] = []
        PercentEncoding.append(encoding: username.utf8, to: &encoded)
        return "username*=UTF-8''" + String(decoding: encoded, as: UTF8.self)
    }
}

/// Why credentials cannot be used for digest authentication.
package enum DigestError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The name would end its line or break its quotes.
    case controlCharacterInUsername
    /// The name would end at it (RFC 7617, section 2).
    case colonInUsername

    /// What is wrong, in one sentence without a full stop.
    package var description: String {
        switch self {
        case .controlCharacterInUsername: "a user's name may not hold a control character"
        case .colonInUsername: "a user's name may not hold a colon"
        }
    }
}

/// A quoted string (RFC 9110, section 5.6.4).
func quotedString(_ text: String) -> String {
    var result: [UInt8] = [UInt8(ascii: "\"")]
    for byte in text.utf8 {
        if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") {
            result.append(UInt8(ascii: "\\"))
        }
        result.append(byte)
    }
    result.append(UInt8(ascii: "\""))
    return String(decoding: result, as: UTF8.self)
}
