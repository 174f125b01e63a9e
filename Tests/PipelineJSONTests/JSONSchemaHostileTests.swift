import PipelineJSON
import Testing

@Suite("JSON Schema with hostile input", .timeLimit(.minutes(1)))
struct JSONSchemaHostileTests {
    private static func nested(
        _ depth: Int, _ opening: String, _ core: String, _ closing: String
    )
        -> String
    {
        String(repeating: opening, count: depth) + core + String(repeating: closing, count: depth)
    }

    @Test("deep values take no stack")
    func deepValues() async throws {
        try await onSmallStack {
            let schema = try JSONSchema(
                JSONValue(
                    parsing: #"""
                        {
                            "$id": "http://x/tree", "$dynamicAnchor": "t", "type": ["array", "object", "null"],
                            "items": {"allOf": [{"$ref": "#"}, {"$dynamicRef": "#t"}]},
                            "additionalProperties": {"oneOf": [false, {"not": {"not": {"$ref": "#"}}}]},
                            "unevaluatedItems": false, "uniqueItems": true
                        }
                        """#))
            let arrays = try JSONValue(parsing: Self.nested(1_000, "[", "null", "]"))
            #expect(schema.validate(arrays).isEmpty)
            let objects = try JSONValue(parsing: Self.nested(1_000, #"{"a":"#, "null", "}"))
            #expect(schema.validate(objects).isEmpty)
            let wrong = try JSONValue(parsing: Self.nested(1_000, #"{"a":"#, "1", "}"))
            #expect(schema.validate(wrong).count > 0)
        }
    }

    @Test("a value of 1,000 levels is followed to its end")
    func deepPlace() async throws {
        try await onSmallStack {
            let schema = try JSONSchema(
                JSONValue(parsing: ##"{"type": ["array", "null"], "items": {"$ref": "#"}}"##))
            let value = try JSONValue(parsing: Self.nested(1_000, "[null,", "7", "]"))
            let findings = schema.validate(value)
            #expect(findings.count == 1)
            #expect(
                findings.first?.instanceLocation == String(repeating: "/1", count: 1_000))
            #expect(findings.first?.schemaLocation == "#/type")
        }
    }

    @Test(
        "deep schemas take no stack",
        arguments: [
            (#"{"not":"#, "}"), (#"{"items":"#, "}"), (#"{"properties":{"a":"#, "}}"),
            (#"{"allOf":["#, "]}"), (#"{"if":"#, "}"),
        ])
    func deepSchemas(opening: String, closing: String) async throws {
        try await onSmallStack {
            let levels = opening.count { "{[".contains($0) }
            let depth = 998 / levels
            let schema = try JSONSchema(
                JSONValue(parsing: Self.nested(depth, opening, #"{"type":"null"}"#, closing)))
            let value = try JSONValue(parsing: Self.nested(1_000, "[", "null", "]"))
            _ = schema.validate(value)
            #expect(throws: JSONSchemaError.self) {
                try JSONSchema(
                    JSONValue(parsing: Self.nested(depth, opening, #"{"type":1}"#, closing)))
            }
        }
    }

    /// Schemas that apply themselves twice to each child.
    private static let doubling = [
        ##"{"type":["array","null"],"items":{"allOf":[{"$ref":"#"},{"$ref":"#"}]}}"##,
        ##"{"type":["array","null"],"items":{"$ref":"#"},"anyOf":[{"items":{"$ref":"#"}}]}"##,
        ##"{"type":["array","null"],"items":{"$ref":"#"},"not":{"not":{"items":{"$ref":"#"}}}}"##,
        ##"""
        {"$dynamicAnchor":"t","type":["array","null"],"items":{"$dynamicRef":"#t"},
        "allOf":[{"items":{"$dynamicRef":"#t"}}],"unevaluatedItems":false}
        """##,
        ##"""
        {"$id":"http://x/a","$ref":"b","$dynamicAnchor":"t","unevaluatedItems":false,"$defs":{"b":{"$id":"b",
        "$dynamicAnchor":"t","type":["array","null"],"anyOf":[{"items":{"$ref":"#"}},{"$ref":"#/$defs/c"}],
        "$defs":{"c":{"items":{"$dynamicRef":"#t"}}}}}}
        """##,
    ]

    @Test("schemas that look at each part in several ways look at it once", arguments: doubling)
    func doublingSchemas(text: String) throws {
        let schema = try JSONSchema(JSONValue(parsing: text))
        let valid = try JSONValue(parsing: Self.nested(1_000, "[", "null", "]"))
        #expect(schema.validate(valid).isEmpty)
        let invalid = try JSONValue(parsing: Self.nested(1_000, "[", "0", "]"))
        #expect(!schema.validate(invalid).isEmpty)
    }

    @Test("a long chain of references is followed, and refused when it is closed")
    func chain() async throws {
        try await onSmallStack {
            let open = try Self.chain(#"{"type":"null"}"#)
            #expect(open.validate(1).count == 1)
            #expect(throws: JSONSchemaError.self) { try Self.chain(##"{"$ref":"#/$defs/7"}"##) }
        }
    }

    /// A schema of 2,000 references, each to the next one.
    private static func chain(_ last: String) throws -> JSONSchema {
        var links = (0..<2_000).map { ##""\##($0)":{"$ref":"#/$defs/\##($0 + 1)"}"## }
        links.append("\"2000\":\(last)")
        let text = ##"{"$ref":"#/$defs/0","$defs":{\##(links.joined(separator: ","))}}"##
        return try JSONSchema(JSONValue(parsing: text))
    }

    @Test("recursion that descends is no endless one")
    func recursion() throws {
        let schema = try JSONSchema(
            JSONValue(
                parsing: ##"""
                    {
                        "type": "object", "properties": {"next": {"$ref": "#"}},
                        "allOf": [{"$ref": "#/$defs/a"}, {"$ref": "#/$defs/a"}],
                        "$defs": {"a": {"additionalProperties": {"$ref": "#"}}}
                    }
                    """##))
        #expect(schema.validate(["next": ["next": [:]]]).isEmpty)
        #expect(!schema.validate(["next": ["next": 1]]).isEmpty)
    }

    @Test("O22: uniqueItems of a large array takes about linear time")
    func unique() throws {
        let schema = try JSONSchema(["uniqueItems": true])
        var items = (0..<20_000).map { #"{"a":[\#($0),"x"],"b":1e\#($0)}"# }
        #expect(
            try schema.validate(JSONValue(parsing: "[\(items.joined(separator: ","))]")).isEmpty)
        items.append(#"{"b":10E19998,"a":[19999.0,"\u0078"]}"#)
        items.append(#"{"b":10E19998,"\u0061":[19999.0,"\u0078"]}"#)
        let findings = schema.validate(try JSONValue(parsing: "[\(items.joined(separator: ","))]"))
        #expect(findings.count == 1)
        #expect(findings.first?.message.hasSuffix("at 19999 and 20000") == true)
    }

    @Test("a large object against a large schema takes about linear time")
    func largeObject() throws {
        let names = (0..<5_000).map { "\"\($0)\"" }
        let schema = try JSONSchema(
            JSONValue(
                parsing: #"{"required":["# + names.joined(separator: ",") + #"],"properties":{"#
                    + names.map { "\($0):{}" }.joined(separator: ",")
                    + #"},"additionalProperties":false,"unevaluatedProperties":false}"#))
        let members = names.map { "\($0):1" }.joined(separator: ",")
        #expect(try schema.validate(JSONValue(parsing: "{\(members)}")).isEmpty)
        #expect(try schema.validate(JSONValue(parsing: "{\(members),\"x\":1}")).count == 1)
        #expect(try schema.validate(JSONValue(parsing: "{}")).count == 100)
    }

    @Test("a pattern that would backtrack for ever is matched in linear time")
    func pattern() throws {
        let schema = try JSONSchema(["pattern": "^(a+)+$"])
        #expect(schema.validate(JSONValue(String(repeating: "a", count: 10_000) + "!")).count == 1)
    }

    @Test("a doubled name counts once, with its last value")
    func doubledNames() throws {
        let schema = try JSONSchema(
            JSONValue(
                parsing: #"""
                    {"maxProperties": 1, "properties": {"a": {"type": "null"}}, "additionalProperties": false}
                    """#))
        #expect(try schema.validate(JSONValue(parsing: #"{"a": 1, "\u0061": null}"#)).isEmpty)
        #expect(try schema.validate(JSONValue(parsing: #"{"a": null, "a": 1}"#)).count == 1)
    }

    @Test("names are told apart byte by byte, and found behind escapes")
    func names() throws {
        let schema = try JSONSchema(
            JSONValue(
                parsing:
                    #"{"properties": {"\u00e9": {"type": "null"}, "e\u0301": {"type": "string"}}}"#)
        )
        let value = try JSONValue(parsing: #"{"é": null, "e\u0301": "x"}"#)
        #expect(schema.validate(value).isEmpty)
    }
}
