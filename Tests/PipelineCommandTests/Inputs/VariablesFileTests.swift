import PipelineJSON
import Testing

@testable import PipelineCommand

@Suite("Files of values")
struct VariablesFileTests {
    @Test("Lines hold strings; comments and blank lines are skipped (O26)")
    func lines() throws {
        let text = "\u{FEFF}# for staging\r\nzip=00501\r\n\n  user = ada \nempty=\na=b=c\n  # end"
        let values = try VariablesFile.parse(Array(text.utf8))
        #expect(values == ["zip": "00501", "user": " ada ", "empty": "", "a": "b=c"])
    }

    @Test("A JSON object keeps its types, with a byte order mark and blanks before it")
    func object() throws {
        let text = "\u{FEFF} \n{\"port\": 8080, \"big\": 1003200000000001759, \"x\": [null]}"
        let values = try VariablesFile.parse(Array(text.utf8))
        #expect(values == ["port": 8_080, "big": 1_003_200_000_000_001_759, "x": [.null]])
    }

    @Test(
        "What is wrong is said with its line, and without the values",
        arguments: [
            ("a=1\nhunter2hunter2", "2: expected NAME=VALUE, a comment or nothing"),
            ("7=hunter2", "1: \"7\" is not the name of a variable"),
            ("{\n\"a\": hunter2}", "2:6: this is not JSON"),
        ])
    func problems(text: String, message: String) throws {
        let error = #expect(throws: UsageError.self) {
            try VariablesFile.parse(Array(text.utf8))
        }
        let found = try #require(error).message
        #expect(found.hasPrefix(message))
        #expect(!found.contains("hunter2"))
    }

    @Test("A file that is not UTF-8 is refused")
    func encoding() {
        #expect(throws: UsageError("2: expected UTF-8")) {
            try VariablesFile.parse(Array("a=1\nb=".utf8) + [0xFF, 0xFE])
        }
    }
}
