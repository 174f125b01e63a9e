import PipelineJSON
import Testing

@Suite("What is said about a text that is not JSON")
struct JSONErrorTests {
    struct Example: Sendable, CustomTestStringConvertible {
        let text: String
        let line: Int
        let column: Int
        let message: String

        init(_ text: String, _ line: Int, _ column: Int, _ message: String) {
            self.text = text
            self.line = line
            self.column = column
            self.message = message
        }

        var testDescription: String { text.debugDescription }
    }

    static let structure = [
        Example("{\"a\": 1,\n}", 1, 8, "a comma may not stand before '}'"),
        Example("[1, 2 , ]", 1, 7, "a comma may not stand before ']'"),
        Example("[1,,2]", 1, 4, "expected a value, found ','"),
        Example("[,1]", 1, 2, "expected a value or ']', found ','"),
        Example("{,}", 1, 2, "expected a name in double quotes or '}', found ','"),
        Example("{\"a\": 1\n \"b\": 2}", 2, 2, "expected ',' or '}' after a member, found '\"'"),
        Example("[1 2]", 1, 4, "expected ',' or ']' after an element, found '2'"),
        Example("[1}", 1, 3, "expected ',' or ']' after an element, found '}'"),
        Example("{\"a\" 1}", 1, 6, "expected ':' after the name, found '1'"),
        Example("{\"a\":}", 1, 6, "expected a value, found '}'"),
        Example("{1: 2}", 1, 2, "expected a name in double quotes or '}', found '1'"),
        Example("{\"a\": 1, 2}", 1, 10, "expected a name in double quotes, found '2'"),
        Example("{} {}", 1, 4, "expected the end of the text after the value, found '{'"),
        Example("1 // one", 1, 3, "comments are not JSON"),
        Example("{ /* one */ }", 1, 3, "comments are not JSON"),
        Example("{\"a\": # one\n 1}", 1, 7, "comments are not JSON"),
        Example("\u{A0}1", 1, 1, "expected a JSON value, found U+00A0"),
        Example("[\u{201C}a\u{201D}]", 1, 2, "expected a value or ']', found '\u{201C}' (U+201C)"),
        Example("<html>", 1, 1, "expected a JSON value, found '<'; this looks like HTML or XML"),
        Example(
            "[1,\n {\"a\": [", 2, 9,
            """
            expected a value or ']', found the end of the text; \
            the array that begins at line 2, column 8 is not closed
            """),
        Example(
            "{\"a\": {}", 1, 9,
            """
            expected ',' or '}' after a member, found the end of the text; \
            the object that begins at line 1, column 1 is not closed
            """),
        Example(
            "{\"a\"", 1, 5,
            """
            expected ':' after the name, found the end of the text; \
            the object that begins at line 1, column 1 is not closed
            """),
    ]

    static let words = [
        Example(
            "{'a': 1}", 1, 2, "strings stand in double quotes (\") in JSON, not in single ones"),
        Example("['a']", 1, 2, "strings stand in double quotes (\") in JSON, not in single ones"),
        Example("{name: 1}", 1, 2, "a name stands in double quotes: write \"name\""),
        Example("[NaN]", 1, 2, "NaN is not a JSON number"),
        Example("[-Infinity]", 1, 2, "-Infinity is not a JSON number"),
        Example("[True]", 1, 2, "True is written true in JSON"),
        Example("[None]", 1, 2, "None is not JSON; an absent value is written null"),
        Example("[undefined]", 1, 2, "undefined is not JSON; an absent value is written null"),
        Example("[yes]", 1, 2, "expected a value, found 'yes'; a string stands in double quotes"),
        Example("nul", 1, 1, "expected a value, found 'nul'; a string stands in double quotes"),
    ]

    static let numbers = [
        Example("[01]", 1, 2, "a number may not begin with a zero before other digits"),
        Example("[+1]", 1, 2, "a number begins with a digit or '-', not with '+'"),
        Example("[.5]", 1, 2, "a number begins with a digit or '-', not with '.'"),
        Example("[1.]", 1, 4, "expected a digit after '.', found ']'"),
        Example("[-]", 1, 3, "expected a digit after '-', found ']'"),
        Example("1e+", 1, 4, "expected a digit in the exponent, found the end of the text"),
        Example("0x1F", 1, 2, "expected the end of the text after the value, found 'x'"),
    ]

    static let strings = [
        Example(
            "[1,\n \"abc]", 2, 2,
            "this string is not closed: expected '\"' before the end of the text"),
        Example(
            "\"a\\", 1, 1, "this string is not closed: expected '\"' before the end of the text"),
        Example(
            "{\"a\": \"b\n}", 1, 7,
            "this string is not closed on its line; a line break in it is written \\n"),
        Example("\"a\tb\"", 1, 3, "a tab in a string is written \\t"),
        Example(
            "\"a\u{1}\"", 1, 3,
            "the control character U+0001 may not stand in a string; it is written \\u0001"),
        Example("\"é\\x\"", 1, 3, "expected one of \" \\ / b f n r t u after '\\', found 'x'"),
        Example("\"\\u12G4\"", 1, 2, "expected four hexadecimal digits after '\\u'"),
        Example("\"\\u12", 1, 2, "expected four hexadecimal digits after '\\u'"),
    ]

    @Test(
        "names what was expected, what was found, and where",
        arguments: structure + words + numbers + strings)
    func message(example: Example) throws {
        let error = try #require(
            #expect(throws: JSONError.self) { try JSONValue(parsing: example.text) })
        #expect(error.message == example.message)
        #expect(error.position == SourcePosition(line: example.line, column: example.column))
        let lines = SourceLines(Array(example.text.utf8))
        #expect(lines.position(of: error.offset) == error.position)
    }

    @Test(
        "O22: a body that only claims to be JSON is refused",
        arguments: [
            ("", 0, "the text is empty, expected a JSON value"),
            (" \n", 2, "the text is blank, expected a JSON value"),
            ("\u{FEFF}", 3, "the text is empty, expected a JSON value"),
            ("{\"ok\":true,}", 10, "a comma may not stand before '}'"),
            (
                "<!DOCTYPE html>", 0,
                "expected a JSON value, found '<'; this looks like HTML or XML"
            ),
        ])
    func pretenders(text: String, offset: Int, message: String) throws {
        let error = #expect(throws: JSONError.self) { try JSONValue(parsing: text) }
        #expect(error?.message == message)
        #expect(error?.offset == offset)
    }

    @Test("O22: a byte order mark is skipped, and offsets count it")
    func byteOrderMark() throws {
        let value = try JSONValue(parsing: "\u{FEFF}{\"ok\":true}")
        #expect(value == ["ok": true])
        #expect(value.sourceRange == 3..<14)
        let error = #expect(throws: JSONError.self) { try JSONValue(parsing: "\u{FEFF}[x]") }
        #expect(error?.offset == 4)
        #expect(error?.position == SourcePosition(line: 1, column: 2))
        #expect(throws: JSONError.self) { try JSONValue(parsing: "\u{FEFF}\u{FEFF}1") }
    }

    @Test(
        "names an encoding that is not UTF-8",
        arguments: [
            ([0xFF, 0xFE, 0x5B, 0, 0x5D, 0], "UTF-16 (little-endian)"),
            ([0xFE, 0xFF, 0, 0x5B, 0, 0x5D], "UTF-16 (big-endian)"),
            ([0x5B, 0, 0x5D, 0], "UTF-16 (little-endian)"),
            ([0x31, 0], "UTF-16 (little-endian)"),
            ([0, 0x5B, 0, 0x5D], "UTF-16 (big-endian)"),
            ([0x22, 0, 0xE9, 0, 0x22, 0], "UTF-16 (little-endian)"),
            ([0xFF, 0xFE, 0, 0, 0x31, 0, 0, 0], "UTF-32 (little-endian)"),
            ([0, 0, 0xFE, 0xFF, 0, 0, 0, 0x31], "UTF-32 (big-endian)"),
            ([0x31, 0, 0, 0], "UTF-32 (little-endian)"),
            ([0, 0, 0, 0x31], "UTF-32 (big-endian)"),
        ] as [([UInt8], String)])
    func encodings(bytes: [UInt8], encoding: String) throws {
        let error = #expect(throws: JSONError.self) { try JSONValue(parsing: bytes) }
        #expect(error?.message == "the text is \(encoding); save it as UTF-8")
    }

    @Test(
        "says what binary data looks like",
        arguments: [
            (
                [0x1F, 0x8B, 8, 0],
                "expected a JSON value, found the control character U+001F; this looks like binary data"
            ),
            (
                [0x89, 0x50, 0x4E, 0x47],
                """
                expected a JSON value, found the byte 0x89, which is not UTF-8; \
                this looks like binary data
                """
            ),
        ] as [([UInt8], String)])
    func binary(bytes: [UInt8], message: String) {
        let error = #expect(throws: JSONError.self) { try JSONValue(parsing: bytes) }
        #expect(error?.message == message)
    }

    @Test(
        "refuses bytes that are not UTF-8, at the first that is wrong",
        arguments: [
            [0xC0, 0x80], [0xC1, 0xBF], [0xE0, 0x9F, 0x80], [0xED, 0xA0, 0x80],
            [0xF0, 0x8F, 0x80, 0x80],
            [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80], [0x80], [0xFF], [0xC3],
            [0xE2, 0x82],
            [0xF0, 0x9F, 0x98], [0xC3, 0xC3],
        ] as [[UInt8]])
    func notUTF8(sequence: [UInt8]) throws {
        let bytes = Array("[\"\u{E9}".utf8) + sequence + Array("\"]".utf8)
        let error = try #require(#expect(throws: JSONError.self) { try JSONValue(parsing: bytes) })
        #expect(error.offset == 4)
        #expect(error.message.hasSuffix("which is not UTF-8; save the text as UTF-8"))
    }

    @Test("accepts the first and last scalar of each length in UTF-8")
    func edgesOfUTF8() throws {
        let text = "\u{7F}\u{80}\u{7FF}\u{800}\u{D7FF}\u{E000}\u{FFFF}\u{10000}\u{10FFFF}"
        #expect(try JSONValue(parsing: "\"\(text)\"").string == text)
    }
}
