/// A JSON number: the digits as they were written, compared by the exact decimal value they stand for.
///
/// `1`, `1.0` and `10e-1` are equal, and so are `0` and `-0`; `69187.62` and `69187.62000000001` are
/// not. Nothing passes through `Double`, and an exponent of any size is compared without expanding it.
public struct JSONNumber: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// The number as it was written.
    public let text: String

    /// A number in the grammar of RFC 8259 section 6; nil for any other text.
    public init?(_ text: String) {
        guard let value = try? JSONValue(parsing: text), value.kind == .number,
            value.sourceRange == 0..<text.utf8.count
        else { return nil }
        self.text = text
    }

    package init(validated text: String) {
        self.text = text
    }

    /// The number as an integer; nil when it has a fraction or does not fit.
    ///
    /// How it is written does not matter: `1.0` and `1e2` are integers.
    public var int: Int? { ExactDecimal(text.utf8).int }

    /// Whether the value is a whole number, of any size and however it is written.
    public var isInteger: Bool { ExactDecimal(text.utf8).isInteger }

    /// The nearest `Double`, infinite for a number beyond its range.
    public var double: Double { Double(text) ?? .nan }

    /// The number as it was written.
    public var description: String { text }

    /// Whether both stand for exactly the same value, however they are written.
    public static func == (left: JSONNumber, right: JSONNumber) -> Bool {
        ExactDecimal(left.text.utf8) == ExactDecimal(right.text.utf8)
    }

    /// The order of the exact values.
    public static func < (left: JSONNumber, right: JSONNumber) -> Bool {
        ExactDecimal(left.text.utf8) < ExactDecimal(right.text.utf8)
    }

    /// Numbers that are equal have the same hash, however they are written.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(ExactDecimal(text.utf8))
    }
}
