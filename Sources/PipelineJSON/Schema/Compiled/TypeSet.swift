/// The types that the keyword `type` names.
struct TypeSet: OptionSet {
    let rawValue: UInt8

    static let null = TypeSet(rawValue: 1 << 0)
    static let boolean = TypeSet(rawValue: 1 << 1)
    static let string = TypeSet(rawValue: 1 << 2)
    static let array = TypeSet(rawValue: 1 << 3)
    static let object = TypeSet(rawValue: 1 << 4)
    static let integer = TypeSet(rawValue: 1 << 5)
    /// Any number, integers too.
    static let number = TypeSet(rawValue: 1 << 6)

    static let names: KeyValuePairs<String, TypeSet> = [
        "null": .null, "boolean": .boolean, "string": .string, "array": .array,
        "object": .object, "integer": .integer, "number": .number,
    ]

    /// Whether the value is of one of these types; `1.0` and `1e2` are integers.
    func accepts(_ value: JSONValue) -> Bool {
        switch value.kind {
        case .null: contains(.null)
        case .boolean: contains(.boolean)
        case .string: contains(.string)
        case .array: contains(.array)
        case .object: contains(.object)
        case .number:
            contains(.number) || contains(.integer) && value.isInteger
        }
    }
}

extension JSONValue {
    fileprivate var isInteger: Bool {
        sourceBytes.allSatisfy { $0.isDigit || $0 == UInt8(ascii: "-") }
            || ExactDecimal(sourceBytes).isInteger
    }
}
