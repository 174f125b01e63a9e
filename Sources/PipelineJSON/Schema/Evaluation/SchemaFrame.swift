/// A schema whose applicators are being applied to a value.
struct SchemaFrame {
    /// The schema, the value, and what dynamic references lead to.
    let branch: Branch
    let scope: DynamicScopes.ID

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
struct Branch: Hashable {
    let schema: SchemaID
    let node: Int
}
