import PipelineJSON
import Testing

@Suite("I-Regexp (RFC 9485)")
struct IRegexpTests {
    @Test(
        "what its grammar allows is read",
        arguments: [
            ("[a-z0-9]+", "ab1", true), ("a.b", "a\u{2028}b", true), ("a.b", "a\nb", false),
            ("a.b", "a\rb", false), ("\\p{Lu}\\P{Lu}", "Ab", true), ("(a|b){2,}", "abab", true),
            ("a{2}", "aa", true), ("a{2,3}", "aaaa", false), ("[^\\p{Nd}-]", "5", false),
            ("[-a]", "-", true), ("[a-]", "-", true), ("[--]", "-", true), ("[\\-\\^]", "^", true),
            ("[a^]", "^", true), ("\\n\\r\\t", "\n\r\t", true),
            ("\\(\\)\\*\\+\\-\\.\\?", "()*+-.?", true),
            ("\\[\\\\\\]\\^\\{\\|\\}", "[\\]^{|}", true), ("a-b,/<é", "a-b,/<é", true),
            ("", "", true),
            ("a||b", "", true), ("()", "", true), ("[.b]", ".", true), ("^ab.*", "abc", true),
            (".*bc$", "abc", true), ("\\p{C}", "\u{0}", true), ("[$&(*]+", "$&(*", true),
        ])
    func accepted(pattern: String, text: String, isMatch: Bool) throws {
        let expression = try RegularExpression(pattern, syntax: .iRegexp)
        #expect(expression.matchesWhole(text) == isMatch)
    }

    @Test(
        "what only other syntaxes have is refused",
        arguments: [
            ("\\d", 0), ("\\w+", 0), ("\\s", 0), ("\\bfoo", 0), ("a*?", 2), ("a+?", 2), ("a??", 2),
            ("(?:a)", 0), ("(?<n>a)", 0), ("(?=a)", 0), ("(a)\\1", 3), ("\\u0041", 0), ("\\x41", 0),
            ("\\$", 0), ("\\/", 0), ("[]", 0), ("[^]", 0), ("[a-c-e]", 4), ("[a[b]", 2),
            ("[a-\\p{L}]", 1),
            ("\\p{Letter}", 3), ("\\p{Cs}", 3), ("\\p{IsGreek}", 3), ("a{,2}", 2), ("{", 0),
            ("]", 0),
            ("[\\d]", 1), ("\\v", 0), ("[+--]", 3), ("[a--b]", 3), ("a{2,1}", 1),
        ])
    func refused(pattern: String, offset: Int) {
        let error = #expect(throws: RegularExpressionError.self) {
            try RegularExpression(pattern, syntax: .iRegexp)
        }
        #expect(error?.offset == offset)
    }
}
