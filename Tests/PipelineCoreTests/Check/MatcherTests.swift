import PipelineJSON
import TestSupport
import Testing

@testable import PipelineCore

/// Runs one request that expects this of this body; the messages of what does not hold.
func findings(
    _ expect: String, body: String, fields: HTTPFields = [:], keys: String = ""
) async throws -> [Finding] {
    let text = file(#"{ "url": "/", "expect": \#(expect) }"#, keys: keys)
    let transport = ScriptedTransport { _ in .respond(fields: fields, body: body) }
    let result = try await load(text).run(transport: transport)
    let error = result.requests[0].error
    #expect(error == nil || error?.code == .expectation, "\(error?.message ?? "")")
    return error?.findings ?? []
}

/// Whether the value at `$.a` is as this matcher wants it.
func holds(_ matcher: String, _ body: String, path: String = "$.a") async throws -> Bool {
    try await findings(#"{ "json": { "\#(path)": \#(matcher) } }"#, body: body).isEmpty
}

@Suite("Matchers")
struct MatcherTests {
    @Test(
        "O28: numbers are equal by value, and only to numbers", .timeLimit(.minutes(1)),
        arguments: [
            ("1", "1", true), ("1.0", "1", true), ("10e-1", "1", true), ("-0", "0", true),
            ("\"1\"", "1", false), ("true", "1", false), ("69187.62000000001", "69187.62", false),
            ("9223372036854775808", "9223372036854775808.0", true),
            ("9007199254740993", "9007199254740992", false), ("1e400", "10e399", true),
            ("1", "\"1\"", false), ("1", "true", false), ("null", "0", false),
        ])
    func equality(actual: String, expected: String, isEqual: Bool) async throws {
        #expect(try await holds(expected, "{\"a\":\(actual)}") == isEqual)
        #expect(try await holds("{\"eq\":\(expected)}", "{\"a\":\(actual)}") == isEqual)
        #expect(try await holds("{\"ne\":\(expected)}", "{\"a\":\(actual)}") == !isEqual)
        #expect(try await holds("{\"in\":[7,\(expected)]}", "{\"a\":\(actual)}") == isEqual)
        #expect(try await holds("{\"nin\":[7,\(expected)]}", "{\"a\":\(actual)}") == !isEqual)
    }

    @Test func `O28: the message shows value and type of both sides`() async throws {
        let found = try await findings(#"{ "json": { "$.a": 1 } }"#, body: #"{"a":"1"}"#)
        #expect(found.map(\.message) == [#"expected $.a to be 1 (number), got "1" (string)"#])
    }

    @Test(
        "O29: null, missing and empty are three things", .timeLimit(.minutes(1)),
        arguments: [
            // body, exists, is null, is empty
            ("{}", false, false, false), (#"{"a":null}"#, true, true, true),
            (#"{"a":""}"#, true, false, true), (#"{"a":[]}"#, true, false, true),
            (#"{"a":0}"#, true, false, false),
        ])
    func presence(body: String, exists: Bool, isNull: Bool, isEmpty: Bool) async throws {
        #expect(try await holds(#"{"exists":true}"#, body) == exists)
        #expect(try await holds(#"{"exists":false}"#, body) == !exists)
        #expect(try await holds("null", body) == isNull)
        #expect(try await holds(#"{"isEmpty":true}"#, body) == isEmpty)
        // A negated assertion on a missing path does not pass by accident.
        #expect(try await holds(#"{"isEmpty":false}"#, body) == (exists && !isEmpty))
        #expect(try await holds(#"{"not":null}"#, body) == (exists && !isNull))
        #expect(try await holds(#"{"ne":"x"}"#, body) == exists)
        #expect(try await holds(#"{"nin":["x"]}"#, body) == exists)
        #expect(try await holds(#"{"not":{"eq":"x"}}"#, body) == exists)
    }

    @Test(
        "O30: lists of nodes behave the same for none, one and many", .timeLimit(.minutes(1)),
        arguments: [("[]", 0), (#"[{"id":4}]"#, 1), (#"[{"id":4},{"id":5}]"#, 2)])
    func nodeLists(body: String, count: Int) async throws {
        let path = "$[*].id"
        #expect(try await holds(#"{"exists":true}"#, body, path: path) == (count > 0))
        #expect(try await holds("{\"length\":\(count)}", body, path: path))
        #expect(try await holds(#"{"length":{"gte":3}}"#, body, path: path) == false)
        #expect(try await holds(#"{"contains":4}"#, body, path: path) == (count > 0))
        #expect(try await holds(#"{"contains":{"gt":4}}"#, body, path: path) == (count > 1))
        #expect(try await holds(#"{"each":{"gte":4}}"#, body, path: path))
        #expect(try await holds(#"{"each":{"lt":5}}"#, body, path: path) == (count < 2))
        #expect(try await holds("4", body, path: path) == (count == 1))
        #expect(try await holds(#"{"gte":4}"#, body, path: path) == (count == 1))
        #expect(try await holds("4", body, path: "$[?@.id == 4].id") == (count > 0))
    }

    @Test(
        "O30: the opposite of an operator on a list is about the list", .timeLimit(.minutes(1)),
        arguments: [
            (#"{"not":{"contains":4}}"#, #"[{"id":4}]"#, false),
            (#"{"not":{"contains":7}}"#, #"[{"id":4},{"id":5}]"#, true),
            (#"{"not":{"contains":7}}"#, "[]", true),
            (#"{"not":{"length":1}}"#, #"[{"id":"abc"}]"#, false),
            (#"{"not":{"not":{"length":1}}}"#, #"[{"id":"abc"}]"#, true),
            (#"{"not":{"exists":true}}"#, "[]", true), (#"{"not":{"eq":1}}"#, "[]", false),
            (#"{"not":{"each":{"gt":4}}}"#, #"[{"id":4},{"id":5}]"#, true),
        ])
    func negatedLists(matcher: String, body: String, isHeld: Bool) async throws {
        #expect(try await holds(matcher, body, path: "$[*].id") == isHeld)
    }

    @Test(
        "What an operator is not about has no opposite that holds", .timeLimit(.minutes(1)),
        arguments: [
            (#"{"not":{"after":"2020-01-01T00:00:00Z"}}"#, #""2026-01-01""#),
            (#"{"not":{"matches":"a"}}"#, "1"), (#"{"not":{"lt":10}}"#, #""5""#),
            (#"{"not":{"each":1}}"#, "5"), (#"{"not":{"contains":{"ne":"zzz"}}}"#, #""text""#),
            (#"{"not":{"length":1}}"#, "1"), (#"{"not":{"startsWith":"a"}}"#, "null"),
        ])
    func notApplicable(matcher: String, actual: String) async throws {
        #expect(try await !holds(matcher, "{\"a\":\(actual)}"))
    }

    @Test func `a date that has no offset is said to have none`() async throws {
        let found = try await findings(
            #"{ "json": { "$.a": { "before": "2027-01-01T00:00:00Z" } } }"#,
            body: #"{"a":"2026-01-01"}"#)
        #expect(found[0].message.hasSuffix("offset (RFC 3339), or the dates of HTTP"))
    }

    @Test(
        "O31: a value in a pattern is one unit, and is not shown", .timeLimit(.minutes(1)),
        arguments: [
            ("^a{{v}}*b$", "xy", "axyxyb", true), ("^a{{v}}*b$", "", "ab", true),
            ("^a{{v}}*b$", "", "aab", false), ("^[{{v}}]+$", "a-z", "-za", true),
            ("^[{{v}}]+$", "a-z", "b", false),
        ])
    func patternValues(pattern: String, value: String, text: String, isHeld: Bool) async throws {
        let found = try await findings(
            #"{ "json": { "$.a": { "matches": "\#(pattern)" } } }"#, body: #"{"a":"\#(text)"}"#,
            keys: #""variables": { "v": "\#(value)" },"#)
        #expect(found.isEmpty == isHeld)
        if !isHeld { #expect(found[0].message.contains("to match \(pattern), got")) }
    }

    @Test func `O30: a comparison with a list of nodes fails and lists them`() async throws {
        let found = try await findings(
            #"{ "json": { "$[*].id": 4 } }"#, body: #"[{"id":4},{"id":5}]"#)
        #expect(
            found.map(\.message) == ["expected $[*].id to be 4 (number), found 2 values: 4, 5"])
    }

    @Test(
        "O31: an expression finds, anchors are its own, and $ is the very end",
        .timeLimit(.minutes(1)),
        arguments: [
            (#"^v\\d+\\.\\d+$"#, #""v1.2""#, true), (#"^v\\d+\\.\\d+$"#, #""v1.2\n""#, false),
            (#"\\d"#, #""a1b""#, true), (#"^\\d+$"#, #""a1b""#, false), ("1", "1", false),
            ("(a+)+$", #""aaaaaaaaaaaaaaaaaaaaaaaaaaaaaab""#, false),
        ])
    func expressions(pattern: String, actual: String, isFound: Bool) async throws {
        #expect(
            try await holds("{\"matches\":\"\(pattern)\"}", "{\"a\":\(actual)}") == isFound)
    }

    @Test(.timeLimit(.minutes(1)))
    func `O31: a search that takes longer than the step's time fails it`() async throws {
        let text = file(
            #"{ "url": "/", "timeout": "50ms", "#
                + #""expect": { "text": { "matches": "(?:a?){1000}b" } } }"#)
        let body = String(repeating: "a", count: 200_000)
        let transport = ScriptedTransport { _ in .respond(body: body) }
        let result = try await load(text).run(transport: transport)
        let error = try #require(result.requests[0].error)
        #expect(error.transportError?.code == .timedOut)
        #expect(error.message == "timed out while the response was checked")
    }

    @Test func `O31: a value in a pattern is matched literally`() async throws {
        let keys = #""variables": { "v": "1.2 (beta)" },"#
        let expect = #"{ "json": { "$.a": { "matches": "^v{{v}}$" } } }"#
        #expect(try await findings(expect, body: #"{"a":"v1.2 (beta)"}"#, keys: keys).isEmpty)
        #expect(try await !findings(expect, body: #"{"a":"v1x2 beta"}"#, keys: keys).isEmpty)
    }

    @Test(
        "Order, text and length", .timeLimit(.minutes(1)),
        arguments: [
            (#"{"gt":1}"#, "2", true), (#"{"gt":2}"#, "2", false), (#"{"gte":2}"#, "2.0", true),
            (#"{"lt":3,"gt":1}"#, "2", true), (#"{"lt":3,"gt":2}"#, "2", false),
            (#"{"lte":1e500}"#, "1e499", true), (#"{"gt":"a"}"#, #""b""#, true),
            (#"{"gt":1}"#, #""2""#, false), (#"{"lt":"b"}"#, "1", false),
            (#"{"lt":"é"}"#, #""z""#, true), (#"{"contains":"bc"}"#, #""abcd""#, true),
            (#"{"contains":"x"}"#, #""abcd""#, false), (#"{"contains":2}"#, "[1,2]", true),
            (#"{"contains":{"subset":{"a":1}}}"#, #"[{"a":1,"b":2}]"#, true),
            (#"{"contains":1}"#, "1", false), (#"{"startsWith":"ab"}"#, #""abc""#, true),
            (#"{"startsWith":"b"}"#, #""abc""#, false), (#"{"endsWith":"bc"}"#, #""abc""#, true),
            (#"{"endsWith":""}"#, #""abc""#, true), (#"{"endsWith":"xabc"}"#, #""abc""#, false),
            (#"{"length":2}"#, #""é😀""#, true), (#"{"length":2}"#, "[1,2]", true),
            (#"{"length":1}"#, #"{"x":1}"#, true), (#"{"length":1}"#, "1", false),
            (#"{"length":{"gte":1,"lt":3}}"#, "[1,2]", true),
            (#"{"each":{"gt":0}}"#, "[1,2]", true),
            (#"{"each":{"gt":1}}"#, "[1,2]", false), (#"{"each":1}"#, "1", false),
            (#"{"not":{"gt":5}}"#, "1", true), (#"{"not":{"gt":5}}"#, "6", false),
            (#"{"not":1}"#, "1", false),
        ])
    func operators(matcher: String, actual: String, isHeld: Bool) async throws {
        #expect(try await holds(matcher, "{\"a\":\(actual)}") == isHeld)
    }

    @Test(
        "Types", .timeLimit(.minutes(1)),
        arguments: [
            ("string", #""""#, true), ("number", "1.5", true), ("integer", "1.5", false),
            ("integer", "1.0", true), ("integer", "1e30", true), ("boolean", "false", true),
            ("null", "null", true), ("array", "[]", true), ("object", "{}", true),
            ("string", "1", false), ("object", "[]", false),
            ("uuid", #""123e4567-e89b-12d3-a456-426614174000""#, true), ("uuid", #""x""#, false),
            ("date", #""2024-02-29""#, true), ("date", #""2023-02-29""#, false),
            ("datetime", #""2026-11-30T07:58:22Z""#, true),
            ("datetime", #""2026-11-30T07:58:22""#, false), ("email", #""a@b.c""#, true),
            ("email", #""a b""#, false), ("uri", #""http://a/b""#, true), ("uri", #""a b""#, false),
            ("ipv4", #""127.0.0.1""#, true), ("ipv4", #""256.0.0.1""#, false),
            ("ipv6", #""::1""#, true), ("ipv6", #"":::""#, false), ("uuid", "1", false),
        ])
    func types(type: String, actual: String, isHeld: Bool) async throws {
        #expect(try await holds("{\"type\":\"\(type)\"}", "{\"a\":\(actual)}") == isHeld)
    }

    @Test(
        "Arrays in any order, and subsets by real matching", .timeLimit(.minutes(1)),
        arguments: [
            (#"{"unordered":[1,2,2]}"#, "[2,1,2.0]", true),
            (#"{"unordered":[1,2,2]}"#, "[2,1,1]", false),
            (#"{"unordered":[1,2]}"#, "[1,2,3]", false), (#"{"unordered":[]}"#, "{}", false),
            (#"{"subset":{"a":{"b":1}}}"#, #"{"a":{"b":1,"c":2},"d":3}"#, true),
            (#"{"subset":{"a":{"b":1}}}"#, #"{"a":{"c":2}}"#, false),
            (#"{"subset":[3,1]}"#, "[1,2,3]", true), (#"{"subset":[1,1]}"#, "[1,2,3]", false),
            // Greedy pairing would give {"a":1} the first element, which the second one needs.
            (#"{"subset":[{"a":1},{"a":1,"b":2}]}"#, #"[{"a":1,"b":2},{"a":1}]"#, true),
            (
                #"{"subset":[{"x":1},{"y":1},{"z":1}]}"#,
                #"[{"x":1,"y":1},{"y":1,"z":1},{"x":1,"z":1}]"#, true
            ),
            (#"{"subset":[{"a":1},{"a":1}]}"#, #"[{"a":1,"b":2},{"b":1}]"#, false),
            (#"{"subset":[]}"#, "[1]", true), (#"{"subset":{}}"#, "[]", false),
            (#"{"subset":1}"#, "1.0", true),
        ])
    func collections(matcher: String, actual: String, isHeld: Bool) async throws {
        #expect(try await holds(matcher, "{\"a\":\(actual)}") == isHeld)
    }

    @Test(.timeLimit(.minutes(1)))
    func `wide objects and long texts are compared in linear time`() async throws {
        // In quadratic time, each of these would take minutes in a debug build.
        let members = (0..<20_000).map { "\"k\($0)\":\($0)" }.joined(separator: ",")
        #expect(try await holds("{\"subset\":{\(members)}}", "{\"a\":{\(members)}}"))
        let text = String(repeating: "a", count: 400_000)
        let part = String(repeating: "a", count: 20_000) + "b"
        #expect(try await !holds("{\"contains\":\"\(part)\"}", "{\"a\":\"\(text)\"}"))
    }

    @Test(
        "Dates are moments", .timeLimit(.minutes(1)),
        arguments: [
            (#"{"before":"2026-11-30T08:00:00Z"}"#, #""2026-11-30T08:59:59+01:00""#, true),
            (#"{"before":"2026-11-30T08:00:00Z"}"#, #""2026-11-30T08:00:00Z""#, false),
            (#"{"after":"2026-11-30T08:00:00Z"}"#, #""Mon, 30 Nov 2026 08:00:01 GMT""#, true),
            (#"{"before":"2026-11-30T08:00:00Z"}"#, #""Mon, 30-Nov-2026 08:00:01 GMT""#, false),
            (#"{"after":"2026-11-30T08:00:00Z"}"#, #""2026-11-30T08:00:00.000000001Z""#, true),
            (#"{"after":"2026-11-30T08:00:00Z"}"#, #""2026-11-30T07:30:00-01:00""#, true),
            (#"{"after":"2026-11-30T08:00:00Z"}"#, #""2026-12-01T08:00:00""#, false),
            (#"{"after":"2026-11-30T08:00:00Z"}"#, #""2026-12-01""#, false),
            (#"{"after":"0001-01-01T00:00:00Z"}"#, #""1970-01-01T00:00:00Z""#, true),
        ])
    func dates(matcher: String, actual: String, isHeld: Bool) async throws {
        #expect(try await holds(matcher, "{\"a\":\(actual)}") == isHeld)
    }

    @Test(
        "What can be known to be wrong with a matcher is told when the file is loaded",
        arguments: [
            (#"{"matches":"(a"}"#, ".matches: "),
            (#"{"before":"2026-11-30"}"#, ".before: expected a date-time"),
            (#"{"type":"strng"}"#, #".type: expected one of "string", "#),
            (#"{}"#, ": a matcher needs"),
            (#"{"gte":[1]}"#, ".gte: expected a string or a number, found an array"),
            (#"{"exists":1}"#, ".exists: expected true or false, found the number 1"),
            (
                #"{"lenght":1}"#,
                #".lenght: unknown key "lenght" in a matcher; did you mean "length"?"#
            ),
            (#"{"not":{"not":{"gtt":1}}}"#, #".not.not.gtt: unknown key "gtt""#),
        ])
    func badMatchers(matcher: String, message: String) {
        let found = problems(
            file(#"{ "url": "/a", "expect": { "json": { "$": \#(matcher) } } }"#))
        #expect(found.count == 1)
        #expect(found.first?.contains("requests[0].expect.json.$" + message) ?? false, "\(found)")
    }

    @Test func `a file of endlessly nested matchers is refused`() {
        let deep =
            String(repeating: #"{"not":"#, count: 500) + "1" + String(repeating: "}", count: 500)
        let found = problems(file(#"{ "url": "/a", "expect": { "json": { "$": \#(deep) } } }"#))
        #expect(found.count == 1)
        #expect(found[0].hasSuffix("nested too deeply"))
    }

    @Test func `whole values differ by the paths of what is missing, extra and changed`()
        async throws
    {
        let found = try await findings(
            #"{ "json": { "$.u": { "eq": { "a": 1, "b": [1, 2], "c": null, "d e": {} } } } }"#,
            body: #"{"u":{"a":"1","b":[1,3,4],"x":true,"d e":{"f":1}}}"#)
        #expect(
            found[0].difference == [
                "$.u.c: missing, expected null", "$.u.x: not expected, got true (boolean)",
                "$.u.a: expected 1 (number), got \"1\" (string)",
                "$.u.b[2]: not expected, got 4 (number)",
                "$.u.b[1]: expected 2 (number), got 3 (number)",
                "$.u[\"d e\"].f: not expected, got 1 (number)",
            ])
    }

    @Test func `a large difference is cut`() async throws {
        let elements = (0..<100).map(String.init).joined(separator: ",")
        let found = try await findings(
            #"{ "json": { "$": [\#(elements)] } }"#, body: "[]")
        #expect(found[0].difference.count == 21)
        #expect(found[0].difference.last == "and 80 more differences")
        #expect(found[0].message.count < 320)
    }
}
