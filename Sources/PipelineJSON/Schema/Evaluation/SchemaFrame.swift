/// A schema whose applicators are being applied to a value.
struct SchemaFrame {
    /// The schema and the value.
    let branch: Branch

    /// Whether only the outcome counts, so that the first failure decides and none is kept.
    let isSilent: Bool

    /// Whether a keyword will ask which children were evaluated.
    let collects: Bool

    var isValid: Bool

    /// The children of the value that a schema was applied to.
    var evaluated: Set<Int> = []

    /// How the `if` of this schema came out.
    var condition: Bool?

    /// The applicator that comes next, and the one under way.
    var next = 0
    var round: Round?

    /// The branches of one applicator.
    struct Round {
        let applicator: Keyword<Applicator>
        let demand: ClosedRange<Int>?
        let isInPlace: Bool
        let isSilent: Bool

        /// The branches that are left; the last one comes next.
        var branches: [Branch]
        var matches = 0

        /// How many failures there were before.
        let firstFailure: Int

        /// Whether more branches could change the outcome.
        var isOpen: Bool {
            guard let demand else { return true }
            return matches < demand.lowerBound
                || matches <= demand.upperBound && demand.upperBound < .max
        }
    }

    /// Takes in how a branch of the applicator under way came out, and what it evaluated.
    mutating func settle(_ node: Int, isValid: Bool, evaluated: Set<Int>) {
        let isDemanded = round?.demand != nil
        if isValid {
            round?.matches += 1
        } else if !isDemanded {
            self.isValid = false
        }
        if collects {
            if round?.isInPlace == true {
                if isValid { self.evaluated.formUnion(evaluated) }
            } else if isValid || !isDemanded {
                self.evaluated.insert(node)
            }
        } else if round?.isOpen == false {
            round?.branches.removeAll()
        }
    }
}

/// A schema and what it is to be applied to: the index of a node in the document of the value.
struct Branch {
    let schema: SchemaID
    let node: Int
}

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
            return members.filter { !frame.evaluated.contains($0) }
                .map { Branch(schema: id, node: $0) }
        case .unevaluatedItems(let id):
            return items.filter { !frame.evaluated.contains($0) }
                .map { Branch(schema: id, node: $0) }
        }
    }
}

extension JSONDocument {
    /// The name of the member with this value: the node before it.
    fileprivate func name(of value: Int) -> JSONStringContent {
        JSONStringContent(document: self, index: value - 1)
    }
}
