import Testing

@testable import PipelineCore

@Suite("What is wrong with a pipeline file")
struct ValidationTests {
    @Test(
        "Each mistake is named with its place and its path",
        arguments: [
            // O36
            (
                #"{ "timout": "5s", "requests": [{ "url": "http://a" }] }"#,
                [
                    #"1:3 timout: unknown key "timout" in a pipeline; "#
                        + #"did you mean "timeout", a key of a request?"#
                ]
            ),
            (
                #"{ "requests": [{ "url": "http://a", "finally": [] }] }"#,
                [
                    #"1:37 requests[0].finally: unknown key "finally" in a request; "#
                        + "it is a key of a pipeline"
                ]
            ),
            (
                file(#"{ "url": "/a", "expect": { "jsn": {} } }"#),
                [
                    #"2:43 requests[0].expect.jsn: unknown key "jsn" in an expectation; "#
                        + #"did you mean "json"?"#
                ]
            ),
            (
                file(#"{ "name": "a", "url": "/a", "name": "b" }"#),
                [#"2:44 requests[0].name: the key "name" is written twice"#]
            ),
            (
                file(#"{ "url": "/a", "timeout": 5 }"#),
                [
                    "2:42 requests[0].timeout: expected a duration above zero such as \"250ms\", "
                        + "\"5s\" or \"1m30s\" or null, found the number 5: a number needs a unit"
                ]
            ),
            (
                file(#"{ "url": "/a", "timeout": "5 sec" }"#),
                [
                    "2:42 requests[0].timeout: expected a duration above zero such as \"250ms\", "
                        + "\"5s\" or \"1m30s\", found \"5 sec\""
                ]
            ),
            (
                file(#"{ "url": "/a", "connectTimeout": "0s" }"#, keys: #""deadline": "0m0ms","#),
                [
                    "1:41 deadline: expected a duration above zero such as \"250ms\", "
                        + "\"5s\" or \"1m30s\", found \"0m0ms\"",
                    "2:49 requests[0].connectTimeout: expected a duration above zero such as "
                        + "\"250ms\", \"5s\" or \"1m30s\", found \"0s\"",
                ]
            ),
            (
                file(#"{ "url": "/a", "name": "", "captures": { "x": { "header": "" } } }"#),
                [
                    "2:39 requests[0].name: expected a text that is not empty, found \"\"",
                    "2:74 requests[0].captures.x.header: "
                        + "expected the name of a header, found \"\"",
                ]
            ),
            (
                file(#"{ "url": "/a", "expect": { "headers": { "A:": "1" } } }"#),
                [#"2:56 requests[0].expect.headers["A:"]: "A:" is not the name of a header"#]
            ),
            (
                file(#"{ "url": "/a", "body": { "text": "\ud83d\ude00 \uDE00" } }"#),
                ["2:63 requests[0].body.text: half a surrogate pair is not a character"]
            ),
            (
                file(#"{ "url": "/a", "name": "\ud83d", "headers": { "A": "\uD83D\uD83D" } }"#),
                [
                    "2:40 requests[0].name: half a surrogate pair is not a character; "
                        + "the file has 2 more"
                ]
            ),
            (
                file(#"{ "url": "/a", "expect": { "json": { "$.a": { "name": "ada" } } } }"#),
                [
                    #"2:62 requests[0].expect.json["$.a"].name: unknown key "name" in a matcher; "#
                        + #"to compare with an object, write {"eq": {…}}"#
                ]
            ),
            (
                file(#"{ "url": "/a", "method": "GET IT" }"#),
                [#"2:41 requests[0].method: expected a method, found "GET IT""#]
            ),
            (
                file(#"{ "url": "/a", "body": { "json": 1, "text": "a" } }"#),
                [
                    #"2:52 requests[0].body.text: "text" beside "json": "#
                        + #"a body needs exactly one of "json", "text", "form", "base64", "multipart", "#
                        + #""file", "graphql""#
                ]
            ),
            (
                file(#"{ "url": "/a", "body": {} }"#),
                [
                    #"2:39 requests[0].body: "#
                        + #"a body needs exactly one of "json", "text", "form", "base64", "multipart", "#
                        + #""file", "graphql""#
                ]
            ),
            (
                file(#"{ "url": "/a", "method": "HEAD", "body": { "text": "" } }"#),
                ["2:57 requests[0].body: a HEAD request has no body (RFC 9110, section 9.3.2)"]
            ),
            (
                file(#"{ "name": "x" }"#),
                [#"2:16 requests[0]: a request needs "url""#]
            ),
            (
                #"{ "baseURL": "http://a" }"#,
                [#"1:1 : a pipeline needs "requests""#]
            ),
            (
                #"{ "requests": [] }"#,
                ["1:15 requests: expected at least one element, found none"]
            ),
            ("[]", ["1:1 : expected a pipeline (an object), found an array"]),
            (
                #"{ "version": 2, "requests": [{ "url": "http://a" }] }"#,
                ["1:14 version: expected 1, found 2"]
            ),
            (
                file(#"{ "url": "/a", "expect": { "status": 99 } }"#),
                [
                    "2:53 requests[0].expect.status: "
                        + "expected a whole number from 100 to 999, found 99"
                ]
            ),
            (
                file(#"{ "url": "/a", "expect": { "status": "6xx" } }"#),
                [
                    "2:53 requests[0].expect.status: "
                        + "expected a class of statuses such as \"2xx\", found \"6xx\""
                ]
            ),
            (
                file(#"{ "url": "/a" }"#, #"{ "url": "/a" }"#),
                ["3:10 requests[1].url: the name \"GET /a\" is taken by an earlier request"]
            ),
            (
                file(#"{ "url": "/a", "captures": { "x": "$.a[?@.b" } }"#),
                [
                    "2:50 requests[0].captures.x: expected ',' or ']', found the end "
                        + "of the path (at byte 8 of the path)"
                ]
            ),
            (
                file(#"{ "url": "/a", "headers": { "X Y": "1", "Z": "a\nb" } }"#),
                [
                    "2:44 requests[0].headers[\"X Y\"]: \"X Y\" is not the name of a header",
                    "2:61 requests[0].headers.Z: a header may not hold a line break or NUL",
                ]
            ),
            (
                #"{ "requests": [{ "url": "/a" }] }"#,
                [
                    "1:25 requests[0].url: "
                        + "a relative address needs a \"baseURL\" to be joined to"
                ]
            ),
            (
                #"{ "requests": [{ "url": "ftp://a/b" }, { "url": "http://u:p@a" }] }"#,
                [
                    "1:25 requests[0].url: expected the scheme http or https, found ftp",
                    "1:49 requests[1].url: credentials do not belong into an address: "
                        + "use \"auth\"",
                ]
            ),
        ])
    func problem(text: String, expected: [String]) {
        #expect(problems(text) == expected)
    }

    @Test(
        "O24: an unknown or untimely variable is refused when the file is loaded",
        arguments: [
            (
                file(#"{ "url": "/{{usr}}" }"#, keys: #""variables": { "user": 1 },"#),
                [#"2:27 requests[0].url: unknown variable {{usr}}; did you mean "user"?"#]
            ),
            (
                file(#"{ "url": "/{{x}}" }"#),
                [
                    "2:27 requests[0].url: unknown variable {{x}}; "
                        + "declare it under \"variables\" or \"secrets\""
                ]
            ),
            (
                file(
                    #"{ "name": "one", "url": "/{{id}}" }"#,
                    #"{ "name": "two", "url": "/", "captures": { "id": "$.id" } }"#),
                [
                    "2:42 requests[0].url: {{id}} is not known at \"one\": "
                        + "it is captured by \"two\""
                ]
            ),
            (
                file(
                    #"{ "name": "one", "url": "/", "captures": { "id": "$.id" }, "enabled": false }"#,
                    #"{ "name": "two", "url": "/{{id}}" }"#),
                [
                    "3:27 requests[1].url: {{id}} is not known at \"two\": "
                        + "it is captured by \"one\", which is not enabled"
                ]
            ),
            (
                file(#"{ "url": "/{{a" }"#),
                [
                    "2:27 requests[0].url: the placeholder has no closing }}; "
                        + "write \\\\{{ for two braces"
                ]
            ),
            (
                file(#"{ "url": "/{{$uid}}" }"#),
                [#"2:27 requests[0].url: there is no {{$uid}}; did you mean "$uuid"?"#]
            ),
            (
                file(
                    #"{ "url": "/" }"#,
                    keys: #""variables": { "a": "{{b}}", "b": "x{{c}}", "c": ["{{a}}"] },"#),
                ["1:44 variables.a: the variables need each other in a circle: a → b → c → a"]
            ),
            (
                file(#"{ "url": "/" }"#, keys: #""variables": { "1a": 1 },"#),
                [
                    "1:44 variables.1a: \"1a\" is not the name of a variable "
                        + "(letters, digits, _ and -, not a digit first)"
                ]
            ),
            (
                file(
                    #"{ "url": "/", "captures": { "env.b": "$" } }"#,
                    keys: #""secrets": ["a b"],"#),
                [
                    "1:41 secrets[0]: expected the name of a variable "
                        + "(letters, digits, _ and -, not a digit first), found \"a b\"",
                    "2:44 requests[0].captures[\"env.b\"]: \"env.b\" is not the name of a variable "
                        + "(letters, digits, _ and -, not a digit first)",
                ]
            ),
            (
                file(
                    #"{ "url": "/" }"#, keys: #""variables": { "a": 1 }, "secrets": ["a"],"#),
                [
                    "1:66 secrets[0]: \"a\" is declared before; a secret has no default value"
                ]
            ),
        ])
    func variables(text: String, expected: [String]) {
        #expect(problems(text) == expected)
    }

    @Test func `all problems come in one go, in the order of the file`() {
        let found = problems(
            file(
                #"{ "url": "/{{x}}", "timeout": "1" }"#, #"{ "method": 1, "url": 2 }"#,
                keys: #""deadline": "soon","#))
        #expect(found.map { $0.prefix { $0 != " " } } == ["1:41", "2:27", "2:46", "3:13", "3:23"])
    }

    @Test(
        "O36: what is not JSON is refused with line and column",
        arguments: [
            ("{ \"requests\": [\n  { \"url\": \"/a\" \"name\": 1 }\n] }", "test.json:2:17"),
            ("{ \"requests\": [],\n}", "test.json:1:17"),
            ("", "test.json:1:1"),
        ])
    func syntax(text: String, location: String) throws {
        let error = try #require(throws: PipelineError.self) { try load(text) }
        #expect(error.diagnostics.map(\.location) == [location])
    }

    @Test func `a message shows the line and a caret, also of a file that is one long line`() throws
    {
        let padding = String(repeating: "x", count: 500)
        let text = file(#"{ "url": "/\#(padding)", "timout": "1s", "name": "\#(padding)" }"#)
        let error = try #require(throws: PipelineError.self) { try load(text) }
        let excerpt = try #require(error.diagnostics.first).excerpt
        #expect(excerpt.count == 2)
        let caret = try #require(excerpt[1].firstIndex(of: "^"))
        let offset = excerpt[1].distance(from: excerpt[1].startIndex, to: caret)
        #expect(excerpt[0].dropFirst(offset).hasPrefix("\"timout\""))
        #expect(excerpt[0].count < 130)
        #expect(excerpt[1].hasSuffix("^^^^^^^^"))
    }

    @Test(.timeLimit(.minutes(1)))
    func `very long names and values are cut in messages`() {
        let long = String(repeating: "x", count: 2_000_000)
        let found = problems(file(#"{ "url": "/a", "\#(long)": 1, "method": "a \#(long)" }"#))
        #expect(found.count == 2)
        #expect(found.allSatisfy { $0.utf8.count < 400 })
    }

    @Test func `a file with very many problems shows the first hundred`() throws {
        let requests = (0..<300).map { #"{ "url": "/\#($0)", "x": 1 }"# }
        let text = file(requests.joined(separator: ","))
        let error = try #require(throws: PipelineError.self) { try load(text) }
        #expect(error.diagnostics.count == 100)
        #expect(error.count == 300)
        #expect(error.description.hasSuffix("and 200 more"))
    }

    @Test(
        "Names that are close enough are suggested",
        arguments: [
            ("timout", "timeout"), ("URL", "url"), ("nmae", "name"), ("retires", "retries"),
            ("zzz", nil),
        ] as [(String, String?)])
    func nearest(name: String, expected: String?) {
        let names = ["timeout", "url", "name", "retries"]
        #expect(NearestName.of(name, among: names) == expected)
    }
}
