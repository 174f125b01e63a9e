import PipelineCore
import Testing

@Suite("Digest authentication")
struct DigestTests {
    @Test(
        "The examples of RFC 7616, section 3.9.1",
        arguments: [
            ("MD5", "8ca523f5e9506fed4657c9700eebdbec"),
            ("SHA-256", "753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1"),
        ])
    func examples(algorithm: String, response: String) throws {
        let line =
            "Digest realm=\"http-auth@example.org\", qop=\"auth, auth-int\", "
            + "algorithm=\(algorithm), nonce=\"7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v\", "
            + "opaque=\"FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS\""
        let value = try answer(
            to: line, DigestCredentials(username: "Mufasa", password: "Circle of Life"),
            target: "/dir/index.html", cnonce: "f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ")
        #expect(
            value == "Digest username=\"Mufasa\", realm=\"http-auth@example.org\", "
                + "nonce=\"7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v\", "
                + "uri=\"/dir/index.html\", "
                + "cnonce=\"f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ\", nc=00000001, "
                + "qop=auth, response=\"\(response)\", algorithm=\(algorithm), "
                + "opaque=\"FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS\"")
    }

    /// Recorded from curl 7.88.1 for the user `us"er` with the password `p:w`.
    @Test(
        "Each form is answered as curl does",
        arguments: [
            (
                "realm=\"r s\", nonce=\"n1\", qop=\"auth\", opaque=\"o\"",
                "ZjgzN2QyMWYwYWIxYjhjYjdmZTViNzg5M2UyN2E1MDQ=",
                "09f33d429d1afefc6840b3d9777ecdea"
            ),
            (
                "realm=\"r\", nonce=\"n2\", qop=\"auth,auth-int\", algorithm=MD5-sess",
                "OTYyNzJlNWViOGI4YWE2MDgyZjUyNTFiYjUwMWEzMDM=",
                "85f9293da0e7d85e7bb16dacc34b39dd"
            ),
            ("realm=\"r\", nonce=\"n4\"", "", "6e9ae2994f691472c899a889ef9bc889"),
            (
                "realm=\"r\", nonce=\"n5\", qop=\"auth\", algorithm=SHA-256-sess",
                "Nzg3YzIzNGZkNmFmMzMxYjAzZjhhMzAyZWRjMzY3Yjc=",
                "49607c4f3e558ffb5933dd557b3cb5b01f10142fd7432c472cfb9f8e623869a4"
            ),
            (
                "realm=\"r\", nonce=\"n6\", qop=\"auth\", algorithm=SHA-256, userhash=true",
                "ZWE5NjQwNTk3YmYzNWI3ZDc3OGYyZDI1ODljNTZmNjQ=",
                "fd53c32a775d7cff3f1e5bc33640b8d5cb877279437df6c53c3017a127b5f0c8"
            ),
        ])
    func curl(challenge: String, cnonce: String, response: String) throws {
        let credentials = try DigestCredentials(username: "us\"er", password: "p:w")
        let value = try answer(
            to: "Digest \(challenge)", credentials, target: "/a/b?c=d", cnonce: cnonce)
        #expect(value.contains("response=\"\(response)\""))
        #expect(value.contains("qop=auth") == challenge.contains("qop"))
        #expect(value.contains("cnonce") == challenge.contains("qop"))
        if challenge.contains("userhash") {
            #expect(value.contains("userhash=true"))
            #expect(
                value.contains(
                    "username=\"368ce702e797580c8bab89b666a4e4a091e8046cf0eb1b74d576533fc0aeda3d\"")
            )
        } else {
            #expect(value.contains("username=\"us\\\"er\""))
        }
    }

    @Test(
        "A name that is not ASCII",
        arguments: [
            (", charset=UTF-8", "username*=UTF-8''J%C3%A4s%C3%B8n%20Doe"),
            ("", "username=\"Jäsøn Doe\""),
            (
                ", charset=UTF-8, userhash=true",
                "username=\"5a1a8a47df5c298551b9b42ba9b05835174a5bd7d511ff7fe9191d8e946fc4e7\""
            ),
        ])
    func names(parameters: String, written: String) throws {
        let line =
            "Digest realm=\"api@example.org\", nonce=\"n\", qop=auth, algorithm=SHA-256"
            + parameters
        let credentials = try DigestCredentials(username: "Jäsøn Doe", password: "p")
        #expect(
            try answer(to: line, credentials, target: "/", cnonce: "c")
                .hasPrefix("Digest \(written), realm="))
    }

    @Test(
        "The strongest supported challenge is answered, else the first",
        arguments: [
            (
                [
                    "Digest realm=a, nonce=n",
                    "Digest realm=b, nonce=n, algorithm=SHA-256, qop=auth",
                ], "b"
            ),
            (
                [
                    "Basic realm=\"x, y\", Digest realm=a, nonce=n, algorithm=md5,"
                        + " Digest realm=b, nonce=n, algorithm=sha-256"
                ], "b"
            ),
            (
                ["Digest realm=a, nonce=n, algorithm=SHA-512-256", "Digest realm=b, nonce=n"], "b"
            ),
            (["Digest realm=a, nonce=n, qop=auth-int, Digest realm=b, nonce=n"], "b"),
            (["Digest realm=a, nonce=n", "Digest realm=b, nonce=n"], "a"),
            (["Negotiate, Negotiate dG9rZW4=, digest REALM=a , nonce = \"n\",,"], "a"),
            (["NTLM TlRM/+==,Digest realm=a,nonce=n"], "a"),
            (["Digest realm=\"broken, nonce=n", "Digest realm=b, nonce=n"], "b"),
            (["Digest\trealm=\"a\\\"b\\\\c\", nonce=n"], "a\"b\\c"),
        ])
    func strongest(lines: [String], realm: String) {
        #expect(DigestChallenge.strongest(in: lines)?.realm == realm)
    }

    @Test(
        "What cannot be answered is not",
        arguments: [
            "", "Basic realm=a", "Digest", "Digest realm=a", "Digest nonce=n", "realm=a, nonce=n",
            "Digest realm=\"a, nonce=n", "Digest realm=\"a\\", "Digest realm=a nonce=n",
            "Digest realm=a, nonce=", "Digest realm=a, nonce=n, realm=b",
            "Digest realm=a, nonce=n, algorithm=SHA-512-256",
            "Digest realm=a, nonce=n, qop=auth-int", "Digest realm=a, nonce=n, qop=\"\"",
            "Digest realm=a, nonce=n, algorithm=MD5-sess", "Digest realm=a, nonce=\"n\"x",
            "Digest realm=a, nonce=\"\u{1}\"", "Digest realm=a, nonce=n; x", "Digest, (",
            "Basic realm=\"x\" Digest realm=a, nonce=n", "Digest=realm=a, nonce=n",
        ])
    func unanswered(line: String) {
        #expect(DigestChallenge.strongest(in: [line]) == nil)
    }

    @Test(arguments: [("true", true), ("TRUE", true), ("false", false), ("\"true\"", true)])
    func `A stale nonce is told from wrong credentials`(written: String, isStale: Bool) {
        let line = "Digest realm=a, nonce=n, stale=\(written)"
        #expect(DigestChallenge.strongest(in: [line])?.isStale == isStale)
    }

    @Test
    func `The count of a nonce has eight hexadecimal digits`() throws {
        let challenge = try #require(
            DigestChallenge.strongest(in: ["Digest realm=a, nonce=n, qop=auth"]))
        let credentials = try DigestCredentials(username: "u", password: "p")
        let value = credentials.authorization(
            for: challenge, method: "GET", target: "/", nonceCount: 171, cnonce: "c")
        #expect(value.contains("nc=000000ab"))
    }

    @Test("O20: a user's name cannot forge a header line", arguments: ["a\r\nb", "a\0", "\u{7F}"])
    func controls(username: String) {
        #expect(throws: DigestError.controlCharacterInUsername) {
            try DigestCredentials(username: username, password: "p")
        }
    }

    private func answer(
        to line: String, _ credentials: DigestCredentials, target: String, cnonce: String
    ) throws -> String {
        let challenge = try #require(DigestChallenge.strongest(in: [line]))
        return credentials.authorization(
            for: challenge, method: "GET", target: target, nonceCount: 1, cnonce: cnonce)
    }
}
