import PipelineJSON
import TestSupport
import Testing

@Suite("Random JSON Schemas", .timeLimit(.minutes(1)))
struct JSONSchemaRandomTests {
    /// Schemas that together hold every keyword.
    private static let schemas = [
        ##"""
        {"$id":"http://x/a","$defs":{"n":{"$anchor":"n","type":["integer","null"],"minimum":-1.5e2},
        "t":{"$dynamicAnchor":"t","maximum":7,"exclusiveMaximum":8,"exclusiveMinimum":-9}},"properties":
        {"a":{"$ref":"#n"},"b":{"$dynamicRef":"#t"},"c":{"items":{"$ref":"#/$defs/n"}}},"required":["a"],
        "patternProperties":{"^c+$":{"maxItems":3,"uniqueItems":true}},"additionalProperties":false}
        """##,
        ##"""
        {"allOf":[{"prefixItems":[{"const":1},{"enum":["a",null]}]},{"contains":{"type":"string"},
        "minContains":1,"maxContains":2}],"unevaluatedItems":{"multipleOf":0.5},"minItems":1,
        "if":{"maxItems":2},"then":{"items":true},"else":{"not":{"items":false}}}
        """##,
        ##"""
        {"anyOf":[{"minProperties":2,"maxProperties":3},{"propertyNames":{"pattern":"^[a-z]{1,2}$"}}],
        "oneOf":[{"dependentRequired":{"a":["b"]}},{"required":["zz"]}],"dependentSchemas":
        {"a":{"properties":{"b":{"minLength":1,"maxLength":4,"format":"date"}}}},
        "unevaluatedProperties":{"type":["object","array"],"additionalProperties":{"$ref":"#"}}}
        """##,
    ]

    @Test("with random damage are compiled or refused, and then find the same twice")
    func mutations() throws {
        let seed = printedSeed("JSON Schema mutations")
        var random = SeededGenerator(seed: seed)
        let words = [
            "#", "#n", "#/$defs/n", "http://x/a#t", "a", "type", "$ref", "items", "not", "",
        ]
        var compiled = 0
        for _ in 0..<4_000 {
            var value = try JSONValue(parsing: Self.schemas.randomElement(using: &random) ?? "{}")
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                value = value.damaged(words, &random)
            }
            let schema: JSONSchema
            do {
                schema = try JSONSchema(value)
                compiled += 1
            } catch {
                #expect(error.schemaLocation.contains("#"), "seed \(seed)")
                continue
            }
            for _ in 0..<5 {
                let instance = JSONValue.random(depth: 3, &random)
                let findings = schema.validate(instance)
                #expect(schema.validate(instance) == findings, "seed \(seed)")
                // Only the order of what is found depends on the order of members.
                let twin = instance.reversedMembers()
                #expect(schema.validate(twin).isEmpty == findings.isEmpty, "seed \(seed): \(value)")
                for finding in findings {
                    #expect(finding.message.hasPrefix("expected "), "seed \(seed)")
                }
            }
        }
        print("JSON Schema mutations: \(compiled) of 4,000 are still schemas")
        #expect(1_000..<4_000 ~= compiled)
    }

    @Test("uniqueItems agrees with comparing each item with each other")
    func unique() throws {
        var random = SeededGenerator(seed: printedSeed("JSON Schema unique items"))
        let schema = try JSONSchema(["uniqueItems": true])
        var unique = 0
        for _ in 0..<500 {
            let count = Int.random(in: 0...6, using: &random)
            let items = (0..<count).map { _ in JSONValue.random(depth: 1, &random) }
            let isUnique = items.indices.allSatisfy { place in
                items[..<place].allSatisfy { $0 != items[place] }
            }
            unique += isUnique ? 1 : 0
            #expect(schema.validate(JSONValue(array: items)).isEmpty == isUnique)
        }
        #expect(1..<500 ~= unique)
    }

    @Test("what the metaschema accepts compiles, but for references that lead nowhere")
    func metaschema() throws {
        let seed = printedSeed("JSON Schema metaschema")
        var random = SeededGenerator(seed: seed)
        let metaschema = try JSONSchema(["$ref": "https://json-schema.org/draft/2020-12/schema"])
        var compiled = 0
        var refused = 0
        for _ in 0..<2_000 {
            let text = Self.schemas.randomElement(using: &random) ?? "{}"
            let value = try JSONValue(parsing: text).damaged(["#", "#n", "a", "type"], &random)
            guard metaschema.validate(value).isEmpty else {
                refused += 1
                continue
            }
            do {
                _ = try JSONSchema(value)
                compiled += 1
            } catch {
                let reasons = ["there is no", "there is another", "leads back", "$id has no"]
                let isReference = reasons.contains { error.message.contains($0) }
                #expect(isReference, "seed \(seed): \(value): \(error)")
            }
        }
        #expect(compiled > 500)
        #expect(refused > 200)
    }
}

extension JSONValue {
    /// A copy with one part replaced, removed or repeated.
    fileprivate func damaged(_ words: [String], _ random: inout SeededGenerator) -> JSONValue {
        switch kind {
        case .object where count > 0 && Int.random(in: 0..<6, using: &random) > 0:
            var members = members.map { (name: $0.name, value: $0.value) }
            let place = Int.random(in: 0..<members.count, using: &random)
            switch Int.random(in: 0..<8, using: &random) {
            case 0: members.remove(at: place)
            case 1: members[place].name = words.randomElement(using: &random) ?? ""
            default: members[place].value = members[place].value.damaged(words, &random)
            }
            return JSONValue(object: members)
        case .array where count > 0 && Int.random(in: 0..<6, using: &random) > 0:
            var elements = Array(elements)
            let place = Int.random(in: 0..<elements.count, using: &random)
            switch Int.random(in: 0..<6, using: &random) {
            case 0: elements.remove(at: place)
            case 1: elements.append(elements[place])
            default: elements[place] = elements[place].damaged(words, &random)
            }
            return JSONValue(array: elements)
        default:
            switch Int.random(in: 0..<8, using: &random) {
            case 0: return JSONValue(words.randomElement(using: &random) ?? "")
            case 1: return JSONValue(Int.random(in: -2...3, using: &random))
            case 2: return ["$ref": JSONValue(words.randomElement(using: &random) ?? "")]
            case 3: return [:]
            default: return JSONValue(Bool.random(using: &random))
            }
        }
    }

    fileprivate static func random(depth: Int, _ random: inout SeededGenerator) -> JSONValue {
        let names = ["a", "b", "c", "cc", "zz", "2024-02-29"]
        switch Int.random(in: 0..<(depth > 0 ? 8 : 5), using: &random) {
        case 0: return .null
        case 1: return JSONValue(Bool.random(using: &random))
        case 2: return JSONValue(Int.random(in: -10...10, using: &random))
        case 3: return JSONValue(Double(Int.random(in: -9...9, using: &random)) / 2) ?? .null
        case 4: return JSONValue(names.randomElement(using: &random) ?? "")
        case 5:
            let count = Int.random(in: 0...4, using: &random)
            return JSONValue(array: (0..<count).map { _ in .random(depth: depth - 1, &random) })
        default:
            let chosen = names.filter { _ in Bool.random(using: &random) }
            return JSONValue(object: chosen.map { ($0, .random(depth: depth - 1, &random)) })
        }
    }

    /// An equal value whose objects have their members in the opposite order.
    fileprivate func reversedMembers() -> JSONValue {
        switch kind {
        case .object:
            JSONValue(object: members.reversed().map { ($0.name, $0.value.reversedMembers()) })
        case .array: JSONValue(array: elements.map { $0.reversedMembers() })
        default: self
        }
    }
}
