/// Applies the schemas of a compiled schema to a value.
///
/// A schema that applies others waits in `frames` while they are applied, so that the depth of schemas
/// and values costs no stack.
struct SchemaEvaluation {
    private let schema: JSONSchema
    private let document: JSONDocument
    private let limit: Int
    private var frames: [SchemaFrame] = []
    private var failures: [SchemaFailure] = []

    init(of schema: JSONSchema, in document: JSONDocument, limit: Int) {
        self.schema = schema
        self.document = document
        self.limit = limit
    }

    /// What does not match in the value that begins at a node.
    mutating func failures(at node: Int) -> [SchemaFailure] {
        // The first schema of the index is the one that was given.
        enter(Branch(schema: 0, node: node), isSilent: false, collects: false)
        while let top = frames.indices.last {
            if frames[top].isSilent && !frames[top].isValid {
                leave()
            } else if let branch = frames[top].round?.branches.popLast() {
                enter(
                    branch, isSilent: frames[top].round?.isSilent ?? false,
                    collects: frames[top].collects && frames[top].round?.isInPlace ?? false)
            } else if let round = frames[top].round {
                conclude(round)
            } else if !begin() {
                leave()
            }
        }
        return failures
    }

    private mutating func enter(_ branch: Branch, isSilent: Bool, collects: Bool) {
        let subschema = schema.schemas[branch.schema]
        var isValid = !subschema.isNever
        if subschema.isNever && !isSilent {
            add(SchemaFailure(branch, .never(appliedBy: frames.last?.round?.applicator)))
        }
        if !subschema.assertions.isEmpty {
            let instance = JSONValue(document: document, index: branch.node)
            for index in subschema.assertions.indices where isValid || !isSilent {
                let details = subschema.assertions[index].rule.failures(of: instance)
                for detail in details {
                    isValid = false
                    if isSilent { break }
                    add(SchemaFailure(branch, .assertion(subschema.assertions[index], detail)))
                }
            }
        }
        // Most schemas end here, and never become a frame.
        if subschema.applicators.isEmpty || isSilent && !isValid {
            settle(branch, isValid: isValid, evaluated: [])
        } else {
            frames.append(
                SchemaFrame(
                    branch: branch, isSilent: isSilent,
                    collects: collects || subschema.collectsEvaluated, isValid: isValid))
        }
    }

    /// Begins with the next applicator; false when there is none.
    private mutating func begin() -> Bool {
        let top = frames.count - 1
        let applicators = schema.schemas[frames[top].branch.schema].applicators
        guard frames[top].next < applicators.count else { return false }
        let keyword = applicators[frames[top].next]
        frames[top].next += 1
        guard var branches = keyword.rule.branches(in: frames[top], of: document) else {
            return true
        }
        if case .dynamicReference(_, let anchor) = keyword.rule, let id = outermost(anchor) {
            branches = [Branch(schema: id, node: frames[top].branch.node)]
        }
        branches.reverse()
        frames[top].round = SchemaFrame.Round(
            applicator: keyword, demand: keyword.rule.demand, isInPlace: keyword.rule.isInPlace,
            isSilent: frames[top].isSilent || !keyword.rule.explainsByBranches,
            branches: branches, firstFailure: failures.count)
        return true
    }

    /// Decides about an applicator whose branches were all applied, or enough of them.
    private mutating func conclude(_ round: SchemaFrame.Round) {
        let top = frames.count - 1
        frames[top].round = nil
        if case .condition = round.applicator.rule { frames[top].condition = round.matches > 0 }
        guard let demand = round.demand else { return }
        let holds = demand ~= round.matches
        if holds || round.matches > 0 {
            failures.removeLast(failures.count - round.firstFailure)
        }
        guard !holds else { return }
        frames[top].isValid = false
        if !frames[top].isSilent {
            let cause = SchemaFailure.Cause.applicator(round.applicator, round.matches)
            failures.insert(SchemaFailure(frames[top].branch, cause), at: round.firstFailure)
            failures.removeLast(max(failures.count - limit, 0))
        }
    }

    private mutating func leave() {
        let frame = frames.removeLast()
        settle(frame.branch, isValid: frame.isValid, evaluated: frame.evaluated)
    }

    /// Tells the schema that applied another one how that came out.
    private mutating func settle(_ branch: Branch, isValid: Bool, evaluated: Set<Int>) {
        guard let top = frames.indices.last else { return }
        frames[top].settle(branch.node, isValid: isValid, evaluated: evaluated)
    }

    private mutating func add(_ failure: SchemaFailure) {
        if failures.count < limit { failures.append(failure) }
    }

    /// The outermost resource on the way here that has this dynamic anchor (core, section 8.2.3.2).
    private func outermost(_ anchor: String) -> SchemaID? {
        for frame in frames {
            let resource = schema.resources[schema.schemas[frame.branch.schema].place.resource]
            if let id = resource.dynamicAnchors[anchor] { return id }
        }
        return nil
    }
}
