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
    private var scopes = DynamicScopes()

    /// How schemas came out that may be applied again to the same value.
    private var outcomes: [Visit: Outcome] = [:]

    private struct Visit: Hashable {
        let branch: Branch
        let scope: DynamicScopes.ID
        let collects: Bool
    }

    private struct Outcome {
        let isValid: Bool
        let evaluated: Set<Int>
    }

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
        // Once there is no room for more failures, their number does not matter.
        let isSilent = isSilent || failures.count >= limit
        let collects = collects || subschema.collectsEvaluated
        let scope = scopes.entering(
            subschema.place.resource, of: schema, from: frames.last?.scope ?? 0)
        if schema.areShared[branch.schema],
            let outcome = outcomes[Visit(branch: branch, scope: scope, collects: collects)],
            outcome.isValid || isSilent
        {
            settle(branch, outcome)
            return
        }
        let isValid = assert(subschema, branch, isSilent: isSilent)
        // Most schemas end here, and never become a frame.
        if subschema.applicators.isEmpty || isSilent && !isValid {
            settle(branch, Outcome(isValid: isValid, evaluated: []))
        } else {
            frames.append(
                SchemaFrame(
                    branch: branch, scope: scope, isSilent: isSilent, collects: collects,
                    isValid: isValid))
        }
    }

    /// Checks what is decided by looking at the value alone.
    private mutating func assert(
        _ subschema: Subschema, _ branch: Branch, isSilent: Bool
    ) -> Bool {
        if subschema.isNever {
            let applicator = frames.last?.round?.applicator
            if !isSilent { add(SchemaFailure(branch, .never(appliedBy: applicator))) }
            return false
        }
        var isValid = true
        let instance = JSONValue(document: document, index: branch.node)
        for index in subschema.assertions.indices {
            for detail in subschema.assertions[index].rule.failures(of: instance) {
                if isSilent { return false }
                isValid = false
                add(SchemaFailure(branch, .assertion(subschema.assertions[index], detail)))
            }
        }
        return isValid
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
        if case .dynamicReference(_, let anchor) = keyword.rule,
            let id = scopes.target(of: anchor, in: frames[top].scope)
        {
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
        let outcome = Outcome(isValid: frame.isValid, evaluated: frame.evaluated)
        if schema.areShared[frame.branch.schema] {
            let visit = Visit(branch: frame.branch, scope: frame.scope, collects: frame.collects)
            outcomes[visit] = outcome
        }
        settle(frame.branch, outcome)
    }

    /// Tells the schema that applied another one how that came out.
    private mutating func settle(_ branch: Branch, _ outcome: Outcome) {
        guard let top = frames.indices.last else { return }
        frames[top].settle(
            branch.node, isValid: outcome.isValid, evaluated: outcome.evaluated)
    }

    private mutating func add(_ failure: SchemaFailure) {
        if failures.count < limit { failures.append(failure) }
    }
}
