import PipelineJSON
import Testing

@Suite("JSON Schema findings")
struct JSONSchemaMessageTests {
    /// A schema, a value, and the description of each finding.
    private static let table: [(schema: String, value: String, findings: [String])] = [
        (
            #"{"type": "string"}"#, "5",
            ["the value: expected a string, found 5 (number) (#/type)"]
        ),
        (
            #"{"type": ["object", "integer", "null"]}"#, "1.5",
            ["the value: expected null, an object or an integer, found 1.5 (number) (#/type)"]
        ),
        (
            #"{"const": {"a": 1}}"#, #"{"a": 2}"#,
            [#"the value: expected {"a":1}, found {"a":2} (object) (#/const)"#]
        ),
        (
            #"{"enum": ["a", "b", null]}"#, #""c""#,
            [#"the value: expected one of ["a","b",null], found "c" (string) (#/enum)"#]
        ),
        (
            #"{"multipleOf": 0.01}"#, "0.075",
            ["the value: expected a multiple of 0.01, found 0.075 (number) (#/multipleOf)"]
        ),
        (
            #"{"minimum": 3, "exclusiveMinimum": 2.50}"#, "2.5",
            [
                "the value: expected at least 3, found 2.5 (number) (#/minimum)",
                "the value: expected more than 2.50, found 2.5 (number) (#/exclusiveMinimum)",
            ]
        ),
        (
            #"{"maximum": 1, "exclusiveMaximum": 2}"#, "2",
            [
                "the value: expected at most 1, found 2 (number) (#/maximum)",
                "the value: expected less than 2, found 2 (number) (#/exclusiveMaximum)",
            ]
        ),
        (
            #"{"minLength": 3}"#, #""é""#,
            [#"the value: expected at least 3 characters, found 1: "é" (string) (#/minLength)"#]
        ),
        (
            #"{"maxLength": 1}"#, #""\ud83d\ude00!""#,
            [
                #"the value: expected at most 1 character, found 2: "\ud83d\ude00!" (string) (#/maxLength)"#
            ]
        ),
        (
            #"{"maxItems": 1, "uniqueItems": true}"#, "[1, 2, 1.0]",
            [
                "the value: expected at most 1 item, found 3: [1,2,1.0] (array) (#/maxItems)",
                "the value: expected no item to come twice, found 1 (number) at 0 and 2 (#/uniqueItems)",
            ]
        ),
        (
            #"{"minProperties": 2}"#, #"{"a": 1, "a": 2}"#,
            [
                #"the value: expected at least 2 properties, found 1: {"a":1,"a":2} (object) (#/minProperties)"#
            ]
        ),
        (
            #"{"pattern": "^a+$"}"#, #""b""#,
            [#"the value: expected a match of "^a+$", found "b" (string) (#/pattern)"#]
        ),
        (
            #"{"required": ["a", "b", "c"]}"#, #"{"b": 1}"#,
            [
                #"the value: expected the property "a", found {"b":1} (object) (#/required)"#,
                #"the value: expected the property "c", found {"b":1} (object) (#/required)"#,
            ]
        ),
        (
            #"{"dependentRequired": {"x": ["y"], "a": ["b", "c"]}}"#, #"{"a": 1, "b": 2}"#,
            [
                #"the value: expected the property "c" beside "a", found {"a":1,"b":2} (object) (#/dependentRequired)"#
            ]
        ),
        (
            #"{"format": "ipv4"}"#, #""1.2.3""#,
            [#"the value: expected an IPv4 address, found "1.2.3" (string) (#/format)"#]
        ),
        ("false", "1", ["the value: expected nothing here, found 1 (number) (#)"]),
        (
            #"{"properties": {"a/b": {"items": {"type": "null"}}}}"#, #"{"a/b": [null, 0]}"#,
            [
                "/a~1b/1: expected null, found 0 (number) (#/properties/a~1b/items/type)"
            ]
        ),
        (
            #"{"properties": {"a": true}, "additionalProperties": false}"#,
            #"{"a": 1, "b": [2], "c~": 3}"#,
            [
                "/b: expected nothing here, found [2] (array) (#/additionalProperties)",
                "/c~0: expected nothing here, found 3 (number) (#/additionalProperties)",
            ]
        ),
        (
            #"{"allOf": [{"properties": {"a": true}}], "unevaluatedProperties": false}"#,
            #"{"a": 1, "b": 2}"#,
            ["/b: expected nothing here, found 2 (number) (#/unevaluatedProperties)"]
        ),
        (
            #"{"allOf": [{"properties": {"a": {"type": "null"}}}], "unevaluatedProperties": false}"#,
            #"{"a": 1, "b": 2}"#,
            ["/a: expected null, found 1 (number) (#/allOf/0/properties/a/type)"]
        ),
        (
            #"{"propertyNames": {"maxLength": 1}}"#, #"{"ab": 1}"#,
            [
                #"the value: expected at most 1 character, found 2: "ab" (string) (#/propertyNames/maxLength)"#
            ]
        ),
        (
            ##"{"anyOf": [{"type": "null"}, {"$ref": "#/$defs/%C3%A9"}], "$defs": {"é": {"minimum": 6}}}"##,
            "5",
            [
                "the value: expected a match of one or more of 2 schemas, found none for 5 (number) (#/anyOf)",
                "the value: expected null, found 5 (number) (#/anyOf/0/type)",
                "the value: expected at least 6, found 5 (number) (#/$defs/%C3%A9/minimum)",
            ]
        ),
        (
            #"{"oneOf": [{"minimum": 1}, {"minimum": 2}, {"minimum": 9}]}"#, "5",
            [
                "the value: expected a match of exactly one of 3 schemas, found more than one for 5 (number) (#/oneOf)"
            ]
        ),
        (
            #"{"not": {"type": "number"}}"#, "5",
            [
                "the value: expected anything but a match of this schema, found 5 (number) (#/not)"
            ]
        ),
        (
            #"{"contains": {"const": 1}, "minContains": 2}"#, "[1, 2]",
            ["the value: expected at least 2 items to match, found 1 in [1,2] (array) (#/contains)"]
        ),
        (
            #"{"if": {"type": "number"}, "then": {"minimum": 1}, "else": false}"#, "0",
            ["the value: expected at least 1, found 0 (number) (#/then/minimum)"]
        ),
        (
            #"{"if": {"type": "number"}, "then": {"minimum": 1}, "else": false}"#, "null",
            ["the value: expected nothing here, found null (#/else)"]
        ),
        (
            #"{"$id": "https://a.example/s", "$defs": {"b": {"$id": "t#", "type": "null"}}, "$ref": "t"}"#,
            "0",
            ["the value: expected null, found 0 (number) (https://a.example/t#/type)"]
        ),
    ]

    @Test("name both places and both values", arguments: table)
    func findings(schema: String, value: String, findings: [String]) throws {
        let schema = try JSONSchema(JSONValue(parsing: schema))
        let found = try schema.validate(JSONValue(parsing: value))
        #expect(found.map(\.description) == findings)
    }

    @Test("name the keyword, and the one that applied false")
    func keywords() throws {
        let schema = try JSONSchema(
            JSONValue(
                parsing: #"""
                    {
                        "properties": {"a": false, "b": {"minimum": 1}}, "patternProperties": {"^x": false},
                        "additionalProperties": false
                    }
                    """#))
        let findings = schema.validate(["a": 1, "b": 0, "x1": 0, "z": 0])
        #expect(
            findings.map(\.keyword) == [
                "properties", "minimum", "patternProperties", "additionalProperties",
            ])
        #expect(findings.map(\.instanceLocation) == ["/a", "/b", "/x1", "/z"])
        #expect(try JSONSchema(false).validate(1).map(\.keyword) == ["false"])
    }

    @Test("cut long values between characters")
    func long() throws {
        let schema = try JSONSchema(["type": "null"])
        let findings = schema.validate(JSONValue(String(repeating: "é", count: 1_000)))
        let message = try #require(findings.first).message
        #expect(message.hasPrefix("expected null, found \"éé"))
        #expect(message.hasSuffix("é… (string)"))
        #expect(message.utf8.count < 130)
    }

    @Test("stop at the limit, and say so by their number alone")
    func limit() throws {
        let schema = try JSONSchema(["items": ["anyOf": [["type": "null"], false]]])
        let value = JSONValue(array: (0..<1_000).map { JSONValue($0) })
        #expect(schema.validate(value).count == 100)
        #expect(schema.validate(value, limit: 7).count == 7)
        #expect(schema.validate(value, limit: 0).count == 1)
        #expect(schema.validate(value, limit: .max).count == 3_000)
    }

    @Test("hold for a part of a larger value as for a value of its own")
    func part() throws {
        let whole = try JSONValue(parsing: #"{"x": 1, "y": {"a": [1, {"b": 2}]}}"#)
        let schema = try JSONSchema(
            JSONValue(parsing: #"{"properties": {"a": {"items": {"type": "integer"}}}}"#))
        let part = try #require(whole["y"])
        #expect(schema.validate(part).map(\.instanceLocation) == ["/a/1"])
        #expect(schema.validate(part) == schema.validate(part.detached()))
    }
}
