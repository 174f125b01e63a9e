/// Turns a regular expression into instructions (Thompson's construction), from its end to its beginning.
///
/// ECMAScript lets no iteration beyond the minimum of a repetition match nothing, so within one that
/// could, what comes next depends on whether the iteration has read anything yet. Every part is given
/// both `Places` to go on to and gives both to enter it; they differ within such an iteration only, and
/// what reads a character leads from either to the same place. So a program is at most twice as large
/// as without, it has no cycle that reads nothing, and the priorities are exact.
struct PatternCompiler {
    private var instructions: [PatternProgram.Instruction] = [.fail, .match]
    private var sets: [ScalarSet] = []
    private var setIndices: [ScalarSet: Int] = [:]

    /// Where the repetition stands that is being unrolled.
    private var unrolled = 0

    /// Indices of the instruction that comes next.
    private struct Places: Equatable {
        /// When the iteration has read nothing.
        var unread: Int
        var read: Int

        init(unread: Int, read: Int) {
            self.unread = unread
            self.read = read
        }

        init(_ place: Int) {
            self.init(unread: place, read: place)
        }

        static let fail = 0
        static let match = Places(1)
    }

    static func program(
        of node: PatternNode, groups: [String?]
    ) throws(RegularExpressionError) -> PatternProgram {
        var compiler = PatternCompiler()
        let start = try compiler.emit(.group(0, node), then: .match)
        return PatternProgram(
            start: start.read, instructions: compiler.instructions, sets: compiler.sets,
            groupNames: groups)
    }

    private mutating func emit(
        _ node: PatternNode, then next: Places
    ) throws(RegularExpressionError) -> Places {
        switch node {
        case .empty: next
        case .scalar(let scalar): try emitReading(.scalar(scalar.value, next: next.read))
        case .set(let set): try emitReading(.set(index(of: set), next: next.read))
        case .assertion(let assertion): try emit(then: next) { .assert(assertion, next: $0) }
        case .sequence(let parts): try emitSequence(parts, then: next)
        case .alternatives(let parts): try emitAlternatives(parts, then: next)
        case .group(let number, let part): try emitGroup(number, part, then: next)
        case .repeated(let part, let repetition):
            try emitRepetition(of: part, repetition, then: next)
        }
    }

    private mutating func emitSequence(
        _ parts: [PatternNode], then next: Places
    ) throws(RegularExpressionError) -> Places {
        var next = next
        for part in parts.reversed() { next = try emit(part, then: next) }
        return next
    }

    private mutating func emitAlternatives(
        _ parts: [PatternNode], then next: Places
    ) throws(RegularExpressionError) -> Places {
        var entry: Places?
        for part in parts.reversed() {
            let way = try emit(part, then: next)
            if let others = entry { entry = try emitSplit(way, others) } else { entry = way }
        }
        return entry ?? next
    }

    private mutating func emitGroup(
        _ number: Int, _ part: PatternNode, then next: Places
    ) throws(RegularExpressionError) -> Places {
        let end = try emit(then: next) { .save(slot: 2 * number + 1, next: $0) }
        let entry = try emit(part, then: end)
        return try emit(then: entry) { .save(slot: 2 * number, next: $0) }
    }

    private mutating func emitRepetition(
        of part: PatternNode, _ repetition: PatternRepetition, then next: Places
    ) throws(RegularExpressionError) -> Places {
        let isNullable = part.isNullable
        var minimum = repetition.minimum
        var entry = next
        if let maximum = repetition.maximum {
            for _ in minimum..<maximum {
                unrolled = repetition.offset
                let last = Places(unread: isNullable ? Places.fail : entry.read, read: entry.read)
                let body = Places(try emitIteration(of: part, repetition, then: last).unread)
                entry = try emitSplit(body, next, isGreedy: repetition.isGreedy)
            }
        } else {
            let head = try emit(.fail)
            let last = Places(unread: isNullable ? Places.fail : head, read: head)
            let body = try emitIteration(of: part, repetition, then: last).unread
            instructions[head] = repetition.split(body, next.read)
            if minimum > 0, !isNullable {
                // The last iteration that must be and those that may be are one.
                minimum -= 1
                entry = Places(body)
            } else if next.unread == next.read {
                entry = Places(head)
            } else {
                entry = Places(unread: try emit(repetition.split(body, next.unread)), read: head)
            }
        }
        for _ in 0..<minimum {
            unrolled = repetition.offset
            entry = try emitIteration(of: part, repetition, then: entry)
        }
        return entry
    }

    private mutating func emitIteration(
        of part: PatternNode, _ repetition: PatternRepetition, then next: Places
    ) throws(RegularExpressionError) -> Places {
        let entry = try emit(part, then: next)
        let groups = repetition.groups
        guard !groups.isEmpty, repetition.maximum != 1 else { return entry }
        let slots = 2 * groups.lowerBound..<2 * groups.upperBound
        return try emit(then: entry) { .clear(slots: slots, next: $0) }
    }

    private mutating func emitSplit(
        _ first: Places, _ second: Places, isGreedy: Bool = true
    ) throws(RegularExpressionError) -> Places {
        let (first, second) = isGreedy ? (first, second) : (second, first)
        let read = try emit(.split(first.read, second.read))
        guard first.unread != first.read || second.unread != second.read else {
            return Places(read)
        }
        return Places(unread: try emit(.split(first.unread, second.unread)), read: read)
    }

    private mutating func emitReading(
        _ instruction: PatternProgram.Instruction
    ) throws(RegularExpressionError) -> Places {
        Places(try emit(instruction))
    }

    /// Emits an instruction that reads nothing: twice where it matters whether something was read.
    private mutating func emit(
        then next: Places, _ instruction: (Int) -> PatternProgram.Instruction
    ) throws(RegularExpressionError) -> Places {
        let read = try emit(instruction(next.read))
        guard next.unread != next.read else { return Places(read) }
        return Places(unread: try emit(instruction(next.unread)), read: read)
    }

    private mutating func emit(
        _ instruction: PatternProgram.Instruction
    ) throws(RegularExpressionError) -> Int {
        guard instructions.count < RegularExpression.maximumSize else {
            throw RegularExpressionError(
                message: "the pattern is too large: it compiles to more than "
                    + "\(RegularExpression.maximumSize) instructions",
                offset: unrolled)
        }
        instructions.append(instruction)
        return instructions.count - 1
    }

    private mutating func index(of set: ScalarSet) -> Int {
        if let index = setIndices[set] { return index }
        sets.append(set)
        setIndices[set] = sets.count - 1
        return sets.count - 1
    }
}

extension PatternRepetition {
    fileprivate func split(_ body: Int, _ exit: Int) -> PatternProgram.Instruction {
        isGreedy ? .split(body, exit) : .split(exit, body)
    }
}
