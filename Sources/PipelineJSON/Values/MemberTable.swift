/// Finds the members of one object by name: by looking in turn when there are few, else by hashing.
package struct MemberTable {
    private let object: JSONValue
    private let valuesByName: [JSONStringContent: Int]?

    /// The members of an object.
    package init(_ object: JSONValue) {
        self.object = object
        guard object.count > Self.few else {
            valuesByName = nil
            return
        }
        valuesByName = Dictionary(
            object.members.lazy.map { ($0.content, $0.value.index) },
            uniquingKeysWith: { _, last in last })
    }

    /// The index of the value of the last member with this name.
    func value(of name: JSONStringContent) -> Int? {
        guard let valuesByName else {
            return object.members.last { $0.content == name }?.value.index
        }
        return valuesByName[name]
    }

    /// The value of the last member with the name of this one.
    package func value(of member: JSONValue.Member) -> JSONValue? {
        value(of: member.content).map { JSONValue(document: object.document, index: $0) }
    }

    /// How many names there are, doubled ones counted once.
    var distinctCount: Int {
        valuesByName?.count
            ?? object.members.count { value(of: $0.content) == $0.value.index }
    }

    /// Up to here comparing every name with every other is faster than hashing them.
    static let few = 16
}

extension Sequence {
    fileprivate func last(where predicate: (Element) -> Bool) -> Element? {
        reduce(nil) { predicate($1) ? $1 : $0 }
    }
}
