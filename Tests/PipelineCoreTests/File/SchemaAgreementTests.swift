import PipelineJSON
import TestSupport
import Testing

@testable import PipelineCore

/// The schema states all that the shape of a file decides.
///
/// Only the loader can know whether
/// - a variable exists, is there in time and is declared once, or variables need each other in a
///   circle;
/// - the names of requests are unique, and a key is written once;
/// - a JSONPath, a regular expression, an address, a date-time, Base64 or a schema is well-formed;
/// - a header's value has a line break, or a string holds half a surrogate pair;
/// - a file that is named can be read.
///
/// The validator alone refuses durations of more than a year, numbers of more than 15 digits in
/// them, sizes that no integer holds, and matchers that are nested too deeply.
@Suite("The JSON Schema of the format and the validator")
struct SchemaAgreementTests {
    /// Uses most keys, so that there is much to break.
    private static let original = """
        { "$schema": "x", "version": 1, "name": "n", "description": "d", "baseURL": "http://a",
          "variables": { "v": [1, null] }, "secrets": ["s"], "deadline": "1m30s",
          "defaults": { "headers": { "A": ["1", "2"], "B": null }, "auth": "none", "timeout": null },
          "requests": [
            { "name": "a", "method": "PUT", "url": "/a", "query": { "q": [1, true, "x"], "r": 1 },
              "headers": { "X": "1" }, "body": { "json": {} }, "connectTimeout": "1s",
              "auth": { "basic": { "username": "u", "password": "p" } }, "maxBody": "1MB",
              "expect": { "status": [200, "3xx"], "headers": { "H": { "exists": true } },
                "cookies": { "c": { "eq": "1", "secure": true, "maxAge": { "gt": 1 } } },
                "json": { "$.a": { "not": { "each": { "in": [1], "type": "uuid" } } }, "$.b": null },
                "text": { "matches": "a" }, "bytes": { "length": 1 }, "schema": { "type": "object" },
                "duration": { "lt": "1s" }, "url": "u", "httpVersion": "1.1" },
              "captures": { "x": "$.x",
                "y": { "header": "H", "regex": "r", "default": 1, "secret": true,
                       "then": ["first", { "nth": -1 }, { "replace": ["a", "b"] }] },
                "z": { "status": true } },
              "example": { "status": 200, "headers": {}, "body": { "text": "t" }, "delay": "1ms" },
              "enabled": false }],
          "finally": [{ "url": "/f", "body": { "form": { "f": ["1", 2] } } }],
          "finallyDeadline": "5s" }
        """

    private static let replacements: [JSONValue] = [
        .null, true, false, 0, 1, 200, 2.5, "", "x", "2xx", "5s", "1MB", "none", "first", [], [1],
        ["a", "b"], [:], ["eq": 1], ["a": 1], ["json": "$.a"], ["url": "/x"],
        "0s", "0m0ms", "0m1ms", "10s0ms", "X Y", "1a", "env.a", "é", "a\n", ["", "b"], ["1a": "$"],
        ["X Y": "1"], ["": "$.a"], ["header": ""], ["header": "X Y"], ["env.a": 1],
    ]

    /// What becomes of a name: names of variables, of headers, and of neither.
    private static let names = ["", "1a", "-a", "_", "X Y", "X:", "env.a", "a.b", "é", "a\n"]

    @Test("They agree on files that were changed at random", .timeLimit(.minutes(2)))
    func agreement() throws {
        let schema = try JSONSchema(JSONValue(parsing: PipelineFormat.schema()))
        let original = try JSONValue(parsing: Self.original)
        #expect(schema.validate(original).isEmpty, "\(schema.validate(original))")
        var generator = SeededGenerator(seed: printedSeed("schema agreement"))
        var refused = 0
        for _ in 0..<3_000 {
            var value = original
            for _ in 0..<Int.random(in: 1...2, using: &generator) {
                value = Self.changed(value, using: &generator)
            }
            var validator = ShapeValidator()
            validator.validate(value, .object(PipelineFormat.pipeline))
            let findings = schema.validate(value)
            #expect(
                findings.isEmpty == validator.problems.isEmpty,
                "\(value)\n\(findings)\n\(validator.problems.map(\.message))")
            if !findings.isEmpty { refused += 1 }
        }
        #expect(500..<2_900 ~= refused, "the changes are too mild or too wild: \(refused)")
    }

    /// The value with one thing replaced, left out, added or renamed, somewhere within.
    private static func changed(
        _ value: JSONValue, using generator: inout SeededGenerator
    ) -> JSONValue {
        let isHere = value.count == 0 || Int.random(in: 0..<5, using: &generator) == 0
        if isHere { return replacements.randomElement(using: &generator) ?? .null }
        let place = Int.random(in: 0..<value.count, using: &generator)
        if value.kind == .array {
            var elements = Array(value.elements)
            if Int.random(in: 0..<8, using: &generator) == 0 {
                elements.remove(at: place)
            } else {
                elements[place] = changed(elements[place], using: &generator)
            }
            return JSONValue(array: elements)
        }
        var members = value.members.map { (name: $0.name, value: $0.value) }
        switch Int.random(in: 0..<8, using: &generator) {
        case 0: members.remove(at: place)
        case 1: members[place].name += "x"
        case 2: members[place].name = names.randomElement(using: &generator) ?? ""
        default: members[place].value = changed(members[place].value, using: &generator)
        }
        return JSONValue(object: members)
    }
}
