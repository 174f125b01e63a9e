import PipelineJSON

extension PipelineFormat {
    /// The JSON Schema (draft 2020-12) of the keys that work, from the table.
    package static func schema() -> String {
        var writer = SchemaWriter()
        return writer.schema(of: pipeline, named: "pipeline")
    }
}

/// Turns shapes into JSON Schema; each object shape becomes a definition.
private struct SchemaWriter {
    private var definitions: [(name: String, value: JSONValue)] = []

    mutating func schema(of object: ObjectShape, named name: String) -> String {
        var members: [(name: String, value: JSONValue)] = [
            ("$schema", "https://json-schema.org/draft/2020-12/schema"),
            ("title", "A pipeline of HTTP requests, format version 1"),
        ]
        members += definition(of: object)
        members.append(("$defs", JSONValue(object: definitions)))
        return JSONValue(object: members).prettyPrinted() + "\n"
    }

    private mutating func definition(
        of object: ObjectShape
    ) -> [(name: String, value: JSONValue)] {
        var properties: [(name: String, value: JSONValue)] = []
        for key in object.keys {
            var members = members(of: key.shape)
            members.insert(("description", JSONValue(key.summary)), at: 0)
            properties.append((key.name, JSONValue(object: members)))
        }
        var result: [(name: String, value: JSONValue)] = [
            ("type", "object"), ("properties", JSONValue(object: properties)),
            ("additionalProperties", false),
        ]
        if !object.isEmptyAllowed { result.append(("minProperties", 1)) }
        if !object.required.isEmpty {
            result.append(("required", JSONValue(array: object.required.map { JSONValue($0) })))
        }
        if !object.exactlyOne.isEmpty {
            let choices = object.exactlyOne.map { name in
                JSONValue(object: [("required", [JSONValue(name)])])
            }
            result.append(("oneOf", JSONValue(array: choices)))
        }
        return result
    }

    private mutating func members(of shape: Shape) -> [(name: String, value: JSONValue)] {
        switch shape {
        case .json: return []
        case .text, .template: return [("type", "string")]
        case .form(let form):
            return [("type", "string")] + restrictions(of: form)
        case .boolean: return [("type", "boolean")]
        case .constant(let value): return [("const", JSONValue(value))]
        case .anyObject: return [("type", "object")]
        case .recursive(let shape): return members(of: shape())
        case .number: return [("type", "number")]
        case .null: return [("type", "null")]
        case .integer(let range):
            return [
                ("type", "integer"), ("minimum", JSONValue(range.lowerBound)),
                ("maximum", JSONValue(range.upperBound)),
            ]
        case .numberWithin(let range):
            return [
                ("type", "number"), ("minimum", JSONValue(Int(range.lowerBound))),
                ("maximum", JSONValue(Int(range.upperBound))),
            ]
        case .object(let object): return [("$ref", JSONValue(reference(to: object)))]
        case .map(let value, let names):
            var result: [(name: String, value: JSONValue)] = [("type", "object")]
            if let names {
                result.append(("propertyNames", JSONValue(object: restrictions(of: names))))
            }
            return result + [("additionalProperties", schema(of: value))]
        case .list(let element, let minimum, let maximum):
            var result: [(name: String, value: JSONValue)] = [
                ("type", "array"), ("items", schema(of: element)),
            ]
            if minimum > 0 { result.append(("minItems", JSONValue(minimum))) }
            if maximum < .max { result.append(("maxItems", JSONValue(maximum))) }
            return result
        case .either(let shapes):
            return [("anyOf", JSONValue(array: shapes.map { schema(of: $0) }))]
        }
    }

    private func restrictions(of form: TextForm) -> [(name: String, value: JSONValue)] {
        var result: [(name: String, value: JSONValue)] = []
        if let expression = form.expression { result.append(("pattern", JSONValue(expression))) }
        if form.minimumLength > 0 { result.append(("minLength", JSONValue(form.minimumLength))) }
        return result
    }

    private mutating func schema(of shape: Shape) -> JSONValue {
        JSONValue(object: members(of: shape))
    }

    private mutating func reference(to object: ObjectShape) -> String {
        let words = object.name.split(separator: " ").dropFirst()
        let name = words.joined(separator: "-")
        if definitions.contains(where: { $0.name == name }) { return "#/$defs/\(name)" }
        // Its place is taken before its members are written: it may hold itself.
        let place = definitions.count
        definitions.append((name, .null))
        let body = JSONValue(object: definition(of: object))
        definitions[place].value = body
        return "#/$defs/\(name)"
    }
}
