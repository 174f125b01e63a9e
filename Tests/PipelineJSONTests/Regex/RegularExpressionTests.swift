import PipelineJSON
import Testing

@Suite("Regular expressions")
struct RegularExpressionTests {
    /// The matched text and that of each group; `-` for a group that took no part.
    private func groups(_ pattern: String, in text: String) throws -> String? {
        let match = try RegularExpression(pattern).firstMatch(in: text)
        return match.map { match in
            match.groups.indices.map { match.text(ofGroup: $0, in: text) ?? "-" }
                .joined(separator: ",")
        }
    }

    @Test(
        "what is matched and captured is what ECMAScript says",
        arguments: [
            ("a|ab", "abc", "a"), ("ab|a", "abc", "ab"),
            ("((a)|(ab))((c)|(bc))", "abc", "abc,a,a,-,bc,-,bc"),
            ("a[a-z]{2,4}", "abcdefghi", "abcde"), ("a[a-z]{2,4}?", "abcdefghi", "abc"),
            ("(aa|aabaac|ba|b|c)*", "aabaac", "aaba,ba"),
            ("(z)((a+)?(b+)?(c))*", "zaacbbbcac", "zaacbbbcac,z,ac,a,-,c"),
            ("(a*)*", "b", ",-"), ("(a*)+", "b", ","), ("(?:a|)*?b", "aab", "aab"),
            ("(|a)*", "aa", "aa,a"), ("(|a)+", "aa", "aa,a"), ("(|a)?", "a", "a,a"),
            ("(|a){0,2}", "aa", "aa,a"), ("(|a){2}", "aa", ","), ("(|a){1,2}", "aa", "a,a"),
            ("(a??)?", "a", "a,a"), ("(a??){2}", "aa", ","), ("(a*)?", "b", ",-"),
            ("a*?$", "aaa", "aaa"), ("a+?", "aaa", "a"), ("a{2,}?", "aaaa", "aa"),
            ("(a)|b", "b", "b,-"), ("(?:(a)|b)*", "ab", "ab,-"), ("(?:(a)|(b))+", "aba", "aba,a,-"),
            ("(a(b)?)+", "aba", "aba,a,-"), ("(.*)(\\d+)", "x123", "x123,x12,3"),
            ("(.*?)(\\d+)", "x123", "x123,x,123"), ("x*", "aaa", ""), ("b*|a", "ab", ""),
            ("(?<year>\\d{4})-(?<month>\\d\\d)", "on 2024-05-01", "2024-05,2024,05"),
            ("(a{0}b)(c){0}", "ab", "b,b,-"), ("()", "a", ","), ("(?:)*", "a", ""),
            ("^(a+)+$", "aaab", nil), ("\\bfoo\\b", "a foo b", "foo"), ("\\Boo", "foo oo", "oo"),
            ("", "", ""), ("|a", "a", ""), ("a||b", "b", ""),
        ])
    func priorities(pattern: String, text: String, expected: String?) throws {
        #expect(try groups(pattern, in: text) == expected)
    }

    @Test(
        "characters, classes and escapes match what they stand for, and nothing else",
        arguments: [
            ("\\d", "0", true), ("\\d", "\u{7C0}", false), ("\\D", "\u{7C0}", true),
            ("\\w", "_", true), ("\\w", "é", false), ("\\W", "é", true),
            ("\\s", "\u{FEFF}", true), ("\\s", "\u{2003}", true), ("\\s", "\u{85}", false),
            ("\\S", "\u{A0}", false), (".", "\n", false), (".", "\r", false),
            (".", "\u{2028}", false), (".", "\u{85}", true), (".", "😀", true), ("..", "😀", false),
            ("[^]", "\n", true), ("[]", "a", false), ("[^a]", "\n", true), ("[^a]", "a", false),
            ("[a-c\\d]", "5", true), ("[^a-c\\d]", "5", false), ("[\\D]", "5", false),
            ("[^\\W_]", "_", false), ("[-a]", "-", true), ("[a-]", "-", true), ("[--/]", ".", true),
            ("[\\b]", "\u{8}", true), ("[a\\-z]", "m", false), ("[[]", "[", true),
            ("\\cC", "\u{3}", true), ("\\cc", "\u{3}", true), ("\\0", "\u{0}", true),
            ("\\x41", "A", true), ("\\u0041", "A", true), ("\\u{1F600}", "😀", true),
            ("\\uD83D\\uDE00", "😀", true), ("[\\uD83D\\uDE00-\\u{1F602}]", "😁", true),
            ("\\t\\n\\v\\f\\r", "\t\n\u{B}\u{C}\r", true), ("\\^\\$\\/\\{\\}", "^$/{}", true),
            ("🐲*", "🐲🐲", true), ("🐲*", "🐉", false), ("\u{E9}", "e\u{301}", false),
            ("\\p{Lu}", "Ж", true), ("\\p{Lu}", "ж", false), ("\\P{Lu}", "ж", true),
            ("\\p{L}", "日", true), ("\\p{Letter}", "é", true), ("\\p{digit}", "\u{9EA}", true),
            ("\\p{gc=Nd}", "7", true), ("\\p{General_Category=Zs}", " ", true),
            ("\\p{LC}", "\u{1C5}", true), ("\\p{Cn}", "\u{378}", true), ("\\p{Sc}", "€", true),
            ("\\p{Any}", "\n", true), ("\\p{ASCII}", "é", false), ("\\P{ASCII}", "é", true),
            ("[\\p{Lu}\\d]", "7", true), ("[^\\p{Lu}]", "A", false), ("[\\P{L}]", "A", false),
            ("a", "A", false), ("a{2}", "aa", true), ("a{2}", "a", false), ("a{0,1}", "aa", false),
        ])
    func characters(pattern: String, text: String, isMatch: Bool) throws {
        #expect(try RegularExpression(pattern).matchesWhole(text) == isMatch)
    }

    @Test(
        "a pattern is found anywhere unless it has anchors, and '$' is the very end",
        arguments: [
            ("b", "abc", true), ("^b", "abc", false), ("b$", "abc", false), ("^abc$", "abc", true),
            ("^abc$", "abc\n", false), ("^$", "", true), ("^$", "\n", false),
            ("(^a|b)", "ab", true),
            ("x|^", "a", true), ("$", "a", true), ("a$|b", "ab", true), ("^^a$$", "a", true),
            ("(?:^|,)b", "a,b", true), ("b^", "ab", false), ("[é-ü]", "naïve", true),
        ])
    func finding(pattern: String, text: String, isFound: Bool) throws {
        let expression = try RegularExpression(pattern)
        #expect(expression.isFound(in: text) == isFound)
        #expect((expression.firstMatch(in: text) != nil) == isFound)
    }

    @Test("O31: a version matches whole, and not with a line break after it")
    func version() throws {
        let version = try RegularExpression(#"^v\d+\.\d+$"#)
        #expect(version.isFound(in: "v1.2"))
        #expect(!version.isFound(in: "v1.2\n"))
    }

    @Test(
        "O31: variable text is matched literally once it is escaped",
        arguments: ["1.2 (beta)", "", "a-z", "^$\\.*+?()[]{}|/", "é\n\u{0}😀", "a]b-^"])
    func escaping(literal: String) throws {
        let escaped = RegularExpression.escaped(literal)
        #expect(try RegularExpression("^v\(escaped)$").isFound(in: "v" + literal))
        #expect(try RegularExpression(escaped).matchesWhole(literal))
        #expect(try RegularExpression(escaped).firstMatch(in: "-" + literal + "-") != nil)
        let all = try RegularExpression("^[\(escaped)]*$")
        #expect(all.matchesWhole(literal))
        #expect(!all.isFound(in: "m"))
    }

    @Test("matches are found one after the other, and an empty one does not stop the search")
    func allMatches() throws {
        let ranges = { (pattern: String, text: String) in
            try RegularExpression(pattern).matches(in: text).map(\.range)
        }
        #expect(try ranges("a+", "aabaa") == [0..<2, 3..<5])
        #expect(try ranges("x*", "é1") == [0..<0, 2..<2, 3..<3])
        #expect(try ranges("a*", "baac") == [0..<0, 1..<3, 3..<3, 4..<4])
        #expect(try ranges("^a", "aa") == [0..<1])
        #expect(try ranges("\\b", "ab c") == [0..<0, 2..<2, 3..<3, 4..<4])
        #expect(try ranges("z", "") == [])
    }

    @Test(
        "every match is replaced, with what '$' stands for",
        arguments: [
            ("(\\w+) (\\w+)", "ada lovelace", "$2, $1", "lovelace, ada"),
            ("a", "banana", "[$&]", "b[a]n[a]n[a]"), ("a", "banana", "", "bnn"),
            ("(?<d>\\d)", "a1b2", "<$<d>$<e>>", "a<1$<e>>b<2$<e>>"), ("", "ab", "-", "-a-b-"),
            ("a", "a", "$$1 $ $1 $0 $x", "$1 $ $1 $0 $x"), ("(a)|b", "ab", "<$1>", "<a><>"),
            ("(a)", "a", "$01$10$2", "aa0$2"), ("é", "café", "e", "cafe"),
        ])
    func replacing(pattern: String, text: String, with: String, expected: String) throws {
        #expect(try RegularExpression(pattern).replacingAll(in: text, with: with) == expected)
    }

    @Test("a replacement can be made from the match")
    func replacingByClosure() throws {
        let digits = try RegularExpression("\\d+")
        #expect(digits.replacingAll(in: "a1b22") { "\($0.range.count)" } == "a1b2")
    }

    @Test("expressions are equal when their patterns are the same bytes in the same syntax")
    func equality() throws {
        let one = try RegularExpression("\u{E9}")
        #expect(one == (try RegularExpression("\u{E9}")))
        #expect(one != (try RegularExpression("e\u{301}")))
        #expect(one != (try RegularExpression("\u{E9}", syntax: .iRegexp)))
        #expect(Set([one, try RegularExpression("\u{E9}")]).count == 1)
    }

    @Test("the names of groups are known")
    func names() throws {
        #expect(
            try RegularExpression("(a)(?<é_1$>b)(?:c)(?<d>d)").groupNames == ["é_1$": 2, "d": 3])
    }
}
