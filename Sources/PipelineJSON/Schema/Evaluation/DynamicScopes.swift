/// What dynamic references lead to, for each way in which resources were entered.
///
/// The outermost resource that has an anchor counts (core, section 8.2.3.2), so that entering one
/// matters only when it brings a new anchor.
struct DynamicScopes {
    /// A way in which resources were entered; 0 at the start.
    typealias ID = Int

    private var targets: [[String: SchemaID]] = [[:]]
    private var following: [Step: ID] = [:]

    private struct Step: Hashable {
        let scope: ID
        let resource: Int
    }

    func target(of anchor: String, in scope: ID) -> SchemaID? { targets[scope][anchor] }

    /// The scope inside a resource that is entered from another scope.
    mutating func entering(_ resource: Int, of schema: JSONSchema, from scope: ID) -> ID {
        let anchors = schema.resources[resource].dynamicAnchors
        guard anchors.contains(where: { targets[scope][$0.key] == nil }) else { return scope }
        let step = Step(scope: scope, resource: resource)
        if let known = following[step] { return known }
        targets.append(targets[scope].merging(anchors) { outer, _ in outer })
        following[step] = targets.count - 1
        return targets.count - 1
    }
}
