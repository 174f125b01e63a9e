/// What a match is replaced by: text and references to groups (ECMA-262, GetSubstitution).
struct ReplacementTemplate {
    private enum Part {
        case literal([UInt8])
        case group(Int)
    }

    private var parts: [Part] = []

    init(_ text: String, for program: PatternProgram) {
        var rest = Array(text.utf8)[...]
        var literal: [UInt8] = []
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "$") else {
                literal.append(byte)
                continue
            }
            if rest.first == UInt8(ascii: "$") {
                rest.removeFirst()
            } else if let group = Self.group(takenFrom: &rest, program) {
                parts += [.literal(literal), .group(group)]
                literal = []
                continue
            }
            literal.append(byte)
        }
        parts.append(.literal(literal))
    }

    func resolve(_ match: RegularExpression.Match, in text: String) -> String {
        var result = ""
        for part in parts {
            switch part {
            case .literal(let utf8): result += String(decoding: utf8, as: UTF8.self)
            case .group(let group): result += match.text(ofGroup: group, in: text) ?? ""
            }
        }
        return result
    }

    /// The number of the group that is written after a `$`; nil, with nothing taken, for none.
    private static func group(
        takenFrom rest: inout ArraySlice<UInt8>, _ program: PatternProgram
    ) -> Int? {
        if rest.first == UInt8(ascii: "&") {
            rest.removeFirst()
            return 0
        }
        if rest.first == UInt8(ascii: "<"), let end = rest.firstIndex(of: UInt8(ascii: ">")) {
            let name = String(decoding: rest[(rest.startIndex + 1)..<end], as: UTF8.self)
            guard let number = program.groupNumbers[name] else { return nil }
            rest = rest[(end + 1)...]
            return number
        }
        // Two digits when there is such a group, else one.
        for length in [2, 1] {
            let digits = rest.prefix(length)
            guard digits.count == length, digits.allSatisfy(\.isDigit),
                let number = Int(String(decoding: digits, as: UTF8.self)),
                number > 0, number <= program.groupNames.count
            else { continue }
            rest = rest.dropFirst(length)
            return number
        }
        return nil
    }
}
