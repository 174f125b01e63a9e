/// The keywords of the draft that hold schemas.
enum Subschemas {
    /// Where the schemas are in the value of a keyword.
    private enum Shape {
        case schema
        case list
        case members
    }

    private static let keywords: [(name: String, shape: Shape)] = [
        ("$defs", .members), ("definitions", .members),
        ("allOf", .list), ("anyOf", .list), ("oneOf", .list), ("not", .schema),
        ("if", .schema), ("then", .schema), ("else", .schema), ("dependentSchemas", .members),
        ("prefixItems", .list), ("items", .schema), ("contains", .schema),
        ("properties", .members), ("patternProperties", .members),
        ("additionalProperties", .schema), ("propertyNames", .schema),
        ("unevaluatedItems", .schema), ("unevaluatedProperties", .schema),
        ("contentSchema", .schema),
    ]

    /// The schemas right inside a schema.
    static func of(
        _ schema: JSONValue, in resource: SchemaResource
    ) throws(JSONSchemaError) -> [JSONValue] {
        guard schema.kind == .object else { return [] }
        var found: [JSONValue] = []
        for (name, shape) in keywords {
            guard let value = schema[name] else { continue }
            switch shape {
            case .schema:
                found.append(value)
            case .list:
                guard value.kind == .array, value.count > 0 else {
                    throw resource.error(
                        "expected a list of one schema or more, found \(value.found)", at: value)
                }
                found.append(contentsOf: value.elements)
            case .members:
                guard value.kind == .object else {
                    throw resource.error(
                        "expected an object of schemas, found \(value.found)", at: value)
                }
                found.append(contentsOf: value.members.lazy.map(\.value))
            }
        }
        return found
    }
}
