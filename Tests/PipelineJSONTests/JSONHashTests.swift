import PipelineJSON
import Testing

@Suite("Hashing")
struct JSONHashTests {
    @Test(
        "equal values have the same hash however they are written",
        arguments: [
            ("1", "1.0"), ("0", "-0.0e7"), ("1e400", "10e399"), (#""a\u00e9""#, #""aé""#),
            ("[1, [2.0]]", "[1.0,[2]]"), (#"{"a": 1, "b": [2]}"#, #"{"b":[2e0],"\u0061":1}"#),
            (#"{"a": 1, "a": 2}"#, #"{"a": 2}"#),
            (#"{"a": [], "b": 0, "a": {}}"#, #"{"a":{},"b":0}"#),
            (" null ", "null"), ("{ }", "{}"),
        ])
    func equal(left: String, right: String) throws {
        let (left, right) = try (JSONValue(parsing: left), JSONValue(parsing: right))
        #expect(left == right)
        #expect(left.hashValue == right.hashValue)
    }

    @Test("large objects have the same hash whatever the order of their members")
    func largeObjects() {
        let members = (0..<2_000).map { (name: "name\($0)", value: JSONValue($0)) }
        let object = JSONValue(object: members)
        #expect(object.hashValue == JSONValue(object: members.reversed()).hashValue)
        #expect(
            object.hashValue == JSONValue(object: [("name1", "first")] + members).hashValue)
    }

    @Test("values that differ nearly always have different hashes")
    func different() throws {
        let texts = [
            "null", "true", "false", "0", "1", "\"\"", "\"1\"", "\"null\"", "[]", "{}", "[[]]",
            "[1, 2]",
            "[2, 1]", "[null]", #"{"a": 1}"#, #"{"a": 2}"#, #"{"b": 1}"#, #"{"1": "a"}"#,
            #"{"a": "1"}"#,
            #"{"a": {"b": 1}}"#, #"{"a": 1, "b": 2}"#, #"{"a": 2, "b": 1}"#, #"["a", 1]"#,
        ]
        let values = try texts.map { try JSONValue(parsing: $0) }
        #expect(Set(values).count == texts.count)
        #expect(Set(values.map(\.hashValue)).count == texts.count)
        #expect(Set(values.map { JSONValue(array: [0, $0])[1] }) == Set(values))
    }

    @Test("O23: a deep value is hashed on a small stack")
    func deep() async throws {
        try await onSmallStack {
            var value: JSONValue = 1
            for _ in 0..<2_000 { value = ["a": [value]] }
            #expect(value.hashValue == value.detached().hashValue)
        }
    }
}
