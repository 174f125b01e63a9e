import PipelineJSON
import Testing

@Suite("JSONPath")
struct JSONPathTests {
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
                "expected a quoted name, an index, a slice, '*' or '?' in brackets, "
                    + "found the end of the path"
            ),
            (
                "$[a]", 2,
                "expected a quoted name, an index, a slice, '*' or '?' in brackets, found 'a'"
            ),
            ("$[0", 3, "expected ',' or ']', found the end of the path"),
            ("$['a", 2, "this quote is not closed"),
            ("$[007]", 2, "an index may not begin with '0' or '-0'"),
            ("$[9007199254740992]", 2, "an index is at most 2^53 - 1"),
            (#"$["\ud800"]"#, 3, "half a surrogate pair is not a character"),
            ("$..", 3, "expected a name, '*' or '[' after '..', found the end of the path"),
            ("$..-", 3, "expected a name, '*' or '[' after '..', found '-'"),
            ("$[0 1]", 4, "expected ',' or ']', found '1'"),
            ("$[-]", 3, "expected a digit after '-', found ']'"),
            ("$[1:-0]", 4, "an index may not begin with '0' or '-0'"),
            ("$['\\x']", 3, "'x' may not stand after '\\'"),
            ("$[?@.a==]", 8, "expected a path with '@' or '$', a literal or a function, found ']'"),
            ("$[?a]", 3, "'a' is no literal; a text stands in quotes, a path has '@'"),
            ("$[?true]", 3, "a literal is no condition; compare it with something"),
            ("$[?(@.a]", 7, "expected ')', found ']'"),
            (
                "$[?@.a =~ 'b']", 7,
                "equality is written '=='; patterns are for match() and search()"
            ),
            ("$[?(@.a) == 1]", 9, "expected ',' or ']', found '='"),
            ("$[?!@.a==1]", 7, "a comparison is negated as in '!(@.a == 1)'"),
            ("$[?@.a==01]", 8, "'01' is not a JSON number"),
            ("$[?@.*==1]", 3, "only a path of names and indices gives one value to use here"),
            ("$[?1==@..a]", 6, "only a path of names and indices gives one value to use here"),
            (
                "$[?length(@.*)>1]", 10,
                "only a path of names and indices gives one value to use here"
            ),
            ("$[?length(@)]", 3, "this function gives a value; compare it with something"),
            ("$[?match(@,'a')==true]", 3, "this function gives no value to use here"),
            ("$[?count(1)>1]", 9, "expected a path with '@' or '$', found '1'"),
            (
                "$[?count(@.a,1)>1]", 12,
                "expected ')' after the last argument of 'count', found ','"
            ),
            ("$[?match(@)]", 10, "'match' takes a value and a pattern: expected ','"),
            (
                "$[?first(@)==1]", 3,
                "there is no function 'first', only length, count, value, match and search"
            ),
        ])
    func errors(text: String, offset: Int, message: String) throws {
        let error = #expect(throws: JSONPathError.self) { try JSONPath(text) }
        #expect(error?.message == message)
        #expect(error?.offset == offset)
    }

    @Test(
        "only names and indices make a path singular",
        arguments: [
            ("$", true), ("$.a['b'][-1]", true), ("$.*", false), ("$.a[*].b", false),
            ("$..a", false),
            ("$['a','a']", false), ("$[0:1]", false), ("$[?@]", false),
        ])
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
        #expect(try JSONPath("$.a.b").nodes(in: ["a": .null]) == [])
        #expect(try JSONPath("$.a").nodes(in: ["a": .null]) == [.null])
    }

    private func select(_ path: String, in text: String) throws -> String {
        JSONValue(array: try JSONPath(path).nodes(in: JSONValue(parsing: text))).description
    }

    @Test(
        "operands are compared by value, whatever they are",
        arguments: [
            ("$[?@.a == 1.0]", #"[{"a":1},{"a":"1"},{"a":10e-1}]"#, #"[{"a":1},{"a":10e-1}]"#),
            (
                "$[?@ == 9007199254740993]", "[9007199254740993,9007199254740992]",
                "[9007199254740993]"
            ),
            ("$[?@ > 1e400]", "[1e401,1e399,1e400]", "[1e401]"),
            ("$[?@ == $[0]]", #"[{"a":[1]},{"a":[1.0]},{}]"#, #"[{"a":[1]},{"a":[1.0]}]"#),
            ("$[?@ < 'b']", #"["a","b","\u0061z",1,null]"#, #"["a","az"]"#),
            (#"$[?@ > '\uFFFF']"#, #"["😀","a"]"#, #"["😀"]"#),
            ("$[?@ <= true]", "[true,false]", "[true]"),
            ("$[?@.a == @.b]", "[1,{\"a\":null}]", "[1]"),
            (
                "$[?length(@) == 1]", #"["😀",[1],{"a":1},"","\u00e9",1]"#,
                #"["😀",[1],{"a":1},"é"]"#
            ),
            ("$[?count(@..*) > 2]", "[[1],[1,[2]]]", "[[1,[2]]]"),
            (
                "$[?value(@..a) == 1]", #"[{"a":1},{"b":{"a":1}},{"a":1,"b":{"a":1}}]"#,
                #"[{"a":1},{"b":{"a":1}}]"#
            ),
        ])
    func comparison(path: String, text: String, nodes: String) throws {
        #expect(try select(path, in: text) == nodes)
    }

    @Test(
        "of a doubled name only the last member is there",
        arguments: [
            ("$.*", "[3,2]"), ("$..*", "[3,2]"), ("$.a", "[3]"), ("$[?@ > 0]", "[3,2]"),
            ("$..x", "[]"),
            ("$[?count($.*) == 2]", "[3,2]"), ("$[?length($) == 2]", "[3,2]"),
        ])
    func doubledNames(path: String, nodes: String) throws {
        let text = #"{"a":{"x":[1]},"\u0061":{"x":9},"a":3,"b":2}"#
        #expect(try select(path, in: text) == nodes)
        // Names of many members are looked up in another way.
        let filler = String(repeating: #""f":{"x":1},"#, count: 20) + #""f":3"#
        let large = text.dropFirst().dropLast() + "," + filler
        let one = try select("$.f", in: "{\(large)}")
        #expect(one == "[3]")
        #expect(try select("$..x", in: "{\(large)}") == "[]")
        #expect(try select("$.*", in: "{\(large)}") == "[3,2,3]")
    }

    @Test(
        "a pattern is one of RFC 9485, and one that is none matches nothing",
        arguments: [
            ("$[?match(@, 'a.c')]", "[\"abc\"]"), ("$[?search(@, 'b')]", "[\"abc\",\"xby\"]"),
            ("$[?match(@, '(')]", "[]"), ("$[?search(@, '\\\\d')]", "[]"),
            ("$[?match(@, @)]", "[\"abc\",\"xby\",\"7\"]"), ("$[?search(@, $[2])]", "[]"),
        ])
    func patterns(path: String, nodes: String) throws {
        #expect(try select(path, in: #"["abc","xby","(","7"]"#) == nodes)
    }

    @Test("the places of nodes are normalized paths, also within a part of a text")
    func normalizedPaths() throws {
        let text = #"{"a": [{"it's": 1}, {"\u0001\n\\é": {"b": [[2]]}}], "": 3}"#
        let value = try JSONValue(parsing: text)
        let paths = { (path: String, value: JSONValue) in
            try JSONPath(path).locatedNodes(in: value).map(\.path)
        }
        #expect(
            try paths("$..*", value) == [
                "$['a']", "$['']", "$['a'][0]", "$['a'][1]", #"$['a'][0]['it\'s']"#,
                #"$['a'][1]['\u0001\n\\é']"#, #"$['a'][1]['\u0001\n\\é']['b']"#,
                #"$['a'][1]['\u0001\n\\é']['b'][0]"#, #"$['a'][1]['\u0001\n\\é']['b'][0][0]"#,
            ])
        #expect(try paths("$", value) == ["$"])
        let part = try #require(value["a"]?[1])
        #expect(try paths("$..b[0]", part) == [#"$['\u0001\n\\é']['b'][0]"#])
        #expect(try paths("$.a[1,0,1]", value) == ["$['a'][1]", "$['a'][0]", "$['a'][1]"])
    }

    @Test("paths are equal when their texts are the same bytes")
    func equality() throws {
        #expect(try JSONPath("$.\u{E9}") == JSONPath("$.\u{E9}"))
        #expect(try JSONPath("$.\u{E9}") != JSONPath("$.e\u{301}"))
        #expect(try Set([JSONPath("$.a"), JSONPath("$.a"), JSONPath("$['a']")]).count == 2)
    }

    @Test("a query from the root within a filter looks at the whole value, not at the node")
    func rootQueries() throws {
        let text =
            #"{"wanted": 2, "items": [{"id": 1}, {"id": 2}, {"id": 3}, {"wanted": 0, "id": 2}]}"#
        #expect(try select("$.items[?@.id == $.wanted].id", in: text) == "[2,2]")
        #expect(try select("$.items[?count($..wanted) == @.id].id", in: text) == "[2,2]")
        #expect(try select("$.items[?@.wanted == $.items[3].wanted].id", in: text) == "[2]")
    }
}
