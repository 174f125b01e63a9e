import PipelineCore
import PipelineJSON
import TestSupport
import Testing

@Suite("Values of a run, as types of Swift", .timeLimit(.minutes(1)))
struct RunValueTests {
    private func result(status: Int = 200) async throws -> RunResult {
        let body = """
            {"token":"abc-secret","count":3,"big":1003200000000001759,"price":1.5,"ok":true,
             "huge":1e400,"long":123456789012345678901234567890,
             "tags":["a","b"],"mixed":[1,"2"],"ages":{"ada":36,"tim":null},"nothing":null}
            """
        let names = [
            "token", "count", "big", "price", "ok", "huge", "long", "tags", "mixed", "ages",
            "nothing",
        ]
        let captures = names.map { #""\#($0)": "$.\#($0)""# }
            .joined(separator: ",")
        let text = file(
            #"{"name": "login", "url": "/login", "captures": {\#(captures)}}"#,
            keys: #""variables": {"city": "Oslo"},"#)
        let transport = ScriptedTransport { _ in .respond(status: status, body: body) }
        return try await load(text).run(transport: transport)
    }

    @Test("are read as strings, numbers, booleans, arrays, dictionaries and optionals")
    func types() async throws {
        let result = try await result()
        #expect(try result.value("token", as: String.self) == "abc-secret")
        #expect(try result.value("city", as: String.self) == "Oslo")
        #expect(try result.value("count", as: Int.self) == 3)
        #expect(try result.value("big", as: Int.self) == 1_003_200_000_000_001_759)
        #expect(try result.value("count", as: Double.self) == 3)
        #expect(try result.value("price", as: Double.self) == 1.5)
        #expect(try result.value("ok", as: Bool.self))
        #expect(try result.value("tags", as: [String].self) == ["a", "b"])
        #expect(try result.value("ages", as: [String: Int?].self) == ["ada": 36, "tim": nil])
        #expect(try result.value("nothing", as: String?.self) == nil)
        #expect(try result.value("mixed", as: [JSONValue].self).count == 2)
    }

    @Test(
        "say what was found, and never the value, which may be a secret",
        arguments: [
            ("token", "token: expected an integer, found a string"),
            ("price", "price: expected an integer, found a number with a fraction"),
            ("long", "long: expected an integer, found an integer that does not fit in Int"),
            ("ok", "ok: expected an integer, found a boolean"),
            ("tags", "tags: expected an integer, found an array"),
            ("nothing", "nothing: expected an integer, found null"),
            ("tokn", "tokn: the pipeline has no such variable; did you mean \"token\"?"),
        ])
    func mismatch(_ name: String, _ message: String) async throws {
        let result = try await result()
        let error = #expect(throws: RunValueError.self) { try result.value(name, as: Int.self) }
        #expect(error?.description == message)
    }

    @Test("say where in an array or an object the wrong one is")
    func place() async throws {
        let result = try await result()
        let inArray = #expect(throws: RunValueError.self) {
            try result.value("mixed", as: [Int].self)
        }
        #expect(inArray?.message == "expected an integer, found a string at [1]")
        let inObject = #expect(throws: RunValueError.self) {
            try result.value("ages", as: [String: Int].self)
        }
        #expect(inObject?.message == "expected an integer, found null at .tim")
        let huge = #expect(throws: RunValueError.self) { try result.value("huge", as: Double.self) }
        #expect(huge?.message == "expected a number, found a number beyond the range of Double")
    }

    @Test("name the request that would have brought a value, when there is none")
    func missing() async throws {
        let result = try await result(status: 500)
        let error = #expect(throws: RunValueError.self) {
            try result.value("token", as: String.self)
        }
        #expect(
            error?.message == "it has no value: the request login, which captures it, failed")
    }
}
