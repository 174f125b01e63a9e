/// Finds the members of one object by name: by looking in turn when there are few, else by hashing.
struct MemberTable {
    private let object: JSONValue
    private let valuesByName: [JSONStringContent: Int]?

    init(_ object: JSONValue) {
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
