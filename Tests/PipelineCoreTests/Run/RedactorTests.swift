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
