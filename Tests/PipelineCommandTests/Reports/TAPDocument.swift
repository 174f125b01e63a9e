import PipelineJSON
import Testing

/// A report of the Test Anything Protocol, read as strictly as version 14 allows: nothing that is no
/// version, plan, test point, block of YAML, comment or bail out.
struct TAPDocument {
    /// The lines of the test points.
    private(set) var points: [String] = []
    /// The lines of the YAML block after a point, by its number from 0 on.
    private(set) var blocks: [Int: [Substring]] = [:]
    private(set) var isBailedOut = false

    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    init(_ text: String) throws {
        guard text.hasSuffix("\n") else { throw Failure(description: "the last line has no end") }
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
        guard lines.popFirst() == "TAP version 14" else { throw Failure(description: "no version") }
        guard let plan = lines.popFirst()?.wholeMatch(of: /1\.\.(\d+)/) else {
            throw Failure(description: "no plan")
        }
        while let line = lines.popFirst() {
            if isBailedOut { throw Failure(description: "\(line) after the bail out") }
            if line.hasPrefix("Bail out! ") {
                isBailedOut = true
            } else if line == "  ---" {
                try readBlock(&lines)
            } else if let point = line.wholeMatch(of: /(?:not )?ok (\d+) - (.+)/) {
                points.append(String(line))
                guard Int(point.1) == points.count else {
                    throw Failure(description: "\(line) is not number \(points.count)")
                }
                try Self.check(description: point.2, isGood: line.hasPrefix("ok"))
            } else if !line.hasPrefix("# ") {
                throw Failure(description: "not of the protocol: \(line)")
            }
        }
        guard Int(plan.1) == points.count else {
            throw Failure(description: "\(points.count) points, planned \(plan.1)")
        }
    }

    /// After a `#` that is not escaped there is a directive, and only `SKIP` is ever meant.
    private static func check(description: Substring, isGood: Bool) throws {
        let plain = description.replacing(/\\[#\\]/, with: "")
        guard !plain.contains("\\") else {
            throw Failure(description: "an unknown escape in \(description)")
        }
        guard let mark = plain.firstIndex(of: "#") else { return }
        guard isGood, plain[mark...].hasPrefix("# SKIP ") else {
            throw Failure(description: "an unknown directive in \(description)")
        }
    }

    private mutating func readBlock(_ lines: inout ArraySlice<Substring>) throws {
        let number = points.count - 1
        guard number >= 0, blocks[number] == nil else {
            throw Failure(description: "a block that belongs to no point")
        }
        var block: [Substring] = []
        while let line = lines.popFirst() {
            if line == "  ..." {
                blocks[number] = block
                return
            }
            try Self.check(yaml: line)
            block.append(line)
        }
        throw Failure(description: "a block without an end")
    }

    /// A member, an element, or both on one line; values are numbers, words or quoted.
    private static func check(yaml line: Substring) throws {
        let pattern = #/  (?:  )*(?:- )?(?:[A-Za-z_]+:(?: (?<member>.+))?|(?<element>".*"))/#
        guard let match = line.wholeMatch(of: pattern) else {
            throw Failure(description: "not of the YAML that is written: \(line)")
        }
        guard let value = match.member ?? match.element, value.hasPrefix("\"") else { return }
        // But for escapes of eight digits, a quoted text is one of JSON.
        let json = String(value.replacing(/\\U[0-9A-F]{8}/, with: "?"))
        guard (try? JSONValue(parsing: json))?.string != nil else {
            throw Failure(description: "not a text in quotes: \(value)")
        }
    }
}

@Suite("The strictness of the reader of TAP")
struct TAPDocumentTests {
    @Test(
        "What the protocol does not have is refused",
        arguments: [
            "1..0\n", "TAP version 14\nok 1 - a\n1..1\n", "TAP version 14\n1..2\nok 1 - a\n",
            "TAP version 14\n1..1\nok 2 - a\n", "TAP version 14\n1..1\nok 1 - a",
            "TAP version 14\n1..1\nok 1 - a # TODO b\n", "TAP version 14\n1..1\nok 1 - a\ntext\n",
            "TAP version 14\n1..1\nnot ok 1 - a\n  ---\n  message: \"a\n  ...\n",
            "TAP version 14\n1..1\nnot ok 1 - a\n  ---\n  message: \"a\"\n",
            "TAP version 14\n1..1\nnot ok 1 - a # SKIP b\n",
            "TAP version 14\n1..1\nBail out! a\nok 1 - a\n", "TAP version 14\n1..1\nok 1 - a\\b\n",
        ])
    func refused(text: String) {
        #expect(throws: TAPDocument.Failure.self) { try TAPDocument(text) }
    }
}
