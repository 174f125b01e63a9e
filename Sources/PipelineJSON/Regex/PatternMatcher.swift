/// Runs a program over a text, all paths at once and one scalar after the other (Pike's machine).
///
/// The paths are kept in the order in which a backtracking matcher would try them, and the first one to
/// come to an instruction at a place is the only one to go on from it. So each scalar costs at most one
/// visit of each instruction, and the result is that of the backtracking matcher.
///
/// Not copyable for the reason that `JSONParser` is not: a copy would own the arrays too, and each
/// change would copy them.
struct PatternMatcher: ~Copyable {
    private let program: PatternProgram
    private let text: UnsafeBufferPointer<UInt8>

    /// How many slots each path keeps: none when only the fact of a match is wanted.
    private let slotCount: Int

    private var current: Paths
    private var next: Paths

    /// The slots of the path that is being followed.
    private var slots: [Int]

    /// For each instruction the last step that came to it.
    private var visits: [Int]
    private var step = 0
    private var pending: [Pending] = []

    /// How many instructions were looked at.
    private(set) var work = 0

    /// The work at which to look for a cancellation; a million instructions take some 20 ms.
    private var nextLook = lookInterval
    private static let lookInterval = 1 << 20

    /// Paths that wait for a scalar, in the order of priority: their instructions and slots.
    private struct Paths {
        private(set) var count = 0
        private var instructions: [Int]
        private var slots: [Int] = []

        init(capacity: Int) {
            instructions = Array(repeating: 0, count: capacity)
        }

        subscript(_ path: Int) -> Int { instructions[path] }

        func slot(_ slot: Int, ofPath path: Int, count: Int) -> Int { slots[path * count + slot] }

        mutating func append(_ instruction: Int, slots more: [Int]) {
            instructions[count] = instruction
            count += 1
            if !more.isEmpty { slots += more }
        }

        mutating func removeAll() {
            count = 0
            if !slots.isEmpty { slots.removeAll(keepingCapacity: true) }
        }
    }

    private enum Pending {
        case follow(Int)
        case restore(slot: Int, Int)
    }

    init(
        _ program: PatternProgram, _ text: UnsafeBufferPointer<UInt8>, recordsGroups: Bool
    ) {
        self.program = program
        self.text = text
        slotCount = recordsGroups ? program.slotCount : 0
        slots = Array(repeating: -1, count: slotCount)
        current = Paths(capacity: program.instructions.count)
        next = current
        visits = Array(repeating: 0, count: program.instructions.count)
    }

    /// The first match that begins at an offset or after it.
    mutating func search(from start: Int) -> RegularExpression.Match? {
        guard let slots = run(from: start, isWhole: false) else { return nil }
        return match(slots)
    }

    mutating func isFound() -> Bool {
        run(from: 0, isWhole: false) != nil
    }

    mutating func matchesWhole() -> Bool {
        run(from: 0, isWhole: true) != nil
    }

    /// The offset of the scalar after the one at an offset; beyond the end when there is none.
    func position(after offset: Int) -> Int {
        offset < text.count ? offset + text.scalar(at: offset).length : offset + 1
    }

    /// The slots of the match that is preferred.
    private mutating func run(from start: Int, isWhole: Bool) -> [Int]? {
        var found: [Int]?
        var position = start
        beginStep()
        begin(at: position)
        while true {
            swap(&current, &next)
            beginStep()
            let scalar =
                position < text.count ? text.scalar(at: position) : (value: .max, length: 1)
            paths: for path in 0..<current.count {
                let after: Int
                switch program.instructions[current[path]] {
                case .scalar(scalar.value, let next):
                    after = next
                case .set(let set, let next)
                where position < text.count && program.sets[set].contains(scalar.value):
                    after = next
                case .match where !isWhole || position == text.count:
                    if slotCount == 0 { return [] }
                    restoreSlots(ofPath: path)
                    found = slots
                    // What comes after a match in priority is of no interest.
                    break paths
                default:
                    continue
                }
                restoreSlots(ofPath: path)
                follow(from: after, at: position + scalar.length)
            }
            guard position < text.count, !shouldGiveUp() else { return found }
            position += scalar.length
            if found == nil, !isWhole {
                if next.count == 0 { position = nextStart(from: position) }
                if canStart(at: position) { begin(at: position) }
            }
            if next.count == 0, isWhole || found != nil { return found }
        }
    }

    /// Begins a path, after all others in priority.
    private mutating func begin(at position: Int) {
        for slot in 0..<slotCount { slots[slot] = -1 }
        follow(from: program.start, at: position)
    }

    private mutating func restoreSlots(ofPath path: Int) {
        for slot in 0..<slotCount {
            slots[slot] = current.slot(slot, ofPath: path, count: slotCount)
        }
    }

    private mutating func shouldGiveUp() -> Bool {
        guard work >= nextLook else { return false }
        nextLook = work + Self.lookInterval
        return MatchingTime.isOver
    }

    private mutating func beginStep() {
        step += 1
        next.removeAll()
    }

    /// Follows all ways from an instruction until they wait for a scalar, the preferred ones first.
    private mutating func follow(from start: Int, at position: Int) {
        followStraight(from: start, at: position)
        while let way = pending.popLast() {
            switch way {
            case .restore(let slot, let value): slots[slot] = value
            case .follow(let index): followStraight(from: index, at: position)
            }
        }
    }

    private mutating func followStraight(from start: Int, at position: Int) {
        var index = start
        while visits[index] != step {
            visits[index] = step
            work += 1
            switch program.instructions[index] {
            case .scalar, .set, .match:
                next.append(index, slots: slots)
                return
            case .fail:
                return
            case .split(let first, let second):
                pending.append(.follow(second))
                index = first
            case .save(let slot, let next):
                set(slot, to: position)
                index = next
            case .clear(let slots, let next):
                for slot in slots { set(slot, to: -1) }
                index = next
            case .assert(let assertion, let next):
                guard holds(assertion, at: position) else { return }
                index = next
            }
        }
    }

    /// Sets a slot until the ways from here are followed.
    private mutating func set(_ slot: Int, to position: Int) {
        guard slotCount > 0, slots[slot] != position else { return }
        pending.append(.restore(slot: slot, slots[slot]))
        slots[slot] = position
    }

    private func match(_ slots: [Int]) -> RegularExpression.Match {
        let groups = stride(from: 0, to: slots.count, by: 2).map { slot in
            slots[slot] >= 0 && slots[slot + 1] >= 0 ? slots[slot]..<slots[slot + 1] : nil
        }
        return RegularExpression.Match(groups: groups, range: (groups.first ?? nil) ?? 0..<0)
    }
}

extension PatternMatcher {
    private func holds(_ assertion: PatternAssertion, at position: Int) -> Bool {
        switch assertion {
        case .start: position == 0
        case .end: position == text.count
        case .wordBoundary: isWord(at: position - 1) != isWord(at: position)
        case .noWordBoundary: isWord(at: position - 1) == isWord(at: position)
        }
    }

    /// The characters of words are ASCII, so a byte tells.
    private func isWord(at offset: Int) -> Bool {
        text.indices.contains(offset) && ScalarSet.word.contains(UInt32(text[offset]))
    }

    private func canStart(at position: Int) -> Bool {
        guard let bytes = program.firstBytes else { return true }
        return position < text.count && bytes.contains(text[position])
    }

    /// The next offset where a match can begin, or the end.
    private func nextStart(from start: Int) -> Int {
        guard let bytes = program.firstBytes else { return start }
        var offset = start
        while offset < text.count, !bytes.contains(text[offset]) { offset += 1 }
        return offset
    }
}
