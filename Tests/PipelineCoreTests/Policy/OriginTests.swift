import PipelineCore
import Testing

@Suite("Origins")
struct OriginTests {
    @Test(arguments: [
        ("http://A.b/c?d", "http://a.b"), ("https://a:443/", "https://a"),
        ("https://a:80", "https://a:80"),
        ("http://[2001:DB8::1]:8080/", "http://[2001:db8::1]:8080"),
    ])
    func `An origin is scheme, host in lower case, and port`(url: String, text: String) throws {
        #expect(try Origin(HTTPURL(url)).description == text)
    }

    @Test(arguments: [
        ("http://a/b", "http://A:80/c?d", true), ("http://a/", "https://a/", false),
        ("http://a/", "http://a:8080/", false), ("http://a/", "http://b.a/", false),
        ("http://a:443/", "https://a/", false),
    ])
    func `Two addresses have one origin if all three are the same`(
        one: String, other: String, isSame: Bool
    ) throws {
        #expect(try (Origin(HTTPURL(one)) == Origin(HTTPURL(other))) == isSame)
    }
}
