/// The vocabularies that apply schemas to the value and its children, in the order they are applied.
extension SchemaCompiler {
    mutating func addApplicators() throws(JSONSchemaError) {
        if let value = source["allOf"] { add(.allOf(try ids(of: value)), value) }
        if let value = source["anyOf"] { add(.anyOf(try ids(of: value)), value) }
        if let value = source["oneOf"] { add(.oneOf(try ids(of: value)), value) }
        if let value = source["not"] { add(.not(try id(of: value)), value) }
        if let value = source["if"] {
            add(.condition(try id(of: value)), value)
            for (name, outcome) in [("then", true), ("else", false)] {
                guard let value = source[name] else { continue }
                add(.consequence(try id(of: value), outcome: outcome), value)
            }
        }
        if let value = source["dependentSchemas"] {
            add(.dependentSchemas(try idsByName(of: value)), value)
        }
        try addItems()
        try addProperties()
    }

    mutating func addUnevaluated() throws(JSONSchemaError) {
        if let value = source["unevaluatedItems"] {
            add(.unevaluatedItems(try id(of: value)), value)
        }
        if let value = source["unevaluatedProperties"] {
            add(.unevaluatedProperties(try id(of: value)), value)
        }
    }

    private mutating func addItems() throws(JSONSchemaError) {
        var prefix: [SchemaID] = []
        var rest: SchemaID?
        if let value = source["prefixItems"] { prefix = try ids(of: value) }
        if let value = source["items"] { rest = try id(of: value) }
        if let value = source["items"] ?? source["prefixItems"] {
            add(.items(prefix: prefix, rest: rest), value)
        }
        if let value = source["contains"] {
            let least = try bound("minContains") ?? 1
            let most = try bound("maxContains") ?? .max
            // Contradictory bounds accept nothing: more matches than there can be are asked for.
            let range = least <= most ? least...most : Int.max...Int.max
            add(.contains(try id(of: value), range), value)
        }
    }

    private func bound(_ name: String) throws(JSONSchemaError) -> Int? {
        guard let value = source[name] else { return nil }
        return try count(value)
    }

    private mutating func addProperties() throws(JSONSchemaError) {
        let named = source["properties"]
        let patterns = source["patternProperties"]
        let additional = source["additionalProperties"]
        var rules = PropertyRules()
        if let named { rules.named = try idsByName(of: named) }
        if let patterns {
            for member in patterns.members {
                let pattern = try pattern(member.name, member.value)
                rules.patterns.append((pattern, try id(of: member.value)))
            }
        }
        if let additional { rules.additional = try id(of: additional) }
        if let value = additional ?? patterns ?? named { add(.properties(rules), value) }
        if let value = source["propertyNames"] { add(.propertyNames(try id(of: value)), value) }
    }
}
