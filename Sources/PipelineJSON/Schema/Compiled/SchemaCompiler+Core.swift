/// The core vocabulary: references. Identifiers and `$defs` are the index's.
extension SchemaCompiler {
    mutating func addCore() throws(JSONSchemaError) {
        if let source = source["$ref"] { add(.reference(try target(of: source)), source) }
        if let source = source["$dynamicRef"] {
            let target = try target(of: source)
            let fragment = try SchemaReference(source, in: resource).target.fragment
            let anchor = fragment.map(String.init) ?? ""
            let home = index.resources[index.places[target].resource]
            let isDynamic = home.dynamicAnchors[anchor] == target
            add(isDynamic ? .dynamicReference(target, anchor: anchor) : .reference(target), source)
        }
    }

    private func target(of reference: JSONValue) throws(JSONSchemaError) -> SchemaID {
        guard let id = index.target(of: reference) else { throw mistake("a reference", reference) }
        return id
    }
}
