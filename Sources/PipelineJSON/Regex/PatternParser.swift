/// Reads a regular expression by the grammar of ECMA-262 (with the `u` flag) or of RFC 9485.
///
/// Groups are kept on a stack of its own, so that nesting takes none of the thread's.
struct PatternParser {
    let bytes: [UInt8]
    let syntax: RegularExpression.Syntax
    var offset = 0

    /// The name, if any, of each group that captures.
    private(set) var groupNames: [String?] = []

    private var enclosing: [OpenGroup] = []

    init(_ pattern: String, syntax: RegularExpression.Syntax) {
        bytes = Array(pattern.utf8)
        self.syntax = syntax
    }

    /// A group whose end was not read yet.
    private struct OpenGroup {
        let start: Int
        /// Nil when it does not capture.
        let number: Int?
        /// The number of the first group in it, itself included.
        let firstNumber: Int
        private var alternatives: [PatternNode] = []
        private var parts: [PatternNode] = []

        init(start: Int, number: Int? = nil, firstNumber: Int) {
            self.start = start
            self.number = number
            self.firstNumber = firstNumber
        }

        mutating func append(_ part: PatternNode) {
            if !part.isEmpty { parts.append(part) }
        }

        mutating func endAlternative() {
            alternatives.append(sequence)
            parts = []
        }

        var node: PatternNode {
            let all = alternatives.isEmpty ? sequence : .alternatives(alternatives + [sequence])
            return number.map { .group($0, all) } ?? all
        }

        private var sequence: PatternNode {
            parts.isEmpty ? .empty : parts.count == 1 ? parts[0] : .sequence(parts)
        }
    }

    mutating func parse() throws(RegularExpressionError) -> PatternNode {
        var group = OpenGroup(start: 0, firstNumber: 1)
        while let byte = next {
            switch byte {
            case UInt8(ascii: "("):
                enclosing.append(group)
                group = try openGroup()
            case UInt8(ascii: ")"):
                guard var outer = enclosing.popLast() else { throw error("')' closes no group") }
                offset += 1
                let numbers = group.firstNumber..<groupNames.count + 1
                outer.append(try repeated(group.node, groups: numbers))
                group = outer
            case UInt8(ascii: "|"):
                offset += 1
                group.endAlternative()
            case UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: "?"), UInt8(ascii: "{"):
                throw error("there is nothing before \(found) to repeat")
            default:
                if let assertion = assertion() {
                    group.append(.assertion(assertion))
                } else {
                    group.append(try repeated(try atom(), groups: 0..<0))
                }
            }
        }
        guard enclosing.isEmpty else {
            throw error("this group is not closed: expected ')'", at: group.start)
        }
        return group.node
    }

    private mutating func openGroup() throws(RegularExpressionError) -> OpenGroup {
        let start = offset
        guard enclosing.count <= RegularExpression.maximumDepth else {
            throw error("groups are nested more than \(RegularExpression.maximumDepth) deep")
        }
        offset += 1
        let firstNumber = groupNames.count + 1
        var name: String?
        if next == UInt8(ascii: "?") {
            guard syntax == .ecmaScript else {
                throw error("groups with '(?' are not part of I-Regexp (RFC 9485)", at: start)
            }
            offset += 1
            if skip(":") { return OpenGroup(start: start, firstNumber: firstNumber) }
            name = try groupName(from: start)
        }
        guard firstNumber <= RegularExpression.maximumGroupCount else {
            throw error(
                "there are more than \(RegularExpression.maximumGroupCount) groups; "
                    + "one that need not capture is written '(?:…)'", at: start)
        }
        groupNames.append(name)
        return OpenGroup(start: start, number: firstNumber, firstNumber: firstNumber)
    }

    private mutating func groupName(from start: Int) throws(RegularExpressionError) -> String {
        switch next {
        case UInt8(ascii: "="), UInt8(ascii: "!"):
            throw error("look-ahead is not supported", at: start)
        case UInt8(ascii: "<"):
            offset += 1
        case let byte? where byte == UInt8(ascii: "-") || byte.isASCIILetter:
            throw error(
                "flags within a pattern are not supported; upper and lower case always differ",
                at: start)
        default:
            throw error("expected ':' or '<' after '(?', found \(found)")
        }
        if next == UInt8(ascii: "=") || next == UInt8(ascii: "!") {
            throw error("look-behind is not supported", at: start)
        }
        let nameStart = offset
        var name = String.UnicodeScalarView()
        while let scalar = nextScalar, scalar != ">" {
            let isAllowed =
                scalar == "$" || scalar == "_"
                || (name.isEmpty
                    ? scalar.properties.isIDStart : scalar.properties.isIDContinue)
            guard isAllowed else { throw error("\(found) cannot stand here in a group's name") }
            name.append(scalar)
            offset += UTF8.width(scalar)
        }
        guard !name.isEmpty, skip(">") else {
            throw error("expected a group's name and '>', found \(found)")
        }
        guard !groupNames.contains(String(name)) else {
            throw error("another group is named '\(String(name))' already", at: nameStart)
        }
        return String(name)
    }

    private mutating func assertion() -> PatternAssertion? {
        if skip("^") { return .start }
        if skip("$") { return .end }
        guard syntax == .ecmaScript, next == UInt8(ascii: "\\"), offset + 1 < bytes.count else {
            return nil
        }
        let assertion: PatternAssertion
        switch bytes[offset + 1] {
        case UInt8(ascii: "b"): assertion = .wordBoundary
        case UInt8(ascii: "B"): assertion = .noWordBoundary
        default: return nil
        }
        offset += 2
        return assertion
    }

    private mutating func atom() throws(RegularExpressionError) -> PatternNode {
        switch next {
        case UInt8(ascii: "."):
            offset += 1
            return .set(syntax == .iRegexp ? .allButLineBreaks : .allButLineTerminators)
        case UInt8(ascii: "["):
            return .set(try characterClass())
        case UInt8(ascii: "\\"):
            switch try escape(isInClass: false) {
            case .scalar(let scalar): return .scalar(scalar)
            case .set(let ranges, let categories):
                return .set(ScalarSet(ranges, categories: categories))
            }
        case UInt8(ascii: "]"), UInt8(ascii: "}"):
            throw error("\(found) closes nothing; the character is written with '\\' before it")
        default:
            return .scalar(takeScalar())
        }
    }
}

extension PatternParser {
    /// A part with the repetition that is written after it, if any.
    private mutating func repeated(
        _ node: PatternNode, groups: Range<Int>
    ) throws(RegularExpressionError) -> PatternNode {
        var repetition = PatternRepetition(minimum: 0, groups: groups, offset: offset)
        switch next {
        case UInt8(ascii: "*"): offset += 1
        case UInt8(ascii: "+"):
            offset += 1
            repetition.minimum = 1
        case UInt8(ascii: "?"):
            offset += 1
            repetition.maximum = 1
        case UInt8(ascii: "{"):
            try readBounds(of: &repetition)
        default:
            return node
        }
        if syntax == .ecmaScript, skip("?") { repetition.isGreedy = false }
        return node.isEmpty || repetition.maximum == 0 ? .empty : .repeated(node, repetition)
    }

    private mutating func readBounds(
        of repetition: inout PatternRepetition
    ) throws(RegularExpressionError) {
        offset += 1
        guard let minimum = number() else {
            throw error("expected a number after '{'; the character itself is written '\\{'")
        }
        repetition.minimum = minimum
        repetition.maximum = skip(",") ? number() : minimum
        guard skip("}") else { throw error("expected '}' to end the repetition, found \(found)") }
        if let maximum = repetition.maximum, maximum < minimum {
            throw error("the numbers of a repetition are out of order", at: repetition.offset)
        }
    }

    /// Digits, if any; one too large for a program is as good as any other.
    private mutating func number() -> Int? {
        var number: Int?
        while let byte = next, byte.isDigit {
            number = min((number ?? 0) * 10 + Int(byte & 0xF), 1 << 30)
            offset += 1
        }
        return number
    }
}

extension PatternParser {
    var next: UInt8? { offset < bytes.count ? bytes[offset] : nil }

    var nextScalar: Unicode.Scalar? {
        offset < bytes.count ? Unicode.Scalar(bytes.scalar(at: offset).value) : nil
    }

    var found: String { nextScalar.map { "'\($0)'" } ?? "the end of the pattern" }

    mutating func takeScalar() -> Unicode.Scalar {
        defer { offset += bytes.scalar(at: offset).length }
        return nextScalar ?? "\u{FFFD}"
    }

    mutating func skip(_ character: Unicode.Scalar) -> Bool {
        guard next == UInt8(ascii: character) else { return false }
        offset += 1
        return true
    }

    func error(_ message: String, at place: Int? = nil) -> RegularExpressionError {
        RegularExpressionError(message: message, offset: place ?? offset)
    }
}

extension UInt8 {
    var isASCIILetter: Bool { UInt8(ascii: "a")...UInt8(ascii: "z") ~= self | 0x20 }
}
