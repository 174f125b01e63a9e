/// The order in which declared variables can be worked out, each after those it uses.
struct VariableOrder {
    /// The slots, those that are used first.
    private(set) var slots: [Int] = []
    /// Variables that need each other in a circle; `nil` when there is none.
    private(set) var cycle: [Int]?

    init(_ table: VariableTable) {
        var marks = [Mark](repeating: .unseen, count: table.entries.count)
        for slot in table.entries.indices where cycle == nil {
            visit(slot, table, &marks)
        }
    }

    private enum Mark { case unseen, open, done }

    /// Walks the uses of one variable with a stack of its own: chains may be long.
    private mutating func visit(_ start: Int, _ table: VariableTable, _ marks: inout [Mark]) {
        guard marks[start] == .unseen else { return }
        var path: [(slot: Int, uses: ArraySlice<Int>)] = []
        func enter(_ slot: Int, _ marks: inout [Mark]) {
            marks[slot] = .open
            path.append((slot, table.uses(of: slot)[...]))
        }
        enter(start, &marks)
        while let (slot, uses) = path.last {
            guard let next = uses.first else {
                marks[slot] = .done
                slots.append(slot)
                path.removeLast()
                continue
            }
            path[path.count - 1].uses = uses.dropFirst()
            switch marks[next] {
            case .unseen: enter(next, &marks)
            case .done: break
            case .open:
                cycle = path.drop { $0.slot != next }.map(\.slot)
                return
            }
        }
    }
}

extension VariableTable {
    /// The slots that a variable's value uses.
    fileprivate func uses(of slot: Int) -> [Int] {
        guard case .declared(let template) = entries[slot].source else { return [] }
        return template.placeholders.compactMap {
            if case .slot(let used) = $0.reference { used } else { nil }
        }
    }
}
