public import PipelineJSON

/// A type that values of a run can be read as, see ``RunResult/value(_:as:)``.
public protocol JSONReadable {
    /// Reads a value that is of this type, and converts nothing.
    init(reading value: JSONValue) throws(JSONMismatch)
}

/// Why a JSON value cannot be read as a type.
public struct JSONMismatch: Error, Sendable, Hashable, CustomStringConvertible {
    private let expected: String
    private let found: String
    private var path = ""

    /// What was expected instead of this value; the value itself is not told, it may be a secret.
    public init(expected: String, found value: JSONValue) {
        self.init(expected: expected, found: value.kind.withArticle)
    }

    fileprivate init(expected: String, found: String) {
        self.expected = expected
        self.found = found
    }

    /// The same, seen from what holds the value.
    fileprivate func within(_ step: String) -> JSONMismatch {
        var copy = self
        copy.path = step + path
        return copy
    }

    /// Such as `expected an integer, found a string at [2].id`.
    public var description: String {
        "expected \(expected), found \(found)" + (path.isEmpty ? "" : " at \(path)")
    }
}

extension String: JSONReadable {
    /// The content of a string.
    public init(reading value: JSONValue) throws(JSONMismatch) {
        guard let string = value.string else {
            throw JSONMismatch(expected: "a string", found: value)
        }
        self = string
    }
}

extension Bool: JSONReadable {
    /// `true` or `false`.
    public init(reading value: JSONValue) throws(JSONMismatch) {
        guard let boolean = value.boolean else {
            throw JSONMismatch(expected: "a boolean", found: value)
        }
        self = boolean
    }
}

extension Int: JSONReadable {
    /// A number without a fraction, however it is written.
    public init(reading value: JSONValue) throws(JSONMismatch) {
        guard let number = value.number else {
            throw JSONMismatch(expected: "an integer", found: value)
        }
        guard let integer = number.int else {
            let found =
                number.isInteger
                ? "an integer that does not fit in Int" : "a number with a fraction"
            throw JSONMismatch(expected: "an integer", found: found)
        }
        self = integer
    }
}

extension Double: JSONReadable {
    /// The `Double` that is nearest to a number.
    public init(reading value: JSONValue) throws(JSONMismatch) {
        guard let number = value.number else {
            throw JSONMismatch(expected: "a number", found: value)
        }
        guard number.double.isFinite else {
            throw JSONMismatch(
                expected: "a number", found: "a number beyond the range of Double")
        }
        self = number.double
    }
}

extension JSONValue: JSONReadable {
    /// The value itself.
    public init(reading value: JSONValue) throws(JSONMismatch) { self = value }
}

extension Array: JSONReadable where Element: JSONReadable {
    /// The elements of an array.
    public init(reading value: JSONValue) throws(JSONMismatch) {
        guard value.kind == .array else {
            throw JSONMismatch(expected: "an array", found: value)
        }
        self = []
        for element in value.elements {
            do throws(JSONMismatch) {
                append(try Element(reading: element))
            } catch {
                throw error.within("[\(count)]")
            }
        }
    }
}

extension Dictionary: JSONReadable where Key == String, Value: JSONReadable {
    /// The members of an object; of a doubled name the last.
    public init(reading value: JSONValue) throws(JSONMismatch) {
        guard value.kind == .object else {
            throw JSONMismatch(expected: "an object", found: value)
        }
        self = [:]
        for member in value.members {
            do throws(JSONMismatch) {
                self[member.name] = try Value(reading: member.value)
            } catch {
                throw error.within(".\(member.name)")
            }
        }
    }
}

extension Optional: JSONReadable where Wrapped: JSONReadable {
    /// `nil` for `null`.
    public init(reading value: JSONValue) throws(JSONMismatch) {
        self = value.isNull ? nil : try Wrapped(reading: value)
    }
}

extension JSONValue.Kind {
    fileprivate var withArticle: String {
        switch self {
        case .null: "null"
        case .array, .object: "an \(rawValue)"
        case .boolean, .number, .string: "a \(rawValue)"
        }
    }
}
