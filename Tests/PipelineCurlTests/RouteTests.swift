import PipelineCore
import Testing

@testable import PipelineCurl

@Suite("Other places to connect to")
struct RouteTests {
    @Test(
        "A resolution is read as curl reads it",
        arguments: [
            ("api.test:443:192.0.2.1", "api.test:443:192.0.2.1:443"),
            ("api.test:80:[2001:db8::1]", "api.test:80:[2001:db8::1]:80"),
            ("api.test:80:2001:db8::1", "api.test:80:[2001:db8::1]:80"),
            ("[::1]:80:127.0.0.1", "[::1]:80:127.0.0.1:80"),
            ("*:443:127.0.0.1", ":443:127.0.0.1:443"),
            ("api.test:443:", nil), ("api.test::127.0.0.1", nil), (":443:127.0.0.1", nil),
            ("api.test:443:other.test", nil), ("api.test:443:127.0.0.1,[::1]", nil),
            ("-api.test:443", nil), ("api.test:70000:127.0.0.1", nil), ("", nil), ("::", nil),
            ("[::1:80:127.0.0.1", nil), ("api.test:+80:127.0.0.1", nil),
        ])
    func resolution(text: String, expected: String?) {
        #expect(Route(resolution: text)?.text == expected)
    }

    @Test(
        "A reroute is read as curl reads it, each part possibly empty",
        arguments: [
            ("api.test:443:other.test:8443", "api.test:443:other.test:8443"),
            ("::127.0.0.1:8080", "::127.0.0.1:8080"), (":::8080", ":::8080"), (":::", ":::"),
            ("[::1]:80:[::2]:81", "[::1]:80:[::2]:81"),
            ("api.test:443:other.test", nil), ("api.test", nil), ("", nil),
            ("api.test:443:other.test:8443:1", nil), ("a:x:b:80", nil), ("a:80:b:99999", nil),
        ])
    func reroute(text: String, expected: String?) {
        #expect(Route(reroute: text)?.text == expected)
    }

    @Test(
        "An address is led by the first route that fits, and on to the address of a name",
        arguments: [
            ("http://a.test:80/", ["a.test:80:b.test:81"], [], "b.test:81"),
            ("http://A.TEST/", ["a.test:80:b.test:81"], [], "b.test:81"),
            ("http://a.test:82/", ["a.test:80:b.test:81"], [], nil),
            ("http://a.test/", ["::b.test:"], [], "b.test:80"),
            ("http://a.test/", [":80::81"], [], "a.test:81"),
            ("http://a.test/", [], ["a.test:80:192.0.2.1"], "192.0.2.1:80"),
            ("http://a.test/", [], ["a.test:80:192.0.2.1", "a.test:80:192.0.2.2"], "192.0.2.2:80"),
            ("http://a.test/", [], ["*:80:192.0.2.1"], "192.0.2.1:80"),
            ("https://a.test/", [], ["*:80:192.0.2.1"], nil),
            ("http://a.test/", ["a.test:80:b.test:81"], ["b.test:81:192.0.2.1"], "192.0.2.1:81"),
            ("http://a.test/", ["a.test:80:b.test:81"], ["b.test:80:192.0.2.1"], "b.test:81"),
            ("http://a.test/", [":80::81"], ["a.test:81:192.0.2.1"], "192.0.2.1:81"),
            ("http://c.test/", [":80::81"], ["a.test:81:192.0.2.1"], "c.test:81"),
            ("http://a.test/", ["a.test::b.test:"], ["b.test:80:192.0.2.1"], "192.0.2.1:80"),
            ("http://a.test:8/", ["a.test::b.test:"], ["b.test:80:192.0.2.1"], "b.test:8"),
        ] as [(String, [String], [String], String?)])
    func order(
        address: String, reroutes: [String], resolutions: [String], expected: String?
    ) throws {
        var options = ConnectionOptions()
        options.reroutes = reroutes
        options.resolutions = resolutions
        let url = try HTTPURL(address)
        let routes = try options.routes()
        #expect(routes.lazy.compactMap { $0.target(of: url) }.first == expected)
    }
}
