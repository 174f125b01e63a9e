import PipelineJSON

/// Compares a value with its shape and collects everything that does not fit.
struct ShapeValidator {
    private(set) var problems: [Problem] = []
    /// How many shapes that hold themselves are open.
    private var depth = 0

    /// How deeply matchers may be nested.
    static let maximumDepth = 32

    mutating func validate(_ value: JSONValue, _ shape: Shape) {
        switch shape {
        case .json: break
        case .text, .template, .form, .boolean, .constant, .number, .null, .anyObject:
            validateScalar(value, shape)
        case .integer(let range):
            guard value.kind == .number else { return report(shape, value) }
            guard let number = value.number?.int, range.contains(number) else {
                return report(
                    "expected \(shape.described), found \(value.sourceText.shortened)",
                    value.sourceRange)
            }
        case .numberWithin(let range):
            guard value.kind == .number else { return report(shape, value) }
            guard let number = value.number?.double, range.contains(number) else {
                return report(
                    "expected \(shape.described), found \(value.sourceText.shortened)",
                    value.sourceRange)
            }
        case .object(let object):
            guard value.kind == .object else { return report(shape, value) }
            validate(value, object)
        case .map(let element, let names):
            guard value.kind == .object else { return report(shape, value) }
            for member in value.members {
                if let names, !names.accepts(member.name) {
                    report("\(member.nameText) is not \(names.name)", member.nameRange)
                }
                validate(member.value, element)
            }
        case .list(let element, let minimum, let maximum):
            guard value.kind == .array else { return report(shape, value) }
            for value in value.elements { validate(value, element) }
            if value.count < minimum || value.count > maximum {
                let wanted =
                    minimum == maximum ? "\(minimum) elements" : "at least one element"
                let found = value.count == 0 ? "none" : "\(value.count)"
                report("expected \(wanted), found \(found)", value.sourceRange)
            }
        case .recursive(let shape):
            guard depth < Self.maximumDepth else {
                return report("nested too deeply", Self.opening(of: value))
            }
            depth += 1
            validate(value, shape())
            depth -= 1
        case .either(let shapes):
            guard let match = shapes.first(where: { $0.kinds.contains(value.kind) }) else {
                return report(shape, value)
            }
            validate(value, match)
        }
    }

    private mutating func validateScalar(_ value: JSONValue, _ shape: Shape) {
        guard shape.kinds.contains(value.kind) else { return report(shape, value) }
        switch shape {
        case .form(let form):
            guard let text = value.string, !form.accepts(text) else { return }
            // One number is as near to another as any: only words can be misspelt.
            let words = form.words.filter { $0.utf8.contains(where: \.isASCIILetter) }
            let hint = NearestName.hint(text, among: words)
            report(
                "expected \(form.name), found \(value.sourceText.shortened)\(hint)",
                value.sourceRange)
        case .constant(let expected) where value.boolean != expected: report(shape, value)
        default: break
        }
    }

    private mutating func validate(_ value: JSONValue, _ object: ObjectShape) {
        var found: [String] = []
        var hasUnknown = false
        for member in value.members {
            guard let key = object.keys.first(where: { $0.name == member.name }) else {
                let names = object.keys.lazy.map(\.name)
                let hint = NearestName.hint(member.name, among: names)
                report(
                    "unknown key \"\(member.name.shortened)\" in \(object.name)\(hint)"
                        + (hint.isEmpty ? Self.otherHint(member.name, object) : ""),
                    member.nameRange)
                hasUnknown = true
                continue
            }
            found.append(key.name)
            validate(member.value, key.shape)
        }
        for name in object.required where !found.contains(name) {
            report("\(object.name) needs \"\(name)\"", Self.opening(of: value))
        }
        if value.count == 0, !object.isEmptyAllowed {
            report("\(object.name) needs at least one key", Self.opening(of: value))
        }
        // What is unknown was probably meant to be what is missing.
        if !hasUnknown { validateChoice(value, object) }
    }

    /// Where a key would be right, if there is such a place.
    private static func otherHint(_ name: String, _ object: ObjectShape) -> String {
        for other in [PipelineFormat.request, PipelineFormat.defaults, PipelineFormat.pipeline] {
            let names = other.keys.lazy.map(\.name)
            guard other.name != object.name, object.unknownKeyHint.isEmpty,
                let meant = NearestName.of(name, among: names)
            else { continue }
            return meant == name
                ? "; it is a key of \(other.name)"
                : "; did you mean \"\(meant)\", a key of \(other.name)?"
        }
        return object.unknownKeyHint
    }

    /// Asks for exactly one of some keys.
    private mutating func validateChoice(_ value: JSONValue, _ object: ObjectShape) {
        guard !object.exactlyOne.isEmpty else { return }
        let chosen = value.members.filter { object.exactlyOne.contains($0.name) }
        if chosen.count == 1 { return }
        let names = object.exactlyOne.map { "\"\($0)\"" }.joined(separator: ", ")
        let wanted = object.exactlyOne.count == 1 ? names : "exactly one of \(names)"
        if chosen.isEmpty {
            report("\(object.name) needs \(wanted)", Self.opening(of: value))
        } else if chosen.count > 1, chosen[0].name != chosen[1].name {
            report(
                "\"\(chosen[1].name)\" beside \"\(chosen[0].name)\": "
                    + "\(object.name) needs \(wanted)",
                chosen[1].nameRange)
        }
    }

    private mutating func report(_ shape: Shape, _ value: JSONValue) {
        let found =
            value.kind == .number
            ? "the number \(value.sourceText.shortened)" : value.kind.described
        let isUnitMissing = value.kind == .number && shape.needsUnit
        report(
            "expected \(shape.described), found \(found)"
                + (isUnitMissing ? ": a number needs a unit" : ""),
            value.kind == .object || value.kind == .array
                ? Self.opening(of: value) : value.sourceRange)
    }

    private mutating func report(_ message: String, _ bytes: Range<Int>) {
        problems.append(Problem(message: message, place: SourcePlace(bytes)))
    }

    /// The bracket that a value begins with.
    private static func opening(of value: JSONValue) -> Range<Int> {
        value.sourceRange.lowerBound..<value.sourceRange.lowerBound + 1
    }
}

extension Shape {
    /// The JSON types that a value of this shape may have.
    var kinds: [JSONValue.Kind] {
        switch self {
        case .json: JSONValue.Kind.allCases
        case .text, .template, .form: [.string]
        case .boolean, .constant: [.boolean]
        case .integer, .number, .numberWithin: [.number]
        case .null: [.null]
        case .object, .map, .anyObject: [.object]
        case .list: [.array]
        case .either(let shapes): shapes.flatMap(\.kinds)
        case .recursive(let shape): shape().kinds
        }
    }

    /// What messages say is expected.
    var described: String {
        switch self {
        case .json: "a value"
        case .text, .template: "a string"
        case .form(let form): form.name
        case .boolean: "true or false"
        case .constant(let value): "\(value)"
        case .integer(let range) where range.count == 1: "\(range.lowerBound)"
        case .integer(let range): "a whole number from \(range.lowerBound) to \(range.upperBound)"
        case .number: "a number"
        case .numberWithin(let range):
            "a number from \(range.lowerBound.shown) to \(range.upperBound.shown)"
        case .null: "null"
        case .object(let object): "\(object.name) (an object)"
        case .map, .anyObject: "an object"
        case .recursive(let shape): shape().described
        case .list: "an array"
        case .either(let shapes):
            shapes.map(\.described).reduce(into: [String]()) { unique, text in
                if !unique.contains(text) { unique.append(text) }
            }.joined(separator: " or ")
        }
    }

    /// Whether a bare number was probably meant to be a duration or a size.
    fileprivate var needsUnit: Bool {
        switch self {
        case .form(let form): form.hasUnit
        case .either(let shapes): shapes.contains { $0.needsUnit }
        default: false
        }
    }
}

extension Double {
    /// Without decimals where there are none.
    fileprivate var shown: String { Int(exactly: self).map(String.init) ?? "\(self)" }
}

extension JSONValue.Kind {
    /// What messages call a value of this type.
    package var described: String {
        switch self {
        case .null: "null"
        case .boolean: "a Boolean"
        case .number: "a number"
        case .string: "a string"
        case .array: "an array"
        case .object: "an object"
        }
    }
}
