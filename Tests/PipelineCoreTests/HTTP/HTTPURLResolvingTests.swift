import PipelineCore
import Testing

@Suite("Relative references")
struct HTTPURLResolvingTests {
    @Test(
        "The examples of RFC 3986, section 5.4.1",
        arguments: [
            ("g", "http://a/b/c/g"), ("./g", "http://a/b/c/g"), ("g/", "http://a/b/c/g/"),
            ("/g", "http://a/g"), ("//g", "http://g/"), ("?y", "http://a/b/c/d;p?y"),
            ("g?y", "http://a/b/c/g?y"), ("#s", "http://a/b/c/d;p?q"), ("g#s", "http://a/b/c/g"),
            ("g?y#s", "http://a/b/c/g?y"), (";x", "http://a/b/c/;x"), ("g;x", "http://a/b/c/g;x"),
            ("g;x?y#s", "http://a/b/c/g;x?y"), ("", "http://a/b/c/d;p?q"), (".", "http://a/b/c/"),
            ("./", "http://a/b/c/"), ("..", "http://a/b/"), ("../", "http://a/b/"),
            ("../g", "http://a/b/g"), ("../..", "http://a/"), ("../../", "http://a/"),
            ("../../g", "http://a/g"),
        ])
    func normal(reference: String, expected: String) throws {
        let base = try HTTPURL("http://a/b/c/d;p?q")
        #expect(try base.resolving(reference).text == expected)
    }

    @Test(
        "The abnormal examples of RFC 3986, section 5.4.2",
        arguments: [
            ("../../../g", "http://a/g"), ("../../../../g", "http://a/g"), ("/./g", "http://a/g"),
            ("/../g", "http://a/g"), ("g.", "http://a/b/c/g."), (".g", "http://a/b/c/.g"),
            ("g..", "http://a/b/c/g.."), ("..g", "http://a/b/c/..g"), ("./../g", "http://a/b/g"),
            ("./g/.", "http://a/b/c/g/"), ("g/./h", "http://a/b/c/g/h"),
            ("g/../h", "http://a/b/c/h"), ("g;x=1/./y", "http://a/b/c/g;x=1/y"),
            ("g;x=1/../y", "http://a/b/c/y"), ("g?y/./x", "http://a/b/c/g?y/./x"),
            ("g?y/../x", "http://a/b/c/g?y/../x"), ("g#s/../x", "http://a/b/c/g"),
        ])
    func abnormal(reference: String, expected: String) throws {
        let base = try HTTPURL("http://a/b/c/d;p?q")
        #expect(try base.resolving(reference).text == expected)
    }

    @Test(
        "Whatever a Location may hold leads where it says",
        arguments: [
            ("https://a:8443/b", "//c:81/d?e", "https://c:81/d?e"),
            ("https://a:8443/b", "d", "https://a:8443/d"),
            ("https://a:8443", "d", "https://a:8443/d"),
            ("http://a?x", "", "http://a/?x"),
            ("http://a?x/y", "z", "http://a/z"),
            ("http://a/b", "HTTPS://C/./d/../e", "https://C/e"),
            ("http://a/b", "http://c?d", "http://c/?d"),
            ("http://a/b", "http://[::1]:81/../p", "http://[::1]:81/p"),
            ("http://a/b", "/c d/é?f g", "http://a/c%20d/%C3%A9?f%20g"),
            ("http://a/b", "%2e%2E/c", "http://a/%2e%2E/c"),
            ("http://a/b", "/..//c", "http://a//c"),
            ("http://a/b", ".//c", "http://a//c"),
            ("http://a/b", "c?d=http://e", "http://a/c?d=http://e"),
            ("http://a/b", "1:2", "http://a/1:2"),
        ])
    func anyForm(base: String, reference: String, expected: String) throws {
        #expect(try HTTPURL(base).resolving(reference).text == expected)
    }

    @Test(
        "What no request can be sent to is refused, with the reason",
        arguments: [
            ("ftp://a/b", "expected the scheme http or https, found ftp"),
            ("g:h", "expected the scheme http or https, found g"),
            ("JavaScript:alert(1)", "expected the scheme http or https, found javascript"),
            ("http:g", "expected an address that begins with http:// or https://"),
            ("http://", "the address has no host"), ("//", "the address has no host"),
            ("//a:99999/", "expected a port from 1 to 65535 after the host"),
            ("//u:p@a/", "credentials do not belong into an address: use \"auth\""),
            ("/a\r\nb", "an address may not hold the control character 0x0D"),
            ("//[::1", "the IPv6 address has no closing ]"),
        ])
    func refused(reference: String, reason: String) throws {
        let base = try HTTPURL("http://a/b")
        let error = #expect(throws: HTTPURLError.self) { try base.resolving(reference) }
        #expect(error?.description == reason)
    }
}
