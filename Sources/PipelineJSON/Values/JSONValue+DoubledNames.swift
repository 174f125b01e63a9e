extension JSONValue {
    /// A name that stands twice in one object, which RFC 8259 section 4 advises against.
    package struct DoubledName: Sendable {
        /// The member whose name stood before.
        package let first: Member

        /// The member that has the same name again.
        package let second: Member
    }

    /// The doubled names in this value and all that it holds, in the order of the text.
    ///
    /// Names are compared with their escapes undone. A name that stands three times is given twice.
    /// Takes about linear time; stops once `limit` are found.
    package func doubledNames(limit: Int = .max) -> [DoubledName] {
        var doubled: [DoubledName] = []
        for index in index..<end
        where document.nodes[index].isObject && document.nodes[index].count > 1 {
            JSONValue(document: document, index: index).appendDoubledNames(to: &doubled)
            if doubled.count >= limit { break }
        }
        doubled.sort { $0.second.value.index < $1.second.value.index }
        return Array(doubled.prefix(limit))
    }

    private func appendDoubledNames(to doubled: inout [DoubledName]) {
        guard count > MemberTable.few else {
            for (place, second) in members.enumerated() {
                guard
                    let first = members.prefix(place).first(where: { $0.content == second.content })
                else { continue }
                doubled.append(DoubledName(first: first, second: second))
            }
            return
        }
        var seen: [JSONStringContent: Member] = [:]
        seen.reserveCapacity(count)
        for member in members {
            if let first = seen[member.content] {
                doubled.append(DoubledName(first: first, second: member))
            } else {
                seen[member.content] = member
            }
        }
    }
}
