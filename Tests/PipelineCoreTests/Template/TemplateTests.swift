import PipelineJSON
import TestSupport
import Testing

@testable import PipelineCore

@Suite("Templates and variables")
struct TemplateTests {
    /// What is sent for one request with these values.
    private func send(
        _ request: String, keys: String = "", variables: [String: JSONValue] = [:]
    ) async throws -> HTTPRequest {
        let transport = ScriptedTransport { _ in .respond() }
        let result = try await load(file(request, keys: keys))
            .run(variables: variables, transport: transport)
        #expect(result.isSuccess, "\(result.requests[0].error?.message ?? "")")
        return try #require(transport.requests.first)
    }

    private func text(_ request: HTTPRequest) throws -> String {
        guard case .bytes(let bytes)? = request.body else { return "" }
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test(
        "O25: whatever a value holds, it stays one member of the JSON body",
        .timeLimit(.minutes(1)),
        arguments: ["\" \\ \n", #"","admin":true,"x":""#, "😀\u{2028}", "\u{0}\u{1F}"])
    func hostileValues(value: String) async throws {
        let request = try await send(
            #"{ "url": "/", "body": { "json": { "name": "{{name}}", "hello": "<{{name}}>" } } }"#,
            keys: #""variables": { "name": "" },"#, variables: ["name": JSONValue(value)])
        let body = try JSONValue(parsing: try text(request))
        #expect(body.count == 2)
        #expect(body["name"]?.string == value)
        #expect(body["hello"]?.string == "<\(value)>")
    }

    @Test(.timeLimit(.minutes(1)))
    func `O26: a string that is one placeholder keeps the value's type`() async throws {
        let request = try await send(
            #"{ "url": "/", "body": { "json": ["{{id}}", "{{ok}}", "{{none}}", "{{list}}", "#
                + #""id-{{id}}", "{{ zip }}"] } }"#,
            keys:
                #""variables": { "id": 42, "ok": true, "none": null, "list": [1, 2], "zip": 1 },"#,
            variables: ["zip": "00501"])
        #expect(try text(request) == #"[42,true,null,[1,2],"id-42","00501"]"#)
    }

    @Test(.timeLimit(.minutes(1)), arguments: ["list", "none", "object"])
    func `O26: a list, an object or null inside text is an error, and nothing is sent`(
        name: String
    ) async throws {
        let text = file(
            #"{ "url": "/a/{{\#(name)}}" }"#,
            keys: #""variables": { "list": [1], "none": null, "object": {} },"#)
        let transport = ScriptedTransport { _ in .respond() }
        let result = try await load(text).run(transport: transport)
        #expect(transport.requests.isEmpty)
        let error = try #require(result.requests[0].error)
        #expect(error.code == .invalidRequest)
        #expect(error.message.contains("which cannot be put into text"))
        #expect(result.diagnostic(error.findings[0]).location == "test.json:2:29")
    }

    @Test(.timeLimit(.minutes(1)))
    func `O15: values are percent-encoded in addresses, literal text is not`() async throws {
        let request = try await send(
            #"{ "url": "/x%2Fy/{{v}}/z", "query": { "q": "{{q}}", "a": ["1", 2, true] } }"#,
            keys: #""variables": { "v": "a/b", "q": "1+1 a&b=c%" },"#)
        #expect(
            request.url.target == "/x%2Fy/a%2Fb/z?q=1%2B1%20a%26b%3Dc%25&a=1&a=2&a=true")
    }

    @Test(.timeLimit(.minutes(1)))
    func `a placeholder at the beginning of an address may be a whole address`() async throws {
        let request = try await send(
            #"{ "url": "{{next}}" }"#, keys: #""variables": { "next": "https://b:1/p?q=1" },"#)
        #expect(request.url.text == "https://b:1/p?q=1")
    }

    @Test(
        "Addresses are joined to the base as path after path", .timeLimit(.minutes(1)),
        arguments: [
            ("http://a", "/b", "http://a/b"), ("http://a/", "/b", "http://a/b"),
            ("http://a/v1", "b", "http://a/v1/b"), ("http://a/v1/", "/b", "http://a/v1/b"),
            ("http://a/v1", "", "http://a/v1"), ("http://a/v1", "?x=1", "http://a/v1?x=1"),
            ("http://a", "http://b/c", "http://b/c"),
        ])
    func join(base: String, url: String, expected: String) async throws {
        let text = #"{ "baseURL": "\#(base)", "requests": [{ "url": "\#(url)" }] }"#
        let transport = ScriptedTransport { _ in .respond() }
        _ = try await load(text).run(transport: transport)
        #expect(transport.requests.map(\.url.text) == [expected])
    }

    @Test(
        "O20: a line break or NUL in a header is refused before anything is sent",
        .timeLimit(.minutes(1)), arguments: ["v\r\nX-Evil: 1", "v\r", "v\n", "v\u{0}"])
    func forgedHeader(value: String) async throws {
        for request in [
            #"{ "url": "/", "headers": { "X-Token": "{{v}}" } }"#,
            #"{ "url": "/", "auth": { "bearer": "{{v}}" } }"#,
        ] {
            let text = file(request, keys: #""variables": { "v": "" },"#)
            let transport = ScriptedTransport { _ in .respond() }
            let result = try await load(text)
                .run(variables: ["v": JSONValue(value)], transport: transport)
            #expect(transport.requests.isEmpty)
            let error = try #require(result.requests[0].error)
            #expect(error.code == .invalidRequest)
            #expect(!error.message.contains("Evil"))
        }
    }

    @Test(.timeLimit(.minutes(1)))
    func `values that look like placeholders are not expanded`() async throws {
        let request = try await send(
            #"{ "url": "/", "body": { "text": "{{a}} \\{{a}} }} {" } }"#,
            keys: #""variables": { "a": "", "b": "secret" },"#, variables: ["a": "{{b}}"])
        #expect(try text(request) == "{{b}} {{a}} }} {")
    }

    @Test(.timeLimit(.minutes(1)))
    func `variables use each other in any order, and what is given is seen by all`() async throws {
        let keys = #""variables": { "c": "{{b}}!", "b": "{{a}}{{a}}", "a": "x", "n": ["{{a}}"] },"#
        let request = #"{ "url": "/{{c}}", "body": { "json": "{{n}}" } }"#
        #expect(try await send(request, keys: keys).url.target == "/xx%21")
        let given = try await send(request, keys: keys, variables: ["a": "1"])
        #expect(given.url.target == "/11%21")
        #expect(try text(given) == #"["1"]"#)
    }

    @Test func `a missing secret or environment variable is told before anything is sent`() throws {
        let pipeline = try load(
            file(#"{ "url": "/{{env.NO_SUCH}}/{{s}}" }"#, keys: #""secrets": ["s"],"#))
        let error = try #require(throws: PipelineError.self) {
            try pipeline.bind(environment: { _ in nil })
        }
        #expect(
            error.diagnostics.map(\.message) == [
                "the secret \"s\" has no value; it must be given",
                "the environment variable NO_SUCH is not set",
            ])
        let short = try #require(throws: PipelineError.self) {
            try pipeline.bind(variables: ["s": "abc"], environment: { _ in "" })
        }
        #expect(
            short.diagnostics.map(\.message) == [
                "the secret \"s\" is shorter than 4 bytes and could not be masked"
            ])
    }

    @Test(
        "A base that cannot be used is told before anything is sent",
        arguments: [
            ("ftp://a", "baseURL: expected the scheme http or https, found ftp"),
            ("a", "baseURL: expected an address that begins with http:// or https://"),
            ("http://a?b", "a baseURL may not have a query"),
        ])
    func base(url: String, message: String) throws {
        let text =
            #"{ "baseURL": "{{u}}", "variables": { "u": "" }, "requests": [{ "url": "/" }] }"#
        let pipeline = try load(text)
        let error = try #require(throws: PipelineError.self) {
            try pipeline.bind(variables: ["u": JSONValue(url)])
        }
        #expect(error.diagnostics.map(\.message) == [message])
    }

    @Test(
        "A base that is given is checked as the file's is, with its place",
        arguments: [
            ("ftp://a", "the given baseURL: expected the scheme http or https, found ftp"),
            (
                "not a url",
                "the given baseURL: expected an address that begins with http:// or https://"
            ),
            ("http://a/v1?x=1", "a baseURL may not have a query"),
        ])
    func givenBase(url: String, message: String) throws {
        for (text, location) in [
            (file(#"{ "url": "/" }"#), "test.json:1:14"),
            (#"{ "requests": [{ "url": "http://a" }] }"#, "test.json:1:1"),
        ] {
            let pipeline = try load(text)
            let transport = ScriptedTransport { _ in .respond() }
            var options = RunOptions()
            options.baseURL = url
            let errors = [
                try #require(throws: PipelineError.self) { try pipeline.bind(baseURL: url) },
                try #require(throws: PipelineError.self) {
                    try pipeline.bind().replacingBaseURL(url)
                },
                try #require(throws: PipelineError.self) {
                    try pipeline.start(transport: transport, options: options)
                },
                try #require(throws: PipelineError.self) {
                    try pipeline.bind().start(transport: transport, options: options)
                },
            ]
            for error in errors {
                #expect(error.diagnostics.map(\.message) == [message])
                #expect(error.diagnostics.map(\.location) == [location])
            }
        }
    }

    @Test("A base that is given replaces the file's", .timeLimit(.minutes(1)))
    func replacedBase() async throws {
        let transport = ScriptedTransport { _ in .respond() }
        let pipeline = try load(file(#"{ "url": "/a" }"#))
        var options = RunOptions()
        options.baseURL = "http://h/"
        _ = try await pipeline.run(transport: transport, options: options)
        _ = try await pipeline.bind().run(transport: transport, options: options)
        _ = try await pipeline.bind(baseURL: "http://h/v1/").run(transport: transport)
        _ = try await pipeline.bind().replacingBaseURL("HTTP://h").run(transport: transport)
        #expect(
            transport.requests.map(\.url.text)
                == ["http://h/a", "http://h/a", "http://h/v1/a", "http://h/a"])
    }

    @Test(.timeLimit(.minutes(1)))
    func `defaults are inherited, replaced and switched off`() async throws {
        let text = """
            { "baseURL": "http://test", "variables": { "t": "tok" },
              "defaults": { "headers": { "A": "1", "B": "2" }, "auth": { "bearer": "{{t}}" },
                            "timeout": "3s", "expect": { "status": 204 } },
              "requests": [
                { "name": "a", "url": "/a" },
                { "name": "b", "url": "/b", "auth": "none", "timeout": null,
                  "headers": { "a": ["x", "y"], "B": null }, "expect": { "status": 200 } }] }
            """
        let transport = ScriptedTransport { .respond(status: $0.url.target == "/a" ? 204 : 200) }
        let result = try await load(text).run(transport: transport)
        #expect(result.isSuccess)
        let (a, b) = (transport.requests[0], transport.requests[1])
        #expect(
            a.fields.map { "\($0.name)=\($0.value)" } == ["A=1", "B=2", "Authorization=Bearer tok"])
        #expect(a.timeout == .seconds(3))
        #expect(b.fields.map { "\($0.name)=\($0.value)" } == ["a=x", "a=y"])
        #expect(b.timeout == nil)
    }

    @Test(.timeLimit(.minutes(1)))
    func `a default may use a capture where it is known, and must be switched off before`()
        async throws
    {
        func text(_ auth: String) -> String {
            file(
                #"{ "name": "login", "url": "/login", \#(auth) "captures": { "t": "$.t" } }"#,
                #"{ "name": "me", "url": "/me" }"#,
                keys: #""defaults": { "auth": { "bearer": "{{t}}" } },"#)
        }
        #expect(
            problems(text("")) == [
                "1:64 defaults.auth.bearer: {{t}} is not known at \"login\": "
                    + "it is captured by \"login\""
            ])
        let transport = ScriptedTransport { _ in .respond(body: #"{"t":"tok"}"#) }
        let result = try await load(text(#""auth": "none","#)).run(transport: transport)
        #expect(result.isSuccess)
        #expect(transport.requests.map { $0.fields["Authorization"] } == [nil, "Bearer tok"])
    }

    @Test(.timeLimit(.minutes(1)))
    func `generated values have their forms, and are new at each use`() async throws {
        let request = try await send(
            #"{ "url": "/{{$uuid}}/{{$uuid}}", "body": { "json": "#
                + #"["{{$timestamp}}", "{{$isoTimestamp}}", "{{$randomInt}}"] } }"#)
        let ids = request.url.target.split(separator: "/")
        #expect(ids[0] != ids[1] && ids.allSatisfy { $0.count == 36 })
        let body = try JSONValue(parsing: try text(request))
        #expect(try #require(body[0]?.number?.int) > 1_700_000_000)
        let time = try #require(body[1]?.string)
        #expect(time.count == 24 && time.hasSuffix("Z") && time.hasPrefix("20"))
        #expect(0..<1_000 ~= (try #require(body[2]?.number?.int)))
    }

    @Test(
        arguments: [
            (0, "1970-01-01T00:00:00.000Z"), (951_782_399, "2000-02-28T23:59:59.000Z"),
            (951_782_400, "2000-02-29T00:00:00.000Z"), (4_107_542_400, "2100-03-01T00:00:00.000Z"),
            (-1, "1969-12-31T23:59:59.000Z"),
        ])
    func `moments are written as RFC 3339 has them`(seconds: Int, expected: String) {
        #expect(UTCTime(secondsSince1970: seconds, milliseconds: 0).description == expected)
    }

    @Test(.timeLimit(.minutes(1)))
    func `credentials, forms and bytes are written as their RFCs have them`() async throws {
        let basic = try await send(
            #"{ "url": "/", "auth": { "basic": { "username": "Aladdin", "#
                + #""password": "open sesame" } } }"#)
        #expect(basic.fields["Authorization"] == "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==")
        let form = try await send(
            #"{ "url": "/", "body": { "form": { "a b": "1&2", "c": [true, "ü"] } } }"#)
        #expect(try text(form) == "a%20b=1%262&c=true&c=%C3%BC")
        #expect(form.fields["Content-Type"] == "application/x-www-form-urlencoded")
        let bytes = try await send(
            #"{ "url": "/", "headers": { "content-type": "image/png" }, "#
                + #""body": { "base64": "AAEC" } }"#)
        #expect(bytes.body == .bytes([0, 1, 2]))
        #expect(bytes.fields.values(of: "Content-Type") == ["image/png"])
    }
}
