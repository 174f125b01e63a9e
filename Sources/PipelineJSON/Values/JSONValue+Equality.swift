extension JSONValue: Equatable {
    /// Whether both are the same value, however they are written.
    ///
    /// Numbers are compared by their exact decimal value, strings byte for byte once their escapes are
    /// undone, arrays in order, and objects whatever the order of their members; of a doubled name the
    /// last one counts. Takes no stack however deep the values are, and about linear time.
    public static func == (left: JSONValue, right: JSONValue) -> Bool {
        var pending = [(left, right)]
        while let (left, right) = pending.popLast() {
            guard left.isShallowlyEqual(to: right, pending: &pending) else { return false }
        }
        return true
    }

    /// Compares without descending: containers inside these are left in `pending`.
    private func isShallowlyEqual(
        to other: JSONValue, pending: inout [(JSONValue, JSONValue)]
    ) -> Bool {
        guard kind == other.kind else { return false }
        switch kind {
        case .null:
            return true
        case .boolean:
            return boolean == other.boolean
        case .number:
            return sourceBytes == other.sourceBytes
                || ExactDecimal(sourceBytes) == ExactDecimal(other.sourceBytes)
        case .string:
            return content == other.content
        case .array:
            guard count == other.count else { return false }
            for pair in zip(elements, other.elements) {
                guard pair.0.isEqualOrPending(to: pair.1, &pending) else { return false }
            }
            return true
        case .object:
            return hasEqualMembers(to: other, pending: &pending)
        }
    }

    private func hasEqualMembers(
        to other: JSONValue, pending: inout [(JSONValue, JSONValue)]
    ) -> Bool {
        let names = MemberTable(self)
        let otherNames = MemberTable(other)
        for member in members where names.value(of: member.content) == member.value.index {
            guard let index = otherNames.value(of: member.content) else { return false }
            let value = JSONValue(document: other.document, index: index)
            guard member.value.isEqualOrPending(to: value, &pending) else { return false }
        }
        return other.members.allSatisfy { names.value(of: $0.content) != nil }
    }

    private func isEqualOrPending(
        to other: JSONValue, _ pending: inout [(JSONValue, JSONValue)]
    ) -> Bool {
        guard node.isContainer else { return isShallowlyEqual(to: other, pending: &pending) }
        pending.append((self, other))
        return true
    }
}
