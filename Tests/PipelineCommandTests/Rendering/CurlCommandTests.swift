import PipelineCore
import Testing

@testable import PipelineCommand

@Suite("The curl command of a failed request")
struct CurlCommandTests {
    private static func request(
        _ method: String, _ url: String, _ fields: HTTPFields = [:], body: String? = nil
    ) throws -> HTTPRequest {
        HTTPRequest(
            method: method, url: try HTTPURL(url), fields: fields,
            body: body.map { .bytes(Array($0.utf8)) })
    }

    private static func text(_ request: HTTPRequest, _ redactor: Redactor = Redactor()) -> String {
        CurlCommand(request, redact: redactor.redact).text
    }

    @Test("The method, the fields, the body and the address are written as a shell reads them")
    func commands() throws {
        let request = Self.request
        let cases: [(HTTPRequest, String)] = [
            (try request("GET", "https://a.example/me", [:], nil), "curl https://a.example/me"),
            (
                try request("GET", "http://a/b?x=1&y=it's", ["X-A": "it's", "X-B": ""], nil),
                #"curl -H 'X-A: it'\''s' -H 'X-B;' 'http://a/b?x=1&y=it'\''s'"#
            ),
            (
                try request("POST", "http://a/", ["Content-Type": "text/plain"], "@x"),
                "curl -H 'Content-Type: text/plain' --data-raw @x http://a/"
            ),
            (try request("POST", "http://a/", [:], ""), "curl --data-raw '' http://a/"),
            (
                try request("POST", "http://a/", [:], nil),
                "curl -X POST -H 'Content-Length: 0' http://a/"
            ),
            (try request("DELETE", "http://a/", [:], nil), "curl -X DELETE http://a/"),
            (try request("PUT", "http://a/", [:], "{}"), "curl -X PUT --data-raw '{}' http://a/"),
            (try request("HEAD", "http://a/", [:], nil), "curl --head http://a/"),
            (
                try request("GET", "http://a/?f[]=1", [:], nil), "curl --globoff 'http://a/?f[]=1'"
            ),
            (try request("GET", "http://a/b/../c", [:], nil), "curl --path-as-is http://a/b/../c"),
            (
                try request("POST", "http://a/", [:], "50% \\ it's\nü\u{1B}"),
                #"printf '50%% \\ it'\''s\nü\033' | curl --data-binary @- http://a/"#
            ),
        ]
        for (request, command) in cases { #expect(Self.text(request) == command) }
    }

    @Test("Whom to trust is part of the command")
    func trust() throws {
        var request = try Self.request("GET", "https://a/")
        request.connection.tls.isVerified = false
        request.connection.tls.authorities = "my ca.pem"
        #expect(Self.text(request) == "curl --insecure --cacert 'my ca.pem' https://a/")
    }

    @Test("How the connection is made is part of the command")
    func connection() throws {
        var request = try Self.request("GET", "https://a/")
        request.connection.tls.certificate = "c.pem"
        request.connection.tls.key = "k.pem"
        request.connection.tls.minimumVersion = .tls12
        request.connection.proxy = .address("http://ada:hunter2@proxy:3128")
        request.connection.proxyExceptions = ""
        request.connection.unixSocket = "/run/my socket"
        request.connection.resolutions = ["a:443:127.0.0.1"]
        request.connection.reroutes = ["::b:1"]
        request.connection.version = .http2
        request.connection.addressFamily = .ipv6
        #expect(
            Self.text(request)
                == "curl --cert c.pem --key k.pem --tlsv1.2 "
                + "--proxy 'http://ada:***@proxy:3128' --noproxy '' "
                + "--unix-socket '/run/my socket' --resolve a:443:127.0.0.1 --connect-to ::b:1 "
                + "--http2 -6 https://a/")
        var other = try Self.request("GET", "http://a/")
        other.connection.version = .http2
        #expect(Self.text(other) == "curl http://a/")
        other.connection.version = .http3
        other.connection.addressFamily = .ipv4
        #expect(Self.text(other) == "curl --http3-only -4 http://a/")
    }

    @Test("Files are named, not read, and forms are written as forms")
    func pieces() throws {
        var request = try Self.request("POST", "http://a/")
        request.body = .pieces([.file(path: "/tmp/my file", size: 1 << 40)])
        #expect(Self.text(request) == "curl --data-binary '@/tmp/my file' http://a/")
        request.body = .pieces([.bytes(Array("a'b".utf8)), .file(path: "/x", size: 1)])
        #expect(
            Self.text(request)
                == #"{ printf %s 'a'\''b'; cat /x; } | curl --data-binary @- http://a/"#)
        request.body = .pieces([.bytes([0xFF]), .file(path: "/x", size: 1)])
        #expect(Self.text(request).hasSuffix("(with the body of 2 B on standard input)"))
        let form = MultipartBody([
            .init(name: "note", content: .bytes(Array("my hunter2".utf8))),
            .init(
                name: "up", filename: "a.png", contentType: "image/png",
                content: .file(path: "/tmp/hunter2.png", size: 9)),
        ])
        let (body, type) = try form.render(boundary: "xyz")
        request.body = body
        request.fields = ["Content-Type": type, "X-A": "1"]
        let redactor = Redactor()
        try #require(redactor.add("hunter2"))
        #expect(
            Self.text(request, redactor)
                == "curl -H 'X-A: 1' --form-string 'note=my ***' "
                + #"-F 'up=@"/tmp/***.png";type=image/png;filename="a.png"' http://a/"#)
    }

    @Test("A form that would fill the screen is left to standard input")
    func largeForm() throws {
        var request = try Self.request("POST", "http://a/")
        let text = Array(String(repeating: "x", count: 10_000).utf8)
        let form = MultipartBody([.init(name: "a", content: .bytes(text))])
        let (body, type) = try form.render(boundary: "xyz")
        request.body = body
        request.fields = ["Content-Type": type]
        #expect(Self.text(request).hasSuffix(" on standard input)"))
    }

    @Test("A hashed name of digest authentication is left to the reader")
    func hashedName() throws {
        let value = #"Digest username="488869477bf257147b804c45308cd62a", userhash=true"#
        let request = try Self.request("GET", "http://a/", ["Authorization": value])
        #expect(Self.text(request) == "curl --digest --user '***:***' http://a/")
    }

    @Test("A body that cannot be written in a line is left to standard input")
    func largeBody() throws {
        let request = try Self.request(
            "POST", "http://a/", body: String(repeating: "x", count: 10_240))
        #expect(
            Self.text(request)
                == "curl --data-binary @- http://a/   (with the body of 10 KB on standard input)")
        var binary = try Self.request("POST", "http://a/")
        binary.body = .bytes([0xFF, 0xFE])
        #expect(Self.text(binary).hasSuffix("(with the body of 2 B on standard input)"))
    }

    @Test("Secrets are masked before they are quoted (O27)")
    func secrets() throws {
        let redactor = Redactor()
        let secret = "s3/+= \"x'y%\n\\z"
        try #require(redactor.add(secret))
        let encoded = "s3%2F%2B%3D%20%22x%27y%25%0A%5Cz"
        let request = try Self.request(
            "POST", "http://a/?k=\(encoded)", ["X-Key": "s3/+= \"x'y%\n\\z"], body: "k=\(secret)")
        #expect(
            Self.text(request, redactor)
                == "curl -H 'X-Key: ***' --data-raw 'k=***' 'http://a/?k=***'")
    }
}
