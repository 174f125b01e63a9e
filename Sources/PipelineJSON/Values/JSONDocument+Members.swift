extension JSONDocument {
    /// The indices of the values that an array or object holds, in order; none for a scalar.
    ///
    /// Of a doubled name only the last one counts, as everywhere (RFC 8259 section 4 leaves it open).
    func children(of index: Int) -> [Int] {
        nodes[index].isObject ? memberValues(of: index) : elements(of: index)
    }

    /// The values of an object's doubled names that do not count.
    func hiddenValues(of index: Int) -> [Int] {
        guard nodes[index].isObject else { return [] }
        let values = everyMemberValue(of: index)
        guard mayHoldDoubledNames(values) else { return [] }
        let visible = lastValues(values, of: index)
        return visible.count == values.count ? [] : Array(Set(values).subtracting(visible))
    }

    /// The element at a place from the start, or from the end when it is negative; nil without one.
    func element(at place: Int, of index: Int) -> Int? {
        let node = nodes[index]
        let place = place < 0 ? node.count + place : place
        guard node.kind == .array, 0..<node.count ~= place else { return nil }
        var element = index + 1
        for _ in 0..<place { element = next(after: element) }
        return element
    }

    private func elements(of index: Int) -> [Int] {
        guard nodes[index].isContainer else { return [] }
        var elements: [Int] = []
        elements.reserveCapacity(nodes[index].count)
        var element = index + 1
        while element < next(after: index) {
            elements.append(element)
            element = next(after: element)
        }
        return elements
    }

    private func memberValues(of object: Int) -> [Int] {
        let values = everyMemberValue(of: object)
        return mayHoldDoubledNames(values) ? lastValues(values, of: object) : values
    }

    private func lastValues(_ values: [Int], of object: Int) -> [Int] {
        let table = MemberTable(JSONValue(document: self, index: object))
        return values.filter { value in
            table.value(of: JSONStringContent(document: self, index: value - 1)) == value
        }
    }

    private func everyMemberValue(of object: Int) -> [Int] {
        var values: [Int] = []
        values.reserveCapacity(nodes[object].count)
        var name = object + 1
        while name < next(after: object) {
            values.append(name + 1)
            name = next(after: name + 1)
        }
        return values
    }

    /// Whether names have to be compared in full; nearly never so for a small object.
    private func mayHoldDoubledNames(_ values: [Int]) -> Bool {
        guard values.count <= MemberTable.few else { return true }
        for (place, value) in values.enumerated() {
            guard !nodes[value - 1].hasEscapes else { return true }
            let mark = mark(ofName: value - 1)
            for other in values[..<place] where self.mark(ofName: other - 1) == mark { return true }
        }
        return false
    }

    /// What differs for nearly all names that differ: their length, third last and last byte.
    private func mark(ofName name: Int) -> UInt32 {
        let node = nodes[name]
        let last = Int(node.start + node.length) - 2
        return node.length << 16 | UInt32(bytes[max(last - 2, Int(node.start))]) << 8
            | UInt32(bytes[last])
    }
}
