/// A regular expression as instructions for `PatternMatcher`: a graph in which every cycle reads something.
struct PatternProgram: Sendable {
    /// What to do, and the index of the instruction that comes next.
    enum Instruction: Sendable {
        /// Reads this scalar.
        case scalar(UInt32, next: Int)
        /// Reads a scalar of the set with this index.
        case set(Int, next: Int)
        /// The end of the program.
        case match
        /// The end of a way that matches nothing.
        case fail
        /// Goes two ways; the first is preferred.
        case split(Int, Int)
        /// Remembers the place in the text as the start or end of a group.
        case save(slot: Int, next: Int)
        /// Forgets these places.
        case clear(slots: Range<Int>, next: Int)
        case assert(PatternAssertion, next: Int)
    }

    /// The index of the first instruction.
    let start: Int
    let instructions: [Instruction]
    let sets: [ScalarSet]

    /// One for each group that captures, in order.
    let groupNames: [String?]

    /// The bytes that a match after the start of the text can begin with; nil when it can be empty.
    let firstBytes: ByteSet?

    init(start: Int, instructions: [Instruction], sets: [ScalarSet], groupNames: [String?]) {
        self.start = start
        self.instructions = instructions
        self.sets = sets
        self.groupNames = groupNames
        firstBytes = Self.firstBytes(from: start, instructions, sets)
    }

    /// Two slots for the match and for each group: where it starts and where it ends.
    var slotCount: Int { 2 * (groupNames.count + 1) }

    var groupNumbers: [String: Int] {
        var numbers: [String: Int] = [:]
        for (index, name) in groupNames.enumerated() {
            if let name { numbers[name] = index + 1 }
        }
        return numbers
    }

    private static func firstBytes(
        from start: Int, _ instructions: [Instruction], _ sets: [ScalarSet]
    ) -> ByteSet? {
        var bytes = ByteSet()
        var isSeen = Array(repeating: false, count: instructions.count)
        var pending = [start]
        while let index = pending.popLast() {
            guard !isSeen[index] else { continue }
            isSeen[index] = true
            switch instructions[index] {
            case .scalar(let value, _): bytes.insert(firstByteOf: value)
            case .set(let set, _): bytes.formUnion(sets[set].firstBytes)
            case .match: return nil
            case .fail, .assert(.start, _): break
            case .split(let first, let second): pending += [first, second]
            case .save(_, let next), .clear(_, let next), .assert(_, let next): pending.append(next)
            }
        }
        return bytes
    }
}
