extension JSONValue {
    /// The literal `null`.
    public static let null = built { $0.append(.null, "null") }

    /// A string.
    public init(_ string: String) {
        self = .built { $0.append(string: string) }
    }

    /// `true` or `false`.
    public init(_ boolean: Bool) {
        self = .built { $0.append(.boolean, boolean ? "true" : "false") }
    }

    /// An integer.
    public init(_ integer: Int) {
        self = .built { $0.append(.number, String(integer)) }
    }

    /// A number with the fewest digits that give the same `Double`; nil for infinities and NaN.
    public init?(_ number: Double) {
        guard number.isFinite else { return nil }
        self = .built { $0.append(.number, number.description) }
    }

    /// A number with its digits as they were written.
    public init(_ number: JSONNumber) {
        self = .built { $0.append(.number, number.text) }
    }

    /// An array of copies of these values.
    public init(array: [JSONValue]) {
        self = .built { $0.append(array: array) }
    }

    /// An object with copies of these members in this order; doubled names are kept.
    public init(object: [(name: String, value: JSONValue)]) {
        self = .built { $0.append(object: object) }
    }

    /// A copy that keeps only its own part of the text alive, not all of it.
    ///
    /// For a small value from a large response that is to be kept. `sourceRange` begins at 0 in it.
    public func detached() -> JSONValue {
        .built { $0.append(self) }
    }

    private static func built(_ build: (inout JSONDocument.Builder) -> Void) -> JSONValue {
        var builder = JSONDocument.Builder()
        build(&builder)
        return builder.value()
    }
}

// Not by `nil`: in `condition ? value : nil` it would mean JSON's null instead of nothing.
extension JSONValue: ExpressibleByStringLiteral, ExpressibleByBooleanLiteral,
    ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral, ExpressibleByArrayLiteral,
    ExpressibleByDictionaryLiteral
{
    /// A string.
    public init(stringLiteral value: String) { self.init(value) }

    /// `true` or `false`.
    public init(booleanLiteral value: Bool) { self.init(value) }

    /// An integer.
    public init(integerLiteral value: Int) { self.init(value) }

    /// A number; a finite one, since the compiler refuses a literal that is not.
    public init(floatLiteral value: Double) {
        self = .built { $0.append(.number, value.description) }
    }

    /// An array.
    public init(arrayLiteral elements: JSONValue...) { self.init(array: elements) }

    /// An object whose members keep the order of the literal.
    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        self.init(object: elements.map { (name: $0.0, value: $0.1) })
    }
}
