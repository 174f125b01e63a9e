import PipelineJSON
import Testing

@Suite("Equality")
struct JSONEqualityTests {
    @Test(
        "values that differ only in how they are written are equal",
        arguments: [
            ("{\"a\": 1, \"b\": [2]}", "{ \"b\":[2.0],\"a\":10e-1 }"),
            (#"{"a": "é\/"}"#, #"{"\u0061": "\u00e9/"}"#),
            (#"{"a": 1, "a": 2}"#, #"{"a": 2}"#),
            (#"{"a": 2}"#, #"{"a": 1, "a": 2}"#),
            (#"{"a": 1, "a": 3, "b": 0}"#, #"{"b": 0, "a": [], "a": 3}"#),
            (#"[{"x": [[{}]]}]"#, #"[{"x":[[{ }]]}]"#),
        ])
    func equal(left: String, right: String) throws {
        #expect(try JSONValue(parsing: left) == JSONValue(parsing: right))
    }

    @Test(
        "values that differ in content, kind, order or number of elements are not",
        arguments: [
            ("1", "\"1\""), ("1", "true"), ("0", "null"), ("[]", "{}"), ("[1, 2]", "[2, 1]"),
            ("[1]", "[1, 1]"), ("69187.62", "69187.62000000001"), ("true", "false"),
            ("\"\u{E9}\"", "\"e\u{301}\""), (#"{"a": 1}"#, #"{"b": 1}"#), (#"{"a": 1}"#, #"{}"#),
            (#"{"a": 1, "b": 2}"#, #"{"a": 1, "c": 2}"#), (#"{"a": 1, "a": 2}"#, #"{"a": 1}"#),
            (#"{"a": 1, "a": 2}"#, #"{"a": 2, "b": 2}"#), (#"{"a": null}"#, "{}"),
            (#"{"a": [{"b": 1}]}"#, #"{"a": [{"b": 2}]}"#),
        ])
    func different(left: String, right: String) throws {
        let (left, right) = try (JSONValue(parsing: left), JSONValue(parsing: right))
        #expect(left != right)
        #expect(right != left)
    }

    @Test(
        "large objects are equal whatever the order of their members",
        arguments: [15, 16, 17, 2_000])
    func largeObjects(count: Int) throws {
        let members = (0..<count).map { (name: "name\($0)", value: JSONValue($0)) }
        let object = JSONValue(object: members)
        #expect(object == JSONValue(object: members.reversed()))
        #expect(object == JSONValue(object: [("name1", "first")] + members))
        #expect(object != JSONValue(object: members.dropLast()))
        #expect(object != JSONValue(object: members.dropLast() + [("other", 1)]))
        #expect(object != JSONValue(object: members + [("name1", "last")]))
    }

    @Test("doubled names are found wherever they stand, with both places", arguments: [2, 40])
    func doubledNames(size: Int) throws {
        let filler = (0..<size).map { "\"f\($0)\": {}, " }.joined()
        let text =
            "[{\(filler)\"a\": 1, \"b\": {\"c\": 0, \"\\u0063\": 0}, \"a\": 2, \"a\": 3}, {\"a\": 1}]"
        let value = try JSONValue(parsing: text)
        let doubled = value.doubledNames()
        #expect(doubled.map(\.second.name) == ["c", "a", "a"])
        #expect(doubled.map(\.first.value.sourceText) == ["0", "1", "1"])
        #expect(doubled.map(\.second.value.sourceText) == ["0", "2", "3"])
        let bytes = Array(text.utf8)
        for name in doubled {
            #expect(bytes[name.first.nameRange].first == UInt8(ascii: "\""))
            #expect(name.first.nameRange.lowerBound < name.second.nameRange.lowerBound)
        }
        #expect(value.doubledNames(limit: 1).count == 1)
        #expect(value[1]?.doubledNames().isEmpty == true)
    }
}
