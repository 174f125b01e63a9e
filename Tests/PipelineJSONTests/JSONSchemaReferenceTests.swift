import PipelineJSON
import Synchronization
import Testing

@Suite("JSON Schema references", .timeLimit(.minutes(1)))
struct JSONSchemaReferenceTests {
    @Test("ask for each document once, by its absolute URI without fragment")
    func once() throws {
        let asked = Mutex<[String]>([])
        let documents: [String: JSONValue] = [
            "file:///s/b.json": [
                "$defs": ["n": ["type": "integer"]], "items": ["$ref": "sub/c.json"],
            ],
            "file:///s/sub/c.json": ["$ref": "../b.json#/$defs/n"],
        ]
        let schema = try JSONSchema(
            [
                "properties": [
                    "a": ["$ref": "./b.json"], "b": ["$ref": "b.json#/$defs/n"],
                    "m": ["$ref": "https://json-schema.org/draft/2020-12/schema"],
                ]
            ], at: "file:///s/a.json"
        ) { uri in
            asked.withLock { $0.append(uri) }
            return documents[uri]
        }
        #expect(asked.withLock { $0 } == ["file:///s/b.json", "file:///s/sub/c.json"])
        #expect(schema.validate(["a": [1, 2], "b": 3, "m": ["type": "string"]]).isEmpty)
        let findings = schema.validate(["a": [1, "x"], "b": 3.5, "m": ["type": "text"]])
        #expect(findings.map(\.instanceLocation).prefix(2) == ["/a/1", "/b"])
        #expect(findings.first?.schemaLocation == "file:///s/b.json#/$defs/n/type")
        #expect(
            findings.last?.schemaLocation
                == "https://json-schema.org/draft/2020-12/meta/validation#/$defs/simpleTypes/enum"
                || findings.last?.schemaLocation
                    == "https://json-schema.org/draft/2020-12/meta/validation#/properties/type/anyOf/1/type"
        )
    }

    @Test("of a document that cannot be had name the reason and the reference")
    func failing() throws {
        struct Refused: Error, CustomStringConvertible {
            let description = "outside the file root"
        }
        let error = #expect(throws: JSONSchemaError.self) {
            try JSONSchema(["items": ["$ref": "../x.json"]], at: "file:///s/a.json") { _ in
                throw Refused()
            }
        }
        #expect(
            error?.description
                == "file:///s/a.json#/items/$ref: the schema file:///x.json cannot be had: outside the file root"
        )
    }

    @Test("reach one value that is given under two URIs")
    func aliases() throws {
        let shared: JSONValue = ["$defs": ["a": ["$anchor": "x", "type": "null"]]]
        let schema = try JSONSchema([
            "allOf": [["$ref": "http://x/a#x"], ["$ref": "http://x/b#x"]]
        ]) { _ in shared }
        #expect(schema.validate(.null).isEmpty)
        #expect(schema.validate(1).count == 2)
    }

    @Test("that read differently once they are resolved are still asked for once")
    func unstable() throws {
        for reference in ["./a:../b", "/.//x/..", "a/..//b", "..", "%2e%2e/a", ".//", "http:", "?"]
        {
            var asked: [String] = []
            let schema = try JSONSchema(["items": ["$ref": JSONValue(reference)]]) { uri in
                asked.append(uri)
                return ["type": "null"]
            }
            #expect(asked.count <= 1, "\(reference): \(asked)")
            #expect(schema.validate([.null]).isEmpty)
        }
    }

    @Test("reach a document by its own $id and by where it came from")
    func identifiers() throws {
        let schema = try JSONSchema([
            "allOf": [["$ref": "http://x/here"], ["$ref": "http://x/own#/$defs/a"]]
        ]) { uri in
            uri == "http://x/here" ? ["$id": "own", "$defs": ["a": ["minimum": 1]]] : nil
        }
        #expect(schema.validate(0).map(\.schemaLocation) == ["http://x/own#/$defs/a/minimum"])
    }

    /// The examples of RFC 3986 sections 5.4.1 and 5.4.2, as far as they have no fragment.
    private static let examples = [
        ("g:h", "g:h"), ("g", "http://a/b/c/g"), ("./g", "http://a/b/c/g"),
        ("g/", "http://a/b/c/g/"), ("/g", "http://a/g"), ("//g", "http://g"),
        ("?y", "http://a/b/c/d;p?y"), ("g?y", "http://a/b/c/g?y"), (";x", "http://a/b/c/;x"),
        ("g;x", "http://a/b/c/g;x"), ("", "http://a/b/c/d;p?q"), (".", "http://a/b/c/"),
        ("./", "http://a/b/c/"), ("..", "http://a/b/"), ("../", "http://a/b/"),
        ("../g", "http://a/b/g"), ("../..", "http://a/"), ("../../g", "http://a/g"),
        ("../../../g", "http://a/g"), ("/./g", "http://a/g"), ("/../g", "http://a/g"),
        ("g.", "http://a/b/c/g."), ("..g", "http://a/b/c/..g"), ("./../g", "http://a/b/g"),
        ("./g/.", "http://a/b/c/g/"), ("g/./h", "http://a/b/c/g/h"), ("g/../h", "http://a/b/c/h"),
        ("g;x=1/../y", "http://a/b/c/y"), ("g?y/../x", "http://a/b/c/g?y/../x"),
        ("http:g", "http:g"),
    ]

    @Test("are resolved as in RFC 3986", arguments: examples)
    func resolution(reference: String, target: String) throws {
        let base = "http://a/b/c/d;p?q"
        var asked: String?
        // A reference to the base itself asks for nothing.
        _ = try JSONSchema(["items": ["$ref": JSONValue(reference)]], at: base) { uri in
            asked = uri
            return true
        }
        #expect(asked ?? base == target)
    }
}
