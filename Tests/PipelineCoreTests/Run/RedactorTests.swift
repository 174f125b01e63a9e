import PipelineJSON
import Testing

@testable import PipelineCore

@Suite("Secrets")
struct RedactorTests {
    /// The secret of case O27.
    private static let secret = #"s3/+= "x"#

    @Test(
        "O27: every form of a secret is masked",
        arguments: [
            #"token s3/+= "x."#, "q=s3%2F%2B%3D%20%22x&", "q=s3%2f%2b%3d%20%22x&",
            "q=s3%2F%2B%3D+%22x&", #"{"a":"s3/+= \"x"}"#, "/s3/%2B%3D%20%22x",
            "q=s3%2f%2b%3d+%22x", #"{"a":"s3\/+= \"x"}"#, #"{"a":"{\"b\":\"s3\\/+= \\\"x\"}"}"#,
            #"{"a":"s3\u002f\u002B= \u0022x"}"#, "s3/+= &quot;x", "s3/+= &#34;x", "s3/+= &#x22;x",
            "s3&#47;&#x2b;= &quot;x", "s3/+=%20%22x", "s3/%2B= \"x",
        ])
    func forms(text: String) {
        let redactor = Redactor()
        #expect(redactor.add(Self.secret))
        let masked = redactor.redact(text)
        #expect(masked.contains("***"))
        #expect(!masked.contains("s3"))
    }

    @Test(arguments: ["", "a", "ab", "abc", "user:"], ["", "z", "zz"])
    func `Base64 of a text that holds the secret is masked`(before: String, after: String) {
        let redactor = Redactor()
        #expect(redactor.add("correct horse battery"))
        let text = Base64.encode((before + "correct horse battery" + after).utf8)
        let masked = redactor.redact("Basic \(text)")
        #expect(masked.contains("***"))
        // What is left are the characters that share bits with the neighbours.
        let around = (before.count + after.count) * 4 / 3 + 8
        #expect(masked.count <= "Basic ***".count + around)
    }

    @Test(
        "Whatever mixes escapes is seen through, and letters of any script are",
        arguments: [
            #"p\u00e4ss&<w'"#, "p%C3%A4ss%26%3cw%27", "p&#228;ss&amp;&lt;w&#x27;", "päss&<w'",
            #"p\u00E4ss\u0026\u003cw'"#, "pässs-no",
        ])
    func scripts(text: String) {
        let redactor = Redactor()
        #expect(redactor.add("päss&<w'"))
        #expect(redactor.redact("[\(text)]") == (text.hasSuffix("no") ? "[\(text)]" : "[***]"))
    }

    @Test("A secret with backslashes and percent signs is found as it is, and escaped")
    func escapesInside() {
        let redactor = Redactor()
        #expect(redactor.add(#"C:\new\%41&amp;"#))
        for text in [
            #"C:\new\%41&amp;"#, #"C:\\new\\%41&amp;"#, "C:%5Cnew%5C%2541%26amp%3B",
            #"C:\new\%41&amp;amp;"#,
        ] {
            #expect(redactor.redact(text).hasPrefix("***"), "\(text)")
        }
    }

    @Test func `a list or an object of short values is refused, and so are null and Booleans`() {
        for value: JSONValue in [["123", "4567"], ["pin": 12], .null, true, ["a": true], ""] {
            #expect(!Redactor().add(value))
        }
        let redactor = Redactor()
        #expect(redactor.add(["pins": ["12345", 67890]]))
        #expect(redactor.redact("12345 or 67890") == "*** or ***")
    }

    @Test("Very many secrets and hostile texts take no long time", .timeLimit(.minutes(1)))
    func hostile() {
        let many = Redactor()
        #expect(many.add(JSONValue(array: (0..<400).map { JSONValue("token-\(10_000 + $0)") })))
        let body = (0..<400).map { "token-\(10_000 + $0)" }.joined(separator: ",")
        #expect(!many.redact(body).contains("token"))
        let long = Redactor()
        #expect(long.add(String(repeating: "a", count: 4_000) + "b"))
        _ = long.redact(String(repeating: "a", count: 4_000))
        _ = long.redact(String(repeating: "…", count: 4_000))
        #expect(long.redact(String(repeating: "a", count: 4_000) + "b") == "***")
    }

    @Test func `the beginning of a secret before an ellipsis is masked, escaped or not`() {
        let redactor = Redactor()
        #expect(redactor.add("correct horse/battery"))
        #expect(redactor.redact("a correct ho…") == "a ***…")
        #expect(redactor.redact("a correct%20horse%2Fb…") == "a ***…")
        #expect(redactor.redact("a cor…") == "a cor…")
    }

    @Test(
        "The beginning of a secret is masked where the text was cut within an escape (O27)",
        arguments: [
            "s3cr%2F%2", "s3cr%2F%", "s3cr&#47;&#4", "s3cr&#47;&", #"s3cr\/\u002"#, #"s3cr\/\"#,
            #"s3cr/+\ud83d\ude0"#, #"s3cr/+\ud83d"#,
        ])
    func cutEscape(beginning: String) {
        let redactor = Redactor()
        #expect(redactor.add("s3cr/+😀= x"))
        #expect(redactor.redact("a \(beginning)…") == "a ***…")
        // What is not cut is shown as it is.
        let whole = "a \(beginning) with more behind it…"
        #expect(redactor.redact(whole) == whole)
    }

    @Test func `a secret that is too short to mask is refused`() {
        let redactor = Redactor()
        #expect(!redactor.add("abc"))
        #expect(redactor.redact("abc") == "abc")
    }

    @Test func `the longest form wins, and nothing is masked without secrets`() {
        let redactor = Redactor()
        #expect(redactor.redact("abcd") == "abcd")
        #expect(redactor.add("abcd"))
        #expect(redactor.add("abcdefgh"))
        #expect(redactor.redact("xabcdefghx abcd") == "x***x ***")
    }
}
