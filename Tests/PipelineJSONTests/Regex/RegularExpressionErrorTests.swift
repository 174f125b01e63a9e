import PipelineJSON
import TestSupport
import Testing

@Suite("Regular expressions that are refused", .timeLimit(.minutes(1)))
struct RegularExpressionErrorTests {
    @Test(
        "O31: a bad pattern is refused with the place and the reason",
        arguments: [
            ("(a", 0, "this group is not closed: expected ')'"),
            ("é(a(b)", 2, "this group is not closed: expected ')'"),
            ("a)", 1, "')' closes no group"),
            ("*a", 0, "there is nothing before '*' to repeat"),
            ("a**", 2, "there is nothing before '*' to repeat"),
            ("a|+", 2, "there is nothing before '+' to repeat"),
            ("^*", 1, "there is nothing before '*' to repeat"),
            ("(?:a|{2})", 5, "there is nothing before '{' to repeat"),
            ("a{,2}", 2, "expected a number after '{'; the character itself is written '\\{'"),
            ("a{2", 3, "expected '}' to end the repetition, found the end of the pattern"),
            ("a{3,2}", 1, "the numbers of a repetition are out of order"),
            ("a}", 1, "'}' closes nothing; the character is written with '\\' before it"),
            ("a]", 1, "']' closes nothing; the character is written with '\\' before it"),
            ("[a", 0, "this class is not closed: expected ']'"),
            ("x[z-a]", 2, "this range is out of order"),
            ("[a-\\d]", 1, "a range is between two characters, not classes"),
            ("\\", 1, "expected a character after '\\'"),
            ("a\\q", 1, "unknown escape '\\q'"), ("\\-", 0, "unknown escape '\\-'"),
            ("(a)\\1", 3, "back-references are not supported"),
            ("(?<a>b)\\k<a>", 7, "back-references are not supported"),
            ("a(?=b)", 1, "look-ahead is not supported"),
            ("(?!b)", 0, "look-ahead is not supported"),
            ("(?<=b)", 0, "look-behind is not supported"),
            ("(?<!b)", 0, "look-behind is not supported"),
            (
                "(?i)a", 0,
                "flags within a pattern are not supported; upper and lower case always differ"
            ),
            ("(?#)", 2, "expected ':' or '<' after '(?', found '#'"),
            ("(?<1>a)", 3, "'1' cannot stand here in a group's name"),
            ("(?<a", 4, "expected a group's name and '>', found the end of the pattern"),
            ("(?<>a)", 3, "expected a group's name and '>', found '>'"),
            ("(?<n>a)(?<n>b)", 10, "another group is named 'n' already"),
            ("\\c1", 2, "expected a letter after '\\c', found '1'"),
            ("\\01", 0, "octal escapes are not supported; write '\\x'"),
            ("\\x4", 3, "expected a hexadecimal digit, found the end of the pattern"),
            ("\\uD83D", 2, "half a surrogate pair is not a character"),
            ("\\u{110000}", 3, "Unicode ends at 10FFFF"),
            ("\\u{41", 5, "expected '}' after the digits, found the end of the pattern"),
            ("\\pL", 0, "expected a category in braces after '\\p', as in '\\p{Lu}'"),
            (
                "\\p{Script=Greek}", 3,
                "'Script=Greek' is not a general category; scripts and other properties are not supported"
            ),
        ])
    func errors(pattern: String, offset: Int, message: String) {
        let error = #expect(throws: RegularExpressionError.self) { try RegularExpression(pattern) }
        #expect(error?.message == message)
        #expect(error?.offset == offset)
    }

    @Test(
        "a pattern that would become too large is refused at once, at the repetition that is to blame",
        arguments: [
            ("(((a{1000}){1000}){1000})", 4), ("a{10000}", 1), ("b?a{999999999999999999999}", 3),
            ("(?:a?){5000}", 4), ("(?:(?:(?:){1000000}|){1000000}){1000000}", 21),
        ])
    func tooLarge(pattern: String, offset: Int) {
        let error = #expect(throws: RegularExpressionError.self) { try RegularExpression(pattern) }
        #expect(
            error?.message
                == "the pattern is too large: it compiles to more than 10000 instructions")
        #expect(error?.offset == offset)
    }

    @Test("what repeats nothing is as small as nothing, however often")
    func repeatedNothing() throws {
        for pattern in ["(?:){1000000000}", "(?:(?:){1000000000}){1000000000}", "a{0}"] {
            #expect(try RegularExpression(pattern).matchesWhole(""))
        }
    }

    private static func nested(_ depth: Int, _ opening: String, _ closing: String) -> String {
        String(repeating: opening, count: depth) + "a" + String(repeating: closing, count: depth)
    }

    @Test("groups may be nested up to a limit, on a small stack too")
    func depth() async throws {
        try await onSmallStack(512 << 10) {
            for (opening, closing) in [("(?:", ")*"), ("(?:b|", "){0,1}"), ("(?:", "){1,}?")] {
                let expression = try RegularExpression(Self.nested(64, opening, closing))
                #expect(expression.isFound(in: "bba"))
                let error = #expect(throws: RegularExpressionError.self) {
                    try RegularExpression(Self.nested(65, opening, closing))
                }
                #expect(error?.message == "groups are nested more than 64 deep")
                #expect(throws: RegularExpressionError.self) {
                    try RegularExpression(Self.nested(1_000_000, opening, closing))
                }
            }
        }
    }

    @Test("99 groups may capture, and one more not")
    func groupCount() throws {
        let expression = try RegularExpression(String(repeating: "(a)", count: 99))
        #expect(expression.firstMatch(in: String(repeating: "a", count: 99))?.groups.count == 100)
        #expect(throws: RegularExpressionError.self) {
            try RegularExpression(String(repeating: "(a)", count: 100))
        }
        #expect(throws: Never.self) {
            try RegularExpression(String(repeating: "(?:a)", count: 100))
        }
    }
}
