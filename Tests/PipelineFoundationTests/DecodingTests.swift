import Foundation
import PipelineCore
import PipelineFoundation
import Testing

@Suite("Decoding the bodies of responses", .timeLimit(.minutes(1)))
struct DecodingTests {
    private struct User: Decodable, Equatable {
        struct Friend: Decodable, Equatable { let name: String }

        let name: String
        let friends: [Friend]
    }

    private func result(_ body: String, status: Int = 200) async throws -> RunResult {
        let text = """
            {"baseURL": "http://test", "requests": [
              {"name": "profile", "url": "/me"}, {"name": "news", "url": "/news"},
              {"name": "off", "url": "/off", "enabled": false}]}
            """
        let transport = ScriptedTransport { _ in .respond(status: status, body: body) }
        return try await Pipeline(parsing: Array(text.utf8), name: "test.json")
            .run(transport: transport)
    }

    @Test("gives a value of the type")
    func success() async throws {
        let body = #"{"name":"Ada","friends":[{"name":"Charles"}]}"#
        let expected = User(name: "Ada", friends: [User.Friend(name: "Charles")])
        let result = try await result(body)
        #expect(try result.decode(User.self, from: "profile") == expected)
        let response = try #require(result["profile"]?.response)
        #expect(try response.decode() as User == expected)
    }

    @Test(
        "names the request and the place when the body does not fit",
        arguments: [
            (#"{"name":"Ada"}"#, "profile: expected a member \"friends\", found none"),
            (
                #"{"name":"Ada","friends":[{"name":"A"},{}]}"#,
                "profile: friends[1]: expected a member \"name\", found none"
            ),
            (
                #"{"name":"Ada","friends":[{"name":null}]}"#,
                "profile: friends[0].name: expected String, found null"
            ),
            ("{\"name\":\n \"Ada\" oops}", "profile: 2:8: "),
            ("", "profile: 1:1: "),
        ])
    func mismatch(_ body: String, _ message: String) async throws {
        let result = try await result(body)
        let error = #expect(throws: BodyDecodingError.self) {
            try result.decode(User.self, from: "profile")
        }
        #expect(error?.description.hasPrefix(message) == true, "\(error?.description ?? "")")
        #expect(error?.underlyingError is DecodingError)
    }

    @Test("fails the request that is made from it, unsent, and says what is missing")
    func madeFromResponse() async throws {
        let transport = ScriptedTransport { _ in .respond(body: "{}") }
        let queue = RequestQueue(transport: transport)
        let login = RequestRecord(name: "login", request: try .get("http://test/login"))
        let profile = RequestRecord(name: "profile") {
            try .get("http://test/\(login.decode(User.self).name)")
        }
        queue.enqueue([login, profile])
        try await profile.waitUntilEnded()
        #expect(transport.requests.count == 1)
        #expect(profile.error?.code == .invalidRequest)
        #expect(
            profile.error?.message
                == "the request could not be made: login: expected a member \"name\", found none")
    }

    @Test("tells the path of a value of another type")
    func otherType() async throws {
        let result = try await result(#"{"name":"Ada","friends":[{"name":7}]}"#)
        let error = #expect(throws: BodyDecodingError.self) {
            try result.decode(User.self, from: "profile")
        }
        #expect(error?.path == "friends[0].name")
    }

    @Test("says why there is no body")
    func noBody() async throws {
        let result = try await result("", status: 500)
        func message(_ request: String) -> String? {
            let error = #expect(throws: BodyDecodingError.self) {
                try result.decode(User.self, from: request)
            }
            return error?.description
        }
        #expect(message("news") == "news: there is no response: cancelled by profile")
        #expect(message("nobody") == "nobody: the pipeline has no request of this name")
        #expect(message("off") == "off: there is no response: it was skipped")
    }
}
