/// What a server asks for that wants digest authentication (RFC 7616, section 3.3).
package struct DigestChallenge: Sendable, Hashable {
    /// Which credentials are wanted.
    package let realm: String
    /// The server's part of what is hashed.
    package let nonce: String
    /// What is given back as it came.
    package let opaque: String?
    /// How to hash.
    package let algorithm: Algorithm
    /// Whether the nonce was only too old: the credentials were right.
    package let isStale: Bool
    /// Whether the user's name is to be hashed as well.
    let hashesUsername: Bool
    /// Whether names that are not ASCII are understood in UTF-8.
    let isUTF8: Bool
    /// Whether `qop=auth` is offered; without any, the form of RFC 2069 is used.
    let offersAuth: Bool
    /// The algorithm as it was written, which is how it is given back; `nil` when it was not.
    let writtenAlgorithm: String?

    /// The algorithms that are supported (section 6.1).
    package enum Algorithm: String, Sendable, Hashable, CaseIterable {
        case md5 = "MD5"
        case md5Session = "MD5-sess"
        case sha256 = "SHA-256"
        case sha256Session = "SHA-256-sess"

        /// Whether the hash of the credentials is bound to one nonce.
        var isSession: Bool { self == .md5Session || self == .sha256Session }

        /// Whether it is of the SHA-2 family.
        var isStrong: Bool { self == .sha256 || self == .sha256Session }

        /// The sum in lower-case hexadecimal digits.
        func hash(_ text: String) -> String {
            isStrong ? SHA256.hexadecimal(Array(text.utf8)) : MD5.hexadecimal(Array(text.utf8))
        }
    }

    /// The strongest challenge that is supported; of equally strong ones the first, which the server
    /// prefers (section 3.7).
    ///
    /// - Parameter lines: The values of the `WWW-Authenticate` fields. One that breaks the grammar
    ///   is left out.
    package static func strongest(in lines: [String]) -> DigestChallenge? {
        let challenges = lines.flatMap { AuthenticationChallenge.parse($0) ?? [] }
            .compactMap { DigestChallenge($0) }
        return challenges.first { $0.algorithm.isStrong } ?? challenges.first
    }

    /// `nil` for another scheme and for what is not supported: other algorithms, `auth-int` alone.
    private init?(_ challenge: AuthenticationChallenge) {
        guard challenge.scheme == "digest", let realm = challenge["realm"],
            let nonce = challenge["nonce"]
        else { return nil }
        writtenAlgorithm = challenge["algorithm"]
        let written = writtenAlgorithm ?? Algorithm.md5.rawValue
        guard
            let algorithm = Algorithm.allCases.first(where: {
                HTTPFields.isSame($0.rawValue, written)
            })
        else { return nil }
        if let qualities = challenge["qop"] {
            guard Self.list(qualities).contains("auth") else { return nil }
            offersAuth = true
        } else {
            // A session is made of both nonces, and RFC 2069 knows but one.
            guard !algorithm.isSession else { return nil }
            offersAuth = false
        }
        self.realm = realm
        self.nonce = nonce
        self.algorithm = algorithm
        opaque = challenge["opaque"]
        isStale = HTTPFields.isSame(challenge["stale"] ?? "", "true")
        hashesUsername = HTTPFields.isSame(challenge["userhash"] ?? "", "true")
        isUTF8 = HTTPFields.isSame(challenge["charset"] ?? "", "UTF-8")
    }

    /// The words between commas, in lower case.
    private static func list(_ text: String) -> [String] {
        Array(text.utf8)[...].split(separator: UInt8(ascii: ",")).map {
            String(decoding: $0.trimmingWhitespace.map(\.lowercasedASCII), as: UTF8.self)
        }
    }
}
