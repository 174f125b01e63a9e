/// Which schemas apply which, a dynamic reference counting as one to all that have its anchor.
struct SchemaGraph {
    private let schemas: [Subschema]
    private let resources: [SchemaResource]

    init(_ schemas: [Subschema], _ resources: [SchemaResource]) {
        self.schemas = schemas
        self.resources = resources
    }

    /// For each schema, whether it may be applied to the same value in more than one way.
    var areShared: [Bool] {
        var counts = [Int](repeating: 0, count: schemas.count)
        for schema in schemas {
            for id in schema.applicators.flatMap({ targets(of: $0.rule) }) { counts[id] += 1 }
        }
        return counts.map { $0 > 1 }
    }

    /// Throws when a schema leads back to itself without descending into the value.
    ///
    /// What is left can be applied to any value in a finite time. Walks without recursion, each schema
    /// once.
    func refuseEndlessReferences() throws(JSONSchemaError) {
        enum Progress { case fresh, open, done }
        var progress = [Progress](repeating: .fresh, count: schemas.count)
        for start in schemas.indices where progress[start] == .fresh {
            var path: [(id: SchemaID, next: [SchemaID])] = [(start, inPlaceTargets(of: start))]
            progress[start] = .open
            while let last = path.indices.last {
                guard let id = path[last].next.popLast() else {
                    progress[path[last].id] = .done
                    path.removeLast()
                    continue
                }
                switch progress[id] {
                case .fresh:
                    progress[id] = .open
                    path.append((id, inPlaceTargets(of: id)))
                case .open:
                    throw endlessReference(from: path[last].id, to: id)
                case .done:
                    break
                }
            }
        }
    }

    private func endlessReference(
        from id: SchemaID, to targetID: SchemaID
    ) -> JSONSchemaError {
        let place = schemas[id].place
        let target = schemas[targetID].place
        let location = resources[target.resource].location(of: target.source)
        return resources[place.resource].error(
            "this leads back to \(location) without descending into the value", at: place.source)
    }

    private func inPlaceTargets(of id: SchemaID) -> [SchemaID] {
        schemas[id].applicators.filter(\.rule.isInPlace).flatMap { targets(of: $0.rule) }
    }

    private func targets(of applicator: Applicator) -> [SchemaID] {
        guard case .dynamicReference(_, let anchor) = applicator else { return applicator.schemas }
        return applicator.schemas + resources.compactMap { $0.dynamicAnchors[anchor] }
    }
}
