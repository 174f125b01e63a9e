extension Applicator {
    /// What is to be applied to what; nil when the keyword does not apply.
    func branches(in frame: SchemaFrame, of document: JSONDocument) -> [Branch]? {
        let node = frame.branch.node
        /// The values of the members, and the items.
        var members: [Int] { document.nodes[node].isObject ? document.children(of: node) : [] }
        var items: [Int] { document.nodes[node].isObject ? [] : document.children(of: node) }
        switch self {
        case .reference(let id), .dynamicReference(let id, _), .not(let id), .condition(let id):
            return [Branch(schema: id, node: node)]
        case .allOf(let ids), .anyOf(let ids), .oneOf(let ids):
            return ids.map { Branch(schema: $0, node: node) }
        case .consequence(let id, let outcome):
            return frame.condition == outcome ? [Branch(schema: id, node: node)] : nil
        case .dependentSchemas(let ids):
            return members.compactMap { member in
                ids[document.name(of: member)].map { Branch(schema: $0, node: node) }
            }
        case .properties(let rules):
            var branches: [Branch] = []
            branches.reserveCapacity(members.count)
            for member in members {
                rules.apply(to: document.name(of: member)) { id in
                    branches.append(Branch(schema: id, node: member))
                }
            }
            return branches
        case .propertyNames(let id):
            // The name of a member is the node before its value.
            return members.map { Branch(schema: id, node: $0 - 1) }
        case .items(let prefix, let rest):
            let rested = rest.map { id in
                items.dropFirst(prefix.count).map { Branch(schema: id, node: $0) }
            }
            return zip(prefix, items).map { Branch(schema: $0, node: $1) } + (rested ?? [])
        case .contains(let id, _):
            guard document.nodes[node].kind == .array else { return nil }
            return items.map { Branch(schema: id, node: $0) }
        case .unevaluatedProperties(let id):
            return frame.unevaluated(among: members)?.map { Branch(schema: id, node: $0) }
        case .unevaluatedItems(let id):
            return frame.unevaluated(among: items)?.map { Branch(schema: id, node: $0) }
        }
    }
}

extension SchemaFrame {
    /// The children that no keyword looked at; nil after one failed, for then nobody knows.
    fileprivate func unevaluated(among children: [Int]) -> [Int]? {
        isValid ? children.filter { !evaluated.contains($0) } : nil
    }
}

extension JSONDocument {
    /// The name of the member with this value: the node before it.
    fileprivate func name(of value: Int) -> JSONStringContent {
        JSONStringContent(document: self, index: value - 1)
    }
}
