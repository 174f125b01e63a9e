import PipelineCore
import Testing

@testable import PipelineCurl

@Suite("Other places to connect to")
struct RouteTests {
    @Test(
        "An address is led elsewhere by the first route that fits it",
        arguments: [
            ("http://a.test:80/", ["a.test:80:b.test:81"], "b.test:81"),
            ("http://A.TEST/", ["a.test:80:b.test:81"], "b.test:81"),
            ("http://a.test:82/", ["a.test:80:b.test:81"], nil),
            ("https://a.test/", ["a.test:80:b.test:81", "a.test:443:c.test:82"], "c.test:82"),
            ("http://a.test/", ["x.test:80:b.test:81", "::c.test:", "::d.test:"], "c.test:80"),
            ("http://a.test/", [":80::81"], "a.test:81"), ("http://a.test/", [":::"], "a.test:80"),
            ("http://[::1]/", ["[::1]:80:[::2]:81"], "[::2]:81"),
        ] as [(String, [String], String?)])
    func target(address: String, routes: [String], expected: String?) throws {
        let url = try HTTPURL(address)
        let routes = try routes.map { try #require(Route($0)) }
        #expect(routes.lazy.compactMap { $0.target(of: url) }.first == expected)
    }

    @Test(
        "What is no route is told apart",
        arguments: [
            "api.test:443:other.test", "api.test", "", "a:b:c", "api.test:443:other.test:8443:1",
            "a:x:b:80", "a:80:b:99999", "a:+80:b:80", "[::1:80:b:80",
        ])
    func noRoute(text: String) {
        #expect(Route(text) == nil)
    }
}
