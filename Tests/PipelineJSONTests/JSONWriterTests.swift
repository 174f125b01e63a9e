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
}
