extension JSONSchema {
    /// Throws when a schema leads back to itself without descending into the value.
    ///
    /// What is left can be applied to any value in a finite time. A dynamic reference counts as one to
    /// all that have its anchor. Walks without recursion, each schema once.
    func refuseEndlessReferences() throws(JSONSchemaError) {
        enum Progress { case fresh, open, done }
        var progress = [Progress](repeating: .fresh, count: schemas.count)
        for start in schemas.indices where progress[start] == .fresh {
            var path: [(id: SchemaID, next: [SchemaID])] = [(start, successors(of: start))]
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
                    path.append((id, successors(of: id)))
                case .open:
                    let place = schemas[path[last].id].place
                    let resource = resources[place.resource]
                    let target = schemas[id].place
                    let location = resources[target.resource].location(of: target.source)
                    throw resource.error(
                        "this leads back to \(location) without descending into the value",
                        at: place.source)
                case .done:
                    break
                }
            }
        }
    }

    private func successors(of id: SchemaID) -> [SchemaID] {
        schemas[id].applicators.flatMap { keyword in
            guard case .dynamicReference(_, let anchor) = keyword.rule else {
                return keyword.rule.inPlaceSchemas
            }
            return keyword.rule.inPlaceSchemas + resources.compactMap { $0.dynamicAnchors[anchor] }
        }
    }
}
