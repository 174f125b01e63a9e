import PipelineJSON
import Testing

@Suite("Values")
struct JSONValueTests {
    let value: JSONValue

    init() throws {
        value = try JSONValue(
            parsing: #"""
                { "a" : [1, {"b": "x\ny"}, [], {}], "\u0061b": true,
                  "é": null }
                """#)
    }

    @Test("each kind answers for itself and for no other")
    func kinds() throws {
        #expect(value.kind == .object)
        #expect(value["a"]?.kind == .array)
        #expect(value["é"]?.isNull == true)
        #expect(value["ab"]?.boolean == true)
        #expect(JSONValue(false).boolean == false)
        #expect(value["a"]?[0]?.number?.int == 1)
        #expect(value["a"]?[1]?["b"]?.string == "x\ny")
        #expect(value.string == nil && value.number == nil && value.boolean == nil && !value.isNull)
        #expect(Array(JSONValue("x").elements).isEmpty && Array(JSONValue("x").members).isEmpty)
        #expect(
            JSONValue.Kind.allCases.map(\.rawValue).joined(separator: " ")
                == "null boolean number string array object")
    }

    @Test("counts, elements and members go over one level")
    func counts() throws {
        #expect(value.count == 3)
        #expect(value.members.map(\.name) == ["a", "ab", "é"])
        let array = try #require(value["a"])
        #expect(array.count == 4)
        #expect(array.elements.map(\.count) == [0, 1, 0, 0])
        #expect(JSONValue("text").count == 0)
        #expect(Array(value.elements).isEmpty && Array(array.members).isEmpty)
    }

    @Test("an index beyond either end, or of a value that is not an array, gives nothing")
    func indices() throws {
        let array = try #require(value["a"])
        #expect(array[3] == [:])
        #expect(array[4] == nil as JSONValue?)
        #expect(array[-1] == nil as JSONValue?)
        #expect(value[0] == nil as JSONValue?)
        #expect(array["a"] == nil as JSONValue?)
    }

    @Test("names and values know where they stand in the text")
    func positions() throws {
        let bytes = value.document.bytes
        let lines = SourceLines(bytes)
        let members = Array(value.members)
        #expect(members[0].nameRange == 2..<5)
        #expect(members[0].value.sourceRange == 8..<34)
        #expect(members[0].value.sourceText == #"[1, {"b": "x\ny"}, [], {}]"#)
        #expect(members[1].nameRange.count == #""\u0061b""#.utf8.count)
        #expect(
            lines.position(of: members[2].nameRange.lowerBound)
                == SourcePosition(line: 2, column: 3))
        #expect(
            lines.position(of: members[2].value.sourceRange.lowerBound)
                == SourcePosition(line: 2, column: 8))
        #expect(value.sourceRange == 0..<bytes.count)
    }

    @Test("names are compared with their escapes undone, byte for byte")
    func names() throws {
        let value = try JSONValue(
            parsing: "{\"\u{E9}\": 1, \"e\u{301}\": 2, \"\\u0065\": 3, \"\": 4}")
        #expect(value["\u{E9}"] == 1)
        #expect(value["e\u{301}"] == 2)
        #expect(value["e"] == 3)
        #expect(value[""] == 4)
    }

    @Test("of a doubled name the last one wins, and the members show them all")
    func lastWins() throws {
        let value = try JSONValue(parsing: #"{"a": 1, "\u0061": 2, "b": 3}"#)
        #expect(value["a"] == 2)
        #expect(value.count == 3)
        #expect(value.members.map(\.name) == ["a", "a", "b"])
    }

    @Test("escapes are undone in strings")
    func escapes() throws {
        let text = #""\"\\\/\b\f\n\r\t\u0041\u00e9\u2028\ud83d\uDE00\u0000""#
        #expect(
            try JSONValue(parsing: text).string
                == "\"\\/\u{8}\u{C}\n\r\tA\u{E9}\u{2028}\u{1F600}\u{0}")
    }

    @Test(
        "half a surrogate pair is read as U+FFFD and counted",
        arguments: [
            (#""\ud800""#, "\u{FFFD}", 1), (#""a\uDC00b""#, "a\u{FFFD}b", 1),
            (#""\ud800\ud83d\ude00""#, "\u{FFFD}\u{1F600}", 1),
            (#""\ud800\u0041""#, "\u{FFFD}A", 1), (#""\ud83d\ude00""#, "\u{1F600}", 0),
            (#""\ud800\n\udc00""#, "\u{FFFD}\n\u{FFFD}", 2),
        ])
    func loneSurrogates(text: String, string: String, count: Int) throws {
        let value = try JSONValue(parsing: text)
        #expect(value.string == string)
        #expect(value.document.loneSurrogateCount == count)
        #expect(try JSONValue(parsing: value.serialized()).string == string)
    }

    @Test("the place of the first half of a surrogate pair is known")
    func firstLoneSurrogate() throws {
        let value = try JSONValue(parsing: #"{"é": "\ud83d\ude00 \udead \udead"}"#)
        #expect(value.document.firstLoneSurrogate == 21)
    }

    @Test("a detached value is the same with a text of its own")
    func detached() throws {
        let part = try #require(value["a"]?[1])
        let copy = part.detached()
        #expect(copy == part)
        #expect(copy.document !== part.document)
        #expect(copy.document.bytes == Array(#"{"b": "x\ny"}"#.utf8))
        #expect(copy.sourceRange == 0..<13)
        #expect(copy["b"]?.sourceText == part["b"]?.sourceText)
        #expect(value.detached().description == value.description)
    }

    @Test("a value is 16 bytes")
    func size() {
        #expect(MemoryLayout<JSONValue>.size == 16)
    }

    @Test("literals and initializers build what they say, in order")
    func building() throws {
        let built: JSONValue = [
            "z": 1, "a": [true, .null, -2.5, "q\"\\\n\u{1}é"], "n": ["m": [:], "l": []], "b": 1e20,
        ]
        #expect(
            built.description
                == #"{"z":1,"a":[true,null,-2.5,"q\"\\\n\u0001é"],"n":{"m":{},"l":[]},"b":1e+20}"#)
        #expect(try JSONValue(parsing: built.serialized()) == built)
        #expect(built["a"]?[3]?.string == "q\"\\\n\u{1}é")
        #expect(built["n"]?["l"]?.sourceText == "[]")
        let joined = JSONValue(object: [("x\"y", value), ("part", try #require(value["a"]?[1]))])
        #expect(joined["x\"y"] == value)
        #expect(joined["part"]?["b"]?.string == "x\ny")
        #expect(joined["x\"y"]?["ab"] == true)
        #expect(JSONValue(array: []).description == "[]")
        #expect(JSONValue(Int.min).description == "-9223372036854775808")
    }
}
