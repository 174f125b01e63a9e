extension JSONValue: Hashable {
    /// Equal values have the same hash, however they are written.
    ///
    /// Takes no stack however deep the value is, and about linear time.
    public func hash(into hasher: inout Hasher) {
        guard node.isContainer else {
            hashScalar(into: &hasher)
            return
        }
        /// The hash of each node from here on. What a container holds comes after it, so going back
        /// from the end finds all that a hash is made of.
        var hashes = Array(repeating: 0, count: end - index)
        for place in hashes.indices.reversed() {
            hashes[place] = JSONValue(document: document, index: index + place).hash { child in
                hashes[child - index]
            }
        }
        hasher.combine(hashes[0])
    }

    /// The hash of this node from those of the nodes it holds.
    private func hash(_ hash: (Int) -> Int) -> Int {
        var hasher = Hasher()
        guard node.isContainer else {
            hashScalar(into: &hasher)
            return hasher.finalize()
        }
        hasher.combine(node.isObject)
        if node.isObject {
            // A sum, since the order of members does not count.
            var sum = 0
            for value in document.children(of: index) {
                var member = Hasher()
                member.combine(hash(value - 1))
                member.combine(hash(value))
                sum &+= member.finalize()
            }
            hasher.combine(sum)
        } else {
            for element in document.children(of: index) { hasher.combine(hash(element)) }
        }
        return hasher.finalize()
    }

    private func hashScalar(into hasher: inout Hasher) {
        switch kind {
        case .number: hasher.combine(ExactDecimal(sourceBytes))
        case .string: hasher.combine(content)
        default: hasher.combine(sourceBytes)
        }
    }
}
