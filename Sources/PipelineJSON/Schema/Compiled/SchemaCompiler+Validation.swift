/// The validation vocabulary, and `format` where it is asserted.
extension SchemaCompiler {
    mutating func addValidation() throws(JSONSchemaError) {
        if let value = source["type"] { add(.type(try types(value)), value) }
        if let value = source["const"] { add(.equal(value), value) }
        if let value = source["enum"] {
            guard value.kind == .array else { throw mistake("an array of values", value) }
            add(.enumeration(Array(value.elements)), value)
        }
        try addNumberLimits()
        try addCounts()
        if let value = source["pattern"] {
            add(.pattern(try pattern(try string(value), value)), value)
        }
        if let value = source["uniqueItems"] {
            guard let isUnique = value.boolean else { throw mistake("true or false", value) }
            if isUnique { add(.uniqueItems, value) }
        }
        if let value = source["required"] { add(.required(try names(value)), value) }
        if let value = source["dependentRequired"] {
            guard value.kind == .object else { throw mistake("an object of name lists", value) }
            var dependencies: [Assertion.Dependency] = []
            for member in value.members {
                dependencies.append(
                    .init(name: member.content, required: try names(member.value)))
            }
            add(.dependentRequired(dependencies), value)
        }
    }

    mutating func addFormat() throws(JSONSchemaError) {
        guard let value = source["format"] else { return }
        // A format that is not known is an annotation (validation, section 7.2.3).
        if let format = TextFormat(rawValue: try string(value)) { add(.format(format), value) }
    }

    private mutating func addNumberLimits() throws(JSONSchemaError) {
        let bounds: KeyValuePairs<String, Assertion.Bound> = [
            "minimum": .atLeast, "exclusiveMinimum": .moreThan,
            "maximum": .atMost, "exclusiveMaximum": .lessThan,
        ]
        for (name, bound) in bounds {
            guard let value = source[name] else { continue }
            guard let limit = value.decimal else { throw mistake("a number", value) }
            add(.bound(bound, limit), value)
        }
        if let value = source["multipleOf"] {
            guard let divisor = value.decimal, divisor > ExactDecimal("0".utf8) else {
                throw mistake("a number above 0", value)
            }
            add(.multiple(of: divisor), value)
        }
    }

    private mutating func addCounts() throws(JSONSchemaError) {
        let counts: KeyValuePairs<String, Assertion.Counted> = [
            "Length": .characters, "Items": .items, "Properties": .properties,
        ]
        for (name, counted) in counts {
            if let value = source["min\(name)"] {
                add(.count(counted, try count(value)...Int.max), value)
            }
            if let value = source["max\(name)"] {
                add(.count(counted, 0...(try count(value))), value)
            }
        }
    }

    private func types(_ value: JSONValue) throws(JSONSchemaError) -> TypeSet {
        var types: TypeSet = []
        for name in value.kind == .array ? Array(value.elements) : [value] {
            guard let type = TypeSet.names.first(where: { $0.key == name.string })?.value else {
                let known = TypeSet.names.map(\.key).joined(separator: ", ")
                throw mistake("one of the types \(known)", name)
            }
            types.formUnion(type)
        }
        return types
    }

    private func string(_ value: JSONValue) throws(JSONSchemaError) -> String {
        guard let string = value.string else { throw mistake("a string", value) }
        return string
    }

    private func names(_ value: JSONValue) throws(JSONSchemaError) -> [JSONValue] {
        guard value.kind == .array else { throw mistake("an array of names", value) }
        for name in value.elements { _ = try string(name) }
        return Array(value.elements)
    }
}
