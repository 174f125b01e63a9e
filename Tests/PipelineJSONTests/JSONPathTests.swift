import Foundation
import PipelineJSON
import Testing

@Suite("JSONPath")
struct JSONPathTests {
    @Suite("compliance suite", .enabled(if: ConformanceData.isPresent, ConformanceData.absence))
    struct Compliance {
        let cases: JSONValue

        init() throws {
            let url = ConformanceData.folder.appending(path: "jsonpath/cts.json")
            let suite = try JSONValue(parsing: [UInt8](try Data(contentsOf: url)))
            cases = try #require(suite["tests"])
        }

        @Test("paths of names, indices and wildcards select what the suite says")
        func selection() throws {
            var run = 0
            for example in cases.elements where example["invalid_selector"] == nil {
                let text = try #require(example["selector"]?.string)
                let document = try #require(example["document"])
                let path: JSONPath
                do {
                    path = try JSONPath(text)
                } catch {
                    #expect(error.message.hasSuffix("not supported yet"), "\(text): \(error)")
                    continue
                }
                run += 1
                let nodes = JSONValue(array: path.nodes(in: document))
                let results = example["results"].map { Array($0.elements) } ?? []
                #expect(
                    (results + [example["result"]].compactMap(\.self)).contains(nodes), "\(text)")
            }
            print("JSONPath: \(run) of \(cases.count) cases of the suite run")
            #expect(run >= 75)
        }

        @Test("every invalid path is refused")
        func refusal() throws {
            var refused = 0
            for example in cases.elements where example["invalid_selector"]?.boolean == true {
                let text = try #require(example["selector"]?.string)
                #expect(throws: JSONPathError.self, "\(text)") { try JSONPath(text) }
                refused += 1
            }
            #expect(refused >= 247)
        }
    }

    @Test(
        "a path that cannot be read is refused with the place and the reason",
        arguments: [
            ("", 0, "a JSONPath begins with '$'"),
            ("a.b", 0, "a JSONPath begins with '$'"),
            ("$a", 1, "expected '.' or '[', found 'a'"),
            ("$.a ", 3, "expected '.' or '[', found ' '"),
            ("$.", 2, "expected a name or '*' after '.', found the end of the path"),
            ("$.é.-", 5, "expected a name or '*' after '.', found '-'"),
            (
                "$[", 2,
                "expected a quoted name, an index or '*' after '[', found the end of the path"
            ),
            ("$[a]", 2, "expected a quoted name, an index or '*' after '[', found 'a'"),
            ("$[0", 3, "expected ']', found the end of the path"),
            ("$['a", 2, "this name is not closed"),
            ("$[007]", 2, "an index may not begin with '0' or '-0'"),
            ("$[9007199254740992]", 2, "an index is at most 2^53 - 1"),
            (#"$["\ud800"]"#, 3, "half a surrogate pair is not a character"),
            ("$..a", 1, "descendants ('..') are not supported yet"),
            ("$.a[1:2]", 5, "slices (':') are not supported yet"),
            ("$[:2]", 2, "slices (':') are not supported yet"),
            ("$[0, 1]", 3, "several selectors (',') in brackets are not supported yet"),
            ("$[?@.a]", 2, "filters ('?') are not supported yet"),
        ])
    func errors(text: String, offset: Int, message: String) throws {
        let error = #expect(throws: JSONPathError.self) { try JSONPath(text) }
        #expect(error?.message == message)
        #expect(error?.offset == offset)
    }

    @Test(
        "only names and indices make a path singular",
        arguments: [("$", true), ("$.a['b'][-1]", true), ("$.*", false), ("$.a[*].b", false)])
    func singular(text: String, isSingular: Bool) throws {
        #expect(try JSONPath(text).isSingular == isSingular)
    }

    @Test("a name selects only its own Unicode form")
    func unicodeForms() throws {
        let value = try JSONValue(parsing: "{\"\u{E9}\": 1, \"e\u{301}\": 2}")
        #expect(try JSONPath("$.\u{E9}").nodes(in: value) == [1])
        #expect(try JSONPath("$.e\u{301}").nodes(in: value) == [2])
    }

    @Test("O30: a path gives the list of its nodes, whether none, one or many")
    func nodeLists() throws {
        let path = try JSONPath("$[*].id")
        #expect(path.nodes(in: [["id": 4]]) == [4])
        #expect(path.nodes(in: [["id": 4], ["id": 5], ["no": 6]]) == [4, 5])
        #expect(path.nodes(in: []) == [])
        #expect(try JSONPath("$.a.b").nodes(in: ["a": nil]) == [])
        #expect(try JSONPath("$.a").nodes(in: ["a": nil]) == [nil])
    }
}
