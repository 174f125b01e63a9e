import PipelineJSON
import TestSupport
import Testing

@testable import PipelineCore

@Suite("What expectations and captures look at")
struct SourceTests {
    private static let fields: HTTPFields = [
        "Content-Type": "application/json", "etag": "\"v1\"", "Vary": "Accept", "vary": "Origin",
        "Set-Cookie": "sid=9; Path=/; HttpOnly; Secure; SameSite=Lax; Max-Age=60",
        "set-cookie": "theme=dark; Expires=Wed, 21 Oct 2026 07:28:00 GMT",
    ]

    @Test(
        "Every source", .timeLimit(.minutes(1)),
        arguments: [
            (#"{ "headers": { "ETag": "\"v1\"" } }"#, true),
            (#"{ "headers": { "ETag": { "startsWith": "W/" } } }"#, false),
            // O19: names in any case; of a repeated header, any line.
            (#"{ "headers": { "VARY": "Origin" } }"#, true),
            (#"{ "headers": { "Vary": "Accept" } }"#, true),
            (#"{ "headers": { "Vary": "Accept, Origin" } }"#, false),
            (#"{ "headers": { "X-None": { "exists": false } } }"#, true),
            (#"{ "headers": { "X-None": "a" } }"#, false),
            (#"{ "cookies": { "sid": "9", "theme": { "in": ["dark", "light"] } } }"#, true),
            (
                #"{ "cookies": { "sid": { "secure": true, "httpOnly": true, "maxAge": 60 } } }"#,
                true
            ),
            (#"{ "cookies": { "sid": { "eq": "9", "sameSite": "Lax", "path": "/" } } }"#, true),
            (#"{ "cookies": { "sid": { "eq": "8", "sameSite": "Lax" } } }"#, false),
            (
                #"{ "cookies": { "theme": { "secure": false, "expires": { "contains": ", 21" } } } }"#,
                true
            ),
            (#"{ "cookies": { "none": { "exists": false } } }"#, true),
            (#"{ "text": "{\"a\":1}" }"#, true), (#"{ "text": { "contains": "b" } }"#, false),
            (#"{ "bytes": { "length": 7 } }"#, true),
            (#"{ "bytes": { "md5": "bb6cb5c68df4652941caf652a366f2d8" } }"#, true),
            (
                #"{ "bytes": { "sha256": "#
                    + #""015abd7f5cc57a2dd94b7590f04ad8084273905ee33ec5cebeae62276a97f862" } }"#,
                true
            ),
            (#"{ "duration": { "lt": "1h" } }"#, true), (#"{ "duration": { "gt": "1h" } }"#, false),
            (#"{ "url": "http://test/" }"#, true), (#"{ "httpVersion": "1.1" }"#, true),
            (#"{ "schema": { "required": ["a"] } }"#, true),
            (#"{ "schema": { "properties": { "a": { "type": "string" } } } }"#, false),
        ])
    func sources(expect: String, isHeld: Bool) async throws {
        let found = try await findings(expect, body: #"{"a":1}"#, fields: Self.fields)
        #expect(found.isEmpty == isHeld, "\(found.map(\.message))")
    }

    @Test(
        "Text is read in its charset", .timeLimit(.minutes(1)),
        arguments: [
            ("text/plain", [0xC3, 0xA9], "é"), ("text/plain; charset=UTF-8", [0xC3, 0xA9], "é"),
            ("text/plain; charset=\"iso-8859-1\"; x=y", [0xE9], "é"),
            ("text/plain;charset=latin1", [0x80], "\u{80}"),
            ("text/plain; Charset=windows-1252", [0x80, 0x93], "€“"),
            ("text/plain; charset=utf-16", [0xFE, 0xFF, 0x00, 0x41], "A"),
            ("text/plain; charset=utf-16le", [0x41, 0x00], "A"),
            ("text/plain; charset=utf-16be", [0x00, 0x41], "A"),
            ("text/plain", [0xEF, 0xBB, 0xBF, 0x41], "A"),
        ] as [(String, [UInt8], String)])
    func charsets(type: String, body: [UInt8], expected: String) throws {
        let response = HTTPResponse(
            head: HTTPResponse.Head(status: 200, fields: ["Content-Type": type]), body: body)
        let view = ResponseView(
            AttemptResponse(
                request: HTTPRequest(url: try HTTPURL("http://a")), response: response,
                duration: .zero))
        #expect(try view.textBody() == expected)
    }

    @Test func `an unknown charset fails text checks only`() async throws {
        let fields: HTTPFields = ["Content-Type": "text/html; charset=klingon"]
        #expect(try await findings(#"{ "status": 200 }"#, body: "x", fields: fields).isEmpty)
        #expect(
            try await findings(#"{ "text": "x" }"#, body: "x", fields: fields).map(\.message)
                == ["the charset \"klingon\" of the body is not supported"])
    }

    @Test(
        "Sums of the test vectors of their specifications",
        arguments: [
            (
                "", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                "d41d8cd98f00b204e9800998ecf8427e"
            ),
            (
                "abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
                "900150983cd24fb0d6963f7d28e17f72"
            ),
            (
                "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
                "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1",
                "8215ef0796a20bcaaae116d3876c664a"
            ),
        ])
    func sums(text: String, sha256: String, md5: String) {
        #expect(SHA256.hexadecimal(Array(text.utf8)) == sha256)
        #expect(MD5.hexadecimal(Array(text.utf8)) == md5)
    }

    @Test func `the sum of a million letters`() {
        let text = [UInt8](repeating: UInt8(ascii: "a"), count: 1_000_000)
        #expect(
            SHA256.hexadecimal(text)
                == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0")
    }

    @Test(
        "Captures", .timeLimit(.minutes(1)),
        arguments: [
            (#""$.a""#, "1"), (#"{ "header": "vary" }"#, #""Accept""#),
            (#"{ "cookie": "sid" }"#, #""9""#),
            (#"{ "status": true }"#, "200"), (#"{ "url": true }"#, #""http://test/a""#),
            (#"{ "text": true, "regex": "\"l\":\"([a-z])" }"#, #""x""#),
            (#"{ "json": "$.l", "regex": "," }"#, #"",""#),
            (#"{ "json": "$.none", "default": [1] }"#, "[1]"),
            (#"{ "json": "$.none", "then": ["first"], "default": null }"#, "null"),
            (#"{ "json": "$.l", "then": [{ "split": "," }, "last"] }"#, #""z""#),
            (#"{ "json": "$.l", "then": [{ "split": "," }, { "nth": -2 }] }"#, #""y""#),
            (#"{ "json": "$.l", "then": [{ "split": "," }, "length"] }"#, "3"),
            (#"{ "json": "$.l", "then": ["length"] }"#, "5"),
            (#"{ "json": "$.l", "then": [{ "replace": [",", ""] }] }"#, #""xyz""#),
            (#"{ "json": "$.l", "then": [{ "replaceRegex": ["(.),", "<$1>"] }] }"#, #""<x><y>z""#),
            (#"{ "json": "$.n", "then": ["toNumber"] }"#, "12.50"),
            (#"{ "json": "$.a", "then": ["toString"] }"#, #""1""#),
            (#"{ "json": "$.e", "then": ["urlDecode", "trim"] }"#, #""a b""#),
            (#"{ "json": "$.b", "then": ["base64Decode"] }"#, #""hello""#),
            (#"{ "json": "$.d[*].i" }"#, "[1,2]"),
            (#"{ "json": "$.d[*].i", "then": ["first"] }"#, "1"),
            (#"{ "json": "$.d[?@.i > 1].i" }"#, "[2]"),
            (#"{ "sha256": true, "regex": "^[0-9a-f]{64}$", "then": ["length"] }"#, "64"),
            (#"{ "duration": true, "then": ["toString", "length"] }"#, nil),
        ] as [(String, String?)])
    func captures(capture: String, expected: String?) async throws {
        let body =
            #"{"a":1,"l":"x,y,z","n":" 12.50 ","e":"a%20b%20","b":"aGVsbG8","d":[{"i":1},{"i":2}]}"#
        let text = file(#"{ "url": "/a", "captures": { "c": \#(capture) } }"#)
        let transport = ScriptedTransport { _ in .respond(fields: Self.fields, body: body) }
        let result = try await load(text).run(transport: transport)
        #expect(result.isSuccess, "\(result.requests[0].error?.message ?? "")")
        let value = try #require(result.value("c"))
        if let expected { #expect(value.description == expected) }
    }

    @Test(
        "Captures that find nothing say why", .timeLimit(.minutes(1)),
        arguments: [
            (#"{ "header": "X-None" }"#, "found nothing at the header X-None"),
            (#"{ "json": "$.a", "regex": "x(y)" }"#, #"the regex x(y) finds nothing in "text""#),
            (
                #"{ "json": "$.a", "then": ["first"] }"#,
                #""then" expected an array, found "text" (string)"#
            ),
            (#"{ "json": "$.l", "then": [{ "nth": 5 }] }"#, "there is no element 5 among 2"),
            (
                #"{ "json": "$.a", "then": ["toNumber"] }"#,
                #""then" expected a number, found "text" (string)"#
            ),
        ])
    func missing(capture: String, message: String) async throws {
        let text = file(#"{ "url": "/a", "captures": { "c": \#(capture) } }"#)
        let transport = ScriptedTransport { _ in .respond(body: #"{"a":"text","l":[1,2]}"#) }
        let result = try await load(text).run(transport: transport)
        let error = try #require(result.requests[0].error)
        #expect(error.code == .capture)
        #expect(error.message == "the capture \"c\": \(message)")
    }

    @Test func `a default stands for what is not there, not for what cannot be read`() async throws
    {
        let text = file(
            #"{ "url": "/a", "captures": { "c": { "json": "$.x", "default": "d" } } }"#)
        let transport = ScriptedTransport { _ in .respond(body: "<html>") }
        let result = try await load(text).run(transport: transport)
        #expect(result.requests[0].error?.message.contains("the body is not JSON") ?? false)
    }

    @Test func `a secret capture that fails is masked all the same`() async throws {
        let text = file(
            #"{ "url": "/a", "captures": { "t": "#
                + #"{ "json": "$.t", "secret": true, "then": ["toNumber"] } } }"#)
        let inputs = try load(text).bind()
        let transport = ScriptedTransport { _ in .respond(body: #"{"t":"tok_ABCDEFGH"}"#) }
        let result = try await inputs.start(transport: transport).result
        let message = try #require(result.requests[0].error?.message)
        #expect(!inputs.redactor.redact(message).contains("tok_"))
    }

    @Test func `a failed status is reported before captures are tried`() async throws {
        let text = file(
            #"{ "url": "/a", "expect": { "status": 201 }, "captures": { "c": "$.none" } }"#)
        let transport = ScriptedTransport { _ in .respond(body: "{}") }
        let result = try await load(text).run(transport: transport)
        #expect(result.requests[0].error?.code == .expectation)
        #expect(result.requests[0].error?.findings.count == 1)
    }

    @Test(
        "A doubled name and half a surrogate pair are right, with a warning",
        arguments: [
            (
                #"{"a":1,"a":2}"#, #"{ "$.a": 2 }"#,
                ["the body has the name \"a\" twice; the last one counts"]
            ),
            (
                #"{"a":"\ud800"}"#, #"{ "$.a": "\uFFFD" }"#,
                ["the body has half a surrogate pair; U+FFFD stands in its place"]
            ),
            (#"{"a":1}"#, #"{ "$.a": 1 }"#, []), (#"{"a":1,"a":2}"#, "{}", []),
        ] as [(String, String, [String])])
    func warnings(body: String, json: String, expected: [String]) async throws {
        let text = file(#"{ "url": "/a", "expect": { "json": \#(json) } }"#)
        let transport = ScriptedTransport { _ in .respond(body: body) }
        let result = try await load(text).run(transport: transport)
        #expect(result.isSuccess)
        #expect(result.requests[0].warnings == expected)
    }

    @Test func `header names are looked for without regard to case, and at the start of a line`() {
        let head = HTTPResponse.Head(
            status: 200, fields: ["X-Set-Cookie": "a", "set-cookie": "b", "Date": "Set-Cookie: c"])
        #expect(head.hasField("Set-Cookie"))
        #expect(head.hasField("DATE"))
        #expect(!head.hasField("Cookie"))
        #expect(
            !HTTPResponse.Head(status: 200, fields: ["Date": "Set-Cookie: c"]).hasField(
                "Set-Cookie"))
    }

    @Test func `O21: numbers keep their digits through captures, and amounts compare exactly`()
        async throws
    {
        let body =
            #"{"id":9223372036854775808,"n":9007199254740993,"amount":69187.62000000001,"price":1.10}"#
        let text = file(
            #"{ "name": "a", "url": "/a", "captures": { "id": "$.id", "price": "$.price" } }"#,
            #"{ "name": "b", "url": "/{{id}}", "body": { "json": { "id": "{{id}}", "p": "{{price}}" } }, "#
                + #""expect": { "json": { "$.amount": 69187.62 } } }"#)
        let transport = ScriptedTransport { _ in .respond(body: body) }
        let result = try await load(text).run(transport: transport)
        #expect(transport.requests[1].url.target == "/9223372036854775808")
        let sent = #"{"id":9223372036854775808,"p":1.10}"#
        #expect(transport.requests[1].body == .bytes(Array(sent.utf8)))
        #expect(
            result["b"]?.error?.message
                == "expected $.amount to be 69187.62 (number), got 69187.62000000001 (number)")
    }
}
