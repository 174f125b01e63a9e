import PipelineJSON
import Testing

@Suite("JSON Schema mistakes")
struct JSONSchemaErrorTests {
    /// A schema, the place of the mistake, and the message.
    private static let table: [(schema: String, place: String, message: String)] = [
        ("5", "#", "expected a schema (object or boolean), found 5 (number)"),
        (
            #"{"items": [{}]}"#, "#/items",
            "expected a schema (object or boolean), found [{}] (array)"
        ),
        (#"{"not": "x"}"#, "#/not", #"expected a schema (object or boolean), found "x" (string)"#),
        (#"{"allOf": []}"#, "#/allOf", "expected a list of one schema or more, found [] (array)"),
        (
            #"{"properties": []}"#, "#/properties",
            "expected an object of schemas, found [] (array)"
        ),
        (
            #"{"type": "text"}"#, "#/type",
            "expected one of the types null, boolean, string, array, object, integer, number, found \"text\" (string)"
        ),
        (
            #"{"type": ["null", 1]}"#, "#/type/1",
            "expected one of the types null, boolean, string, array, object, integer, number, found 1 (number)"
        ),
        (#"{"enum": 1}"#, "#/enum", "expected an array of values, found 1 (number)"),
        (#"{"minimum": "1"}"#, "#/minimum", #"expected a number, found "1" (string)"#),
        (#"{"multipleOf": 0}"#, "#/multipleOf", "expected a number above 0, found 0 (number)"),
        (
            #"{"maxLength": -1}"#, "#/maxLength",
            "expected a non-negative integer, found -1 (number)"
        ),
        (
            #"{"minItems": 1.5}"#, "#/minItems",
            "expected a non-negative integer, found 1.5 (number)"
        ),
        (#"{"required": [1]}"#, "#/required/0", "expected a string, found 1 (number)"),
        (
            #"{"dependentRequired": {"a": "b"}}"#, "#/dependentRequired/a",
            #"expected an array of names, found "b" (string)"#
        ),
        (#"{"uniqueItems": 1}"#, "#/uniqueItems", "expected true or false, found 1 (number)"),
        (#"{"format": 1}"#, "#/format", "expected a string, found 1 (number)"),
        (#"{"$ref": 1}"#, "#/$ref", "expected a URI reference, found 1 (number)"),
        (##"{"$ref": "#/$defs/a"}"##, "#/$ref", "there is nothing at this JSON Pointer"),
        (##"{"$ref": "#a"}"##, "#/$ref", "there is no anchor a in this resource"),
        (#"{"$ref": "a.json"}"#, "#/$ref", "there is no schema a.json"),
        (
            ##"{"$ref": "#/enum/0", "enum": [3]}"##, "#/enum/0",
            "expected a schema (object or boolean), found 3 (number)"
        ),
        (
            #"{"$schema": "http://json-schema.org/draft-07/schema#"}"#, "#/$schema",
            "the metaschema http://json-schema.org/draft-07/schema is not known; that of this draft is https://json-schema.org/draft/2020-12/schema"
        ),
        (
            #"{"$anchor": "1a"}"#, "#/$anchor",
            #"expected a name of letters, digits, '-', '_' and '.', found "1a" (string)"#
        ),
        (
            #"{"$defs": {"a": {"$anchor": "x"}, "b": {"$dynamicAnchor": "x"}}}"#,
            "#/$defs/b/$dynamicAnchor", "there is another x in this resource"
        ),
        (
            #"{"$defs": {"a": {"$id": "http://x/y"}, "b": {"$id": "http://x/y"}}}"#,
            "#/$defs/b/$id", "there is another schema with the URI http://x/y"
        ),
        (
            #"{"$id": "http://x/y#z"}"#, "#/$id",
            "an $id has no fragment; $anchor gives a name"
        ),
        (
            #"{"$id": "http://x/y", "$defs": {"a": {"minimum": null}}}"#,
            "http://x/y#/$defs/a/minimum", "expected a number, found null"
        ),
        (##"{"$ref": "#"}"##, "#", "this leads back to # without descending into the value"),
        (
            ##"{"properties": {"a": {"anyOf": [{"$ref": "#/properties/a"}]}}}"##,
            "#/properties/a/anyOf/0",
            "this leads back to #/properties/a without descending into the value"
        ),
        (
            ##"{"$dynamicAnchor": "x", "not": {"$dynamicRef": "#x"}}"##, "#/not",
            "this leads back to # without descending into the value"
        ),
    ]

    @Test("name their place and what was expected", arguments: table)
    func mistakes(schema: String, place: String, message: String) throws {
        let schema = try JSONValue(parsing: schema)
        let error = #expect(throws: JSONSchemaError.self) { try JSONSchema(schema) }
        #expect(error?.description == "\(place): \(message)")
    }

    @Test(
        "in a pattern give the place in the pattern too",
        arguments: ["pattern", "patternProperties"])
    func pattern(keyword: String) throws {
        let schema: JSONValue =
            keyword == "pattern" ? ["pattern": "a("] : ["patternProperties": ["a(": true]]
        let error = try #require(
            #expect(throws: JSONSchemaError.self) { try JSONSchema(["items": schema]) })
        #expect(error.schemaLocation.hasPrefix("#/items/\(keyword)"))
        #expect(error.message.hasPrefix("the pattern a( is not one: "))
        #expect(error.message.contains("byte"))
    }

    @Test("know the part of the text that they are about")
    func source() throws {
        let text = #"{"a": 1, "schema": {"items": {"minimum": "x"}}}"#
        let schema = try #require(try JSONValue(parsing: text)["schema"])
        let error = #expect(throws: JSONSchemaError.self) { try JSONSchema(schema) }
        #expect(error?.source.sourceText == #""x""#)
        #expect(error?.source.sourceRange == 41..<44)
        #expect(error?.schemaLocation == "#/items/minimum")
    }

    @Test("a vocabulary that is required and not known is refused, another one ignored")
    func vocabulary() throws {
        let core = "https://json-schema.org/draft/2020-12/vocab/core"
        func compile(_ isRequired: Bool) throws {
            let vocabularies = JSONValue(object: [
                (core, true), ("http://x/v", JSONValue(isRequired)),
            ])
            _ = try JSONSchema(["$schema": "http://x/m"]) { uri in
                uri == "http://x/m" ? ["$vocabulary": vocabularies] : nil
            }
        }
        try compile(false)
        let error = #expect(throws: JSONSchemaError.self) { try compile(true) }
        #expect(error?.message == "the vocabulary http://x/v of the metaschema is not known")
    }

    @Test("keywords of other drafts and unknown ones are ignored, whatever they hold")
    func unknown() throws {
        let schema = try JSONSchema(["minimun": "x", "dependencies": 1, "$comment": ["$ref": 5]])
        #expect(schema.validate(1).isEmpty)
    }
}
