import PipelineCore
import PipelineJSON
import Testing

@Suite("Requests built in code")
struct RequestBuildingTests {
    private func text(_ request: HTTPRequest) -> String {
        guard case .bytes(let bytes) = request.body else { return "no body" }
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test(
        "have the method of their name",
        arguments: ["GET", "HEAD", "DELETE", "POST", "PUT", "PATCH"])
    func method(_ method: String) throws {
        let url = try HTTPURL("http://test/a")
        let request =
            switch method {
            case "GET": HTTPRequest.get(url)
            case "HEAD": HTTPRequest.head(url)
            case "DELETE": HTTPRequest.delete(url)
            case "POST": HTTPRequest.post(url)
            case "PUT": HTTPRequest.put(url)
            default: HTTPRequest.patch(url)
            }
        #expect(request.method == method)
        #expect(request.url == url)
        #expect(request.body == nil)
        #expect(request.fields.isEmpty)
    }

    @Test(
        "add their query to the address",
        arguments: [
            ("http://test", "http://test?q=a%20b&q=%26%3D%2B"),
            ("http://test/p", "http://test/p?q=a%20b&q=%26%3D%2B"),
            ("http://test/p?x=1", "http://test/p?x=1&q=a%20b&q=%26%3D%2B"),
            ("http://test/p?", "http://test/p?q=a%20b&q=%26%3D%2B"),
        ])
    func query(_ address: String, _ expected: String) throws {
        let request = try HTTPRequest.get(address, query: ["q": "a b", "q": "&=+"])
        #expect(request.url.text == expected)
        #expect(request.url == (try HTTPURL(expected)))
        #expect(try HTTPRequest.get(address, query: [:]).url.text == address)
    }

    @Test("refuse an address that cannot be used, by telling what is wrong with it")
    func badAddress() {
        let error = #expect(throws: HTTPURLError.self) { try HTTPRequest.get("ftp://test/") }
        #expect(error?.description.isEmpty == false)
    }

    @Test("carry JSON, a form or a text, each with its type")
    func content() throws {
        let json = try HTTPRequest.post(
            "http://test", json: ["user": "ada", "tags": ["a", 1.5, true, .null]])
        #expect(text(json) == #"{"user":"ada","tags":["a",1.5,true,null]}"#)
        #expect(json.fields["content-type"] == "application/json")

        let form = try HTTPRequest.put("http://test", form: ["z": "1", "a": "ä", "z": ""])
        #expect(text(form) == "z=1&a=%C3%A4&z=")
        #expect(form.fields["content-type"] == "application/x-www-form-urlencoded")

        let plain = try HTTPRequest.patch("http://test", text: "größe")
        #expect(text(plain) == "größe")
        #expect(plain.fields["content-type"] == "text/plain; charset=utf-8")
    }

    @Test("end some time: they have the limits of requests in a file")
    func limits() async throws {
        let transport = ScriptedTransport { _ in .respond() }
        _ = try await load(file(#"{"url": "/a"}"#)).run(transport: transport)
        let request = try HTTPRequest.get("http://test/a")
        #expect(request.timeout == transport.requests.first?.timeout)
        #expect(request.connectTimeout == transport.requests.first?.connectTimeout)
        #expect(request.timeout == .seconds(30))
        #expect(HTTPRequest(url: try HTTPURL("http://test"), timeout: nil).timeout == nil)
    }

    @Test("keep a Content-Type of their own, whatever its case")
    func ownContentType() throws {
        let request = try HTTPRequest.post(
            "http://test", json: [:], fields: ["X": "1", "content-type": "application/ld+json"])
        #expect(request.fields == ["X": "1", "content-type": "application/ld+json"])
    }

    @Test("take parameters that are known later: a dictionary by name, others as they come")
    func parameters() throws {
        var parameters = HTTPRequest.Parameters(["b": "2", "a": "1"])
        parameters.append("a", "3")
        #expect(parameters == ["a": "1", "b": "2", "a": "3"])
        #expect(text(try .post("http://test", form: parameters)) == "a=1&b=2&a=3")
        #expect(text(try .post("http://test", form: [:])).isEmpty)
    }
}
