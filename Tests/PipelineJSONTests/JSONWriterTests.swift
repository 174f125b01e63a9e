import PipelineJSON
import Testing

@Suite("Writing")
struct JSONWriterTests {
    private func text(pretty: Bool, _ write: (inout JSONWriter) throws -> Void) rethrows -> String {
        var writer = JSONWriter(pretty: pretty)
        try write(&writer)
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    private func writeReport(_ writer: inout JSONWriter) throws {
        writer.beginObject()
        writer.name("a\n")
        writer.beginArray()
        writer.value(1)
        writer.value("two")
        writer.value(false)
        writer.null()
        writer.value(try #require(JSONNumber("1.10")))
        writer.beginObject()
        writer.endObject()
        writer.beginArray()
        writer.endArray()
        writer.value(try JSONValue(parsing: #"{ "x" : [ ], "y" : { "z" : "\u0041\/" } }"#))
        writer.endArray()
        writer.name("b")
        writer.value(2)
        writer.endObject()
    }

    @Test("puts commas and colons where they belong")
    func compact() throws {
        #expect(
            try text(pretty: false, writeReport)
                == #"{"a\n":[1,"two",false,null,1.10,{},[],{"x":[],"y":{"z":"A/"}}],"b":2}"#)
    }

    @Test("puts each element on a line when it is to be pretty")
    func pretty() throws {
        #expect(
            try text(pretty: true, writeReport) == #"""
                {
                  "a\n": [
                    1,
                    "two",
                    false,
                    null,
                    1.10,
                    {},
                    [],
                    {
                      "x": [],
                      "y": {
                        "z": "A/"
                      }
                    }
                  ],
                  "b": 2
                }
                """#)
    }

    @Test("indents by as many spaces as are asked for")
    func indentation() {
        let value: JSONValue = ["a": [1]]
        #expect(value.prettyPrinted(indent: 1) == "{\n \"a\": [\n  1\n ]\n}")
        #expect(JSONValue("x").prettyPrinted() == "\"x\"")
    }

    @Test("O25: escapes what must be escaped, and nothing else")
    func escaping() throws {
        let string = "\",\"admin\":true,\"x\":\"\\ \u{0}\u{8}\t\n\u{C}\r\u{1F}\u{7F}/é\u{2028}😀"
        let escaped =
            #"\",\"admin\":true,\"x\":\"\\ \u0000\b\t\n\f\r\u001f"# + "\u{7F}/é\u{2028}😀"
        var bytes: [UInt8] = []
        JSONWriter.appendEscaped(string.utf8, to: &bytes)
        #expect(String(decoding: bytes, as: UTF8.self) == escaped)
        bytes = []
        JSONWriter.appendEscaped(AnySequence(string.utf8), to: &bytes)
        #expect(String(decoding: bytes, as: UTF8.self) == escaped)
        #expect(try JSONValue(parsing: "\"\(escaped)\"").string == string)
    }

    @Test(
        "Thousandths have the decimals that they need",
        arguments: [
            (0, "0"), (5, "0.005"), (50, "0.05"), (500, "0.5"), (1_000, "1"), (48_250, "48.25"),
            (1_010, "1.01"), (-1, "-0.001"), (-1_500, "-1.5"),
            (Int64.max, "9223372036854775.807"), (Int64.min, "-9223372036854775.808"),
        ])
    func thousandths(number: Int64, expected: String) {
        #expect(text(pretty: false) { $0.value(thousandths: number) } == expected)
    }

    @Test("Integers are written to their last digit", arguments: [0, 7, -10, Int.max, Int.min])
    func integers(number: Int) {
        #expect(text(pretty: false) { $0.value(number) } == "\(number)")
    }

    @Test(
        "A member with a plain name has the number that its value alone would be",
        arguments: [0, 7, -10, 48_250, Int.max, Int.min], [false, true])
    func plainNumber(number: Int, pretty: Bool) {
        let (quick, usual) = (
            text(pretty: pretty) { writer in
                writer.beginObject()
                writer.plainMember("one", number)
                writer.plainMember("two", thousandths: Int64(number))
                writer.endObject()
            },
            text(pretty: pretty) { writer in
                writer.beginObject()
                writer.name("one")
                writer.value(number)
                writer.name("two")
                writer.value(thousandths: Int64(number))
                writer.endObject()
            }
        )
        #expect(quick == usual)
    }

    @Test(
        "What needs an escape is found wherever it stands, and nothing else is escaped",
        arguments: [
            ("\"", "\\\""), ("\\", "\\\\"), ("\u{0}", "\\u0000"), ("\u{1F}", "\\u001f"),
            (" ", " "), ("!", "!"), ("#", "#"), ("[", "["), ("]", "]"), ("\u{7F}", "\u{7F}"),
            ("é", "é"), ("\u{FFFF}", "\u{FFFF}"),
        ])
    func places(character: String, expected: String) {
        for length in 0..<20 {
            for place in 0...length {
                let before = String(repeating: "a", count: place)
                let after = String(repeating: "é", count: length - place)
                let written = text(pretty: false) {
                    $0.plainMember("name", before + character + after)
                }
                #expect(written == "\"name\":\"\(before)\(expected)\(after)\"")
            }
        }
    }

    @Test(
        "A member with a plain name is written as its name and its value are",
        arguments: [
            "", "plain", "é😀", "\"", "a\\b", "\u{0}", "\u{1F}x",
            String(repeating: "a", count: 512), String(repeating: "a", count: 513),
            String(repeating: "a", count: 511) + "\n",
        ], [false, true])
    func plainMember(value: String, pretty: Bool) {
        let (quick, usual) = (
            text(pretty: pretty) { writer in
                writer.beginObject()
                writer.plainMember("one", value)
                writer.plainName("two")
                writer.value(true)
                writer.plainMember("three", value)
                writer.endObject()
            },
            text(pretty: pretty) { writer in
                writer.beginObject()
                writer.name("one")
                writer.value(value)
                writer.name("two")
                writer.value(true)
                writer.name("three")
                writer.value(value)
                writer.endObject()
            }
        )
        #expect(quick == usual)
    }
}
