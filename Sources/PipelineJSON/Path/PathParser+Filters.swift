extension PathParser {
    /// What stands where a condition or an operand may, before it is known which of them is wanted.
    private enum Term {
        case literal(JSONValue)
        case query(PathQuery)
        /// A function that gives a value.
        case value(PathOperand)
        /// A function that is a condition.
        case condition(PathFilter)
    }

    /// Reads a condition after `?`, `(` or a comma.
    mutating func filter() throws(JSONPathError) -> PathFilter {
        try nested { (parser) throws(JSONPathError) in
            var filters: [PathFilter] = []
            repeat { filters.append(try parser.conjunction()) } while parser.skipOperator("||")
            return filters.count == 1 ? filters[0] : .any(filters)
        }
    }

    private mutating func conjunction() throws(JSONPathError) -> PathFilter {
        var filters: [PathFilter] = []
        repeat { filters.append(try condition()) } while skipOperator("&&")
        return filters.count == 1 ? filters[0] : .all(filters)
    }

    private mutating func condition() throws(JSONPathError) -> PathFilter {
        skipBlanks()
        let isNegated = skip("!")
        skipBlanks()
        let condition = try skip("(") ? parenthesized() : comparisonOrTest(isNegated: isNegated)
        return isNegated ? .not(condition) : condition
    }

    private mutating func parenthesized() throws(JSONPathError) -> PathFilter {
        let filter = try filter()
        skipBlanks()
        guard skip(")") else { throw error("expected ')', found \(found)") }
        return filter
    }

    private mutating func comparisonOrTest(isNegated: Bool) throws(JSONPathError) -> PathFilter {
        let start = offset
        let term = try term()
        let end = offset
        skipBlanks()
        let place = offset
        guard let comparison = PathComparison.allCases.first(where: { skip($0) }) else {
            guard next != UInt8(ascii: "=") else {
                throw error("equality is written '=='; patterns are for match() and search()")
            }
            offset = end
            return try test(term, at: start)
        }
        guard !isNegated else {
            throw error("a comparison is negated as in '!(@.a == 1)'", at: place)
        }
        skipBlanks()
        let left = try operand(term, at: start)
        let rightStart = offset
        return .comparison(left, comparison, try operand(try self.term(), at: rightStart))
    }

    private func test(_ term: Term, at start: Int) throws(JSONPathError) -> PathFilter {
        switch term {
        case .query(let query): return .exists(query)
        case .condition(let filter): return filter
        case .literal:
            throw error("a literal is no condition; compare it with something", at: start)
        case .value:
            throw error("this function gives a value; compare it with something", at: start)
        }
    }

    private func operand(_ term: Term, at start: Int) throws(JSONPathError) -> PathOperand {
        switch term {
        case .literal(let value): return .literal(value)
        case .value(let operand): return operand
        case .condition: throw error("this function gives no value to use here", at: start)
        case .query(let query):
            guard query.isSingular else {
                throw error(
                    "only a path of names and indices gives one value to use here", at: start)
            }
            return .query(query)
        }
    }

    private mutating func term() throws(JSONPathError) -> Term {
        switch next {
        case UInt8(ascii: "@"), UInt8(ascii: "$"):
            return .query(try filterQuery())
        case UInt8(ascii: "'"), UInt8(ascii: "\""):
            return .literal(JSONValue(String(decoding: try quoted(), as: UTF8.self)))
        case let byte? where byte.isDigit || byte == UInt8(ascii: "-"):
            return .literal(JSONValue(try number()))
        case let byte? where byte.isASCIILetter:
            return try word()
        default:
            throw error("expected a path with '@' or '$', a literal or a function, found \(found)")
        }
    }

    private mutating func number() throws(JSONPathError) -> JSONNumber {
        let start = offset
        while let byte = next, byte.isDigit || "+-.eE".utf8.contains(byte) { offset += 1 }
        let text = String(decoding: bytes[start..<offset], as: UTF8.self)
        guard let number = JSONNumber(text) else {
            throw error("'\(text)' is not a JSON number", at: start)
        }
        return number
    }

    /// A literal without quotes, or a function.
    private mutating func word() throws(JSONPathError) -> Term {
        let start = offset
        while let byte = next, byte.isASCIILetter || byte.isDigit || byte == UInt8(ascii: "_") {
            offset += 1
        }
        let word = String(decoding: bytes[start..<offset], as: UTF8.self)
        guard next != UInt8(ascii: "(") else { return try function(word, at: start) }
        switch word {
        case "true": return .literal(true)
        case "false": return .literal(false)
        case "null": return .literal(.null)
        default:
            throw error(
                "'\(word)' is no literal; a text stands in quotes, a path has '@'", at: start)
        }
    }
}

extension PathParser {
    /// Reads a function's arguments from `(` on, and checks that they are what it takes (RFC 9535
    /// section 2.4.3).
    private mutating func function(_ name: String, at start: Int) throws(JSONPathError) -> Term {
        try nested { (parser) throws(JSONPathError) in
            parser.offset += 1
            let term: Term
            switch name {
            case "length":
                term = .value(.length(try parser.valueArgument()))
            case "count":
                term = .value(.count(try parser.nodesArgument()))
            case "value":
                term = .value(.value(try parser.nodesArgument()))
            case "match", "search":
                let text = try parser.valueArgument()
                guard parser.skip(",") else {
                    throw parser.error("'\(name)' takes a value and a pattern: expected ','")
                }
                let pattern = PathPattern(try parser.valueArgument())
                term = .condition(.pattern(pattern, isWhole: name == "match", text: text))
            default:
                throw parser.error(
                    "there is no function '\(name)', only length, count, value, match and search",
                    at: start)
            }
            guard parser.skip(")") else {
                throw parser.error(
                    "expected ')' after the last argument of '\(name)', found \(parser.found)")
            }
            return term
        }
    }

    private mutating func valueArgument() throws(JSONPathError) -> PathOperand {
        skipBlanks()
        let start = offset
        let operand = try operand(try term(), at: start)
        skipBlanks()
        return operand
    }

    private mutating func nodesArgument() throws(JSONPathError) -> PathQuery {
        skipBlanks()
        guard next == UInt8(ascii: "@") || next == UInt8(ascii: "$") else {
            throw error("expected a path with '@' or '$', found \(found)")
        }
        let query = try filterQuery()
        skipBlanks()
        return query
    }

    private mutating func skipOperator(_ text: StaticString) -> Bool {
        let end = offset
        skipBlanks()
        if skip(text) { return true }
        offset = end
        return false
    }

    private mutating func skip(_ comparison: PathComparison) -> Bool {
        guard bytes[offset...].starts(with: comparison.rawValue.utf8) else { return false }
        offset += comparison.rawValue.utf8.count
        return true
    }
}

extension PathPattern {
    /// A pattern that stands in the path is compiled with it.
    fileprivate init(_ operand: PathOperand) {
        guard case .literal(let value) = operand else {
            self = .computed(operand)
            return
        }
        self = .literal(value.string.flatMap { try? RegularExpression($0, syntax: .iRegexp) })
    }
}
