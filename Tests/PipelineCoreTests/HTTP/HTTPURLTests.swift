import PipelineCore
import Testing

@Suite("Addresses")
struct HTTPURLTests {
    @Test(
        "O14, O15: what is well-formed is sent byte for byte",
        arguments: [
            ("http://a", "http://a", "a", 80, "/"),
            ("HTTPS://A.b:8443/c?d=e", "https://A.b:8443/c?d=e", "A.b", 8443, "/c?d=e"),
            ("http://[::1]:81/p", "http://[::1]:81/p", "[::1]", 81, "/p"),
            (
                "https://[fe80::1%25eth0]/", "https://[fe80::1%25eth0]/", "[fe80::1%25eth0]", 443,
                "/"
            ),
            ("http://a/%2F%2B+%20", "http://a/%2F%2B+%20", "a", 80, "/%2F%2B+%20"),
            ("http://a/b c#d", "http://a/b%20c", "a", 80, "/b%20c"),
            ("http://a/é?ü", "http://a/%C3%A9?%C3%BC", "a", 80, "/%C3%A9?%C3%BC"),
            ("http://a?b", "http://a?b", "a", 80, "/?b"),
        ])
    func wellFormed(text: String, sent: String, host: String, port: Int, target: String) throws {
        let url = try HTTPURL(text)
        #expect(url.text == sent)
        #expect(url.host == host)
        #expect(url.port == port)
        #expect(url.target == target)
        #expect(url.isSecure == text.lowercased().hasPrefix("https"))
    }

    @Test(
        "What cannot be sent is refused",
        arguments: [
            "", "a/b", "/a", "ftp://a", "http:/a", "http://", "http:///a", "http://:80",
            "http://a:0", "http://a:65536", "http://a:x", "http://a:", "http://u@a", "http://u:p@a",
            "http://[::1", "http://[1:2]", "http://[::1::]", "http://[12345::]",
            "http://[::1%eth0]",
            "http://[::256.0.0.1]", "http://[1:2:3:4:5:6:7:8:9]", "http://a b/", "http://a\r\nb/",
        ])
    func malformed(text: String) {
        #expect(throws: HTTPURLError.self) { try HTTPURL(text) }
    }

    @Test(arguments: ["::", "::1", "1::", "1:2:3:4:5:6:7:8", "::ffff:1.2.3.4", "a:b::c:d"])
    func `IPv6 addresses of every form are accepted`(address: String) throws {
        #expect(try HTTPURL("http://[\(address)]/").host == "[\(address)]")
    }
}
