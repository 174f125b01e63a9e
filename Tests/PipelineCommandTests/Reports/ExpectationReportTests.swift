import PipelineCore
import PipelineJSON
import TestSupport
import Testing

@testable import PipelineCommand

extension ProgramTests {
    @Suite("Expectations in the JSON report", .timeLimit(.minutes(1)))
    struct ExpectationReportTests {
        /// The report of one request that is answered with a body.
        private func request(
            expect: String, body: String
        ) async throws -> JSONValue {
            let server = try ByteServer.answering { _ in
                ByteServer.http(fields: ["X-Same": "yes"], body: body)
            }
            let folder = try TemporaryFolder()
            let reports = WrittenReports(folder)
            let file = try folder.write(
                #"{ "requests": [{ "url": "\#(server.url("/"))", "expect": \#(expect) }] }"#,
                as: "a.json")
            _ = try await Subprocess(PipelineRunProgram.path, ["-q"] + reports.options + [file])
                .waitForEnd()
            return try #require(try reports.json()["files"]?[0]?["requests"]?[0])
        }

        @Test(
            "Each is there with whether it holds, also those that were told in one message",
            arguments: [
                (#"{}"#, #"{}"#, "the status+"),
                (
                    #"{ "headers": { "X-Same": "yes" }, "json": { "$.a": 1, "$.b": { "gt": 1, "lt": 2 } } }"#,
                    #"{"a":1,"b":3}"#, "the status+ the header X-Same+ $.a+ $.b-"
                ),
                (
                    #"{ "headers": { "X-Same": "yes" }, "json": { "$.a": 1, "$.b": 1 } }"#,
                    "no JSON", "the status+ the header X-Same+ $.a- $.b-"
                ),
                (
                    #"{ "status": 201, "json": { "$.a": { "each": { "gt": 1 } } } }"#,
                    #"{"a":[1]}"#, "the status- $.a-"
                ),
                (
                    #"{ "schema": { "type": "array" } }"#, "{}",
                    "the status+ the body, by its schema-"
                ),
            ])
        func outcomes(expect: String, body: String, expected: String) async throws {
            let request = try await request(expect: expect, body: body)
            let outcomes = try #require(request["expectations"]).elements.map {
                ($0["subject"]?.string ?? "") + ($0["met"]?.boolean == true ? "+" : "-")
            }
            #expect(outcomes.joined(separator: " ") == expected)
        }

        @Test(
            "What does not hold has what was looked at, what was asked for and what was found",
            arguments: [
                (#"{ "status": 201 }"#, ["the status", "to be 201", "201", "[200]"]),
                (
                    #"{ "status": [201, "3xx"] }"#,
                    ["the status", "to be 201 or 3xx", #""201 or 3xx""#, "[200]"]
                ),
                (#"{ "json": { "$.a": 2 } }"#, ["$.a", "to be 2 (number)", "2", "[1]"]),
                (
                    #"{ "json": { "$.b.c": { "exists": true } } }"#,
                    ["$.b.c", "to exist", "", "[]"]
                ),
                (
                    #"{ "json": { "$.list": { "length": { "gt": 3 } } } }"#,
                    ["the length of $.list", "to be > 3 (number)", "3", "[2]"]
                ),
                (
                    #"{ "json": { "$.list[*]": { "contains": 9 } } }"#,
                    ["$.list[*]", "to contain 9 (number)", "", "[5,6]"]
                ),
                (
                    #"{ "headers": { "X-Same": { "startsWith": "n" } } }"#,
                    ["the header X-Same", #"to start with "n""#, #""n""#, #"["yes"]"#]
                ),
            ])
        func comparisons(expect: String, expected: [String]) async throws {
            let request = try await request(expect: expect, body: #"{"a":1,"list":[5,6]}"#)
            let finding = try #require(request["error"]?["findings"]?[0])
            let found = [
                finding["subject"]?.string, finding["requirement"]?.string,
                finding["expected"]?.description, finding["actual"]?.description,
            ]
            #expect(found.map { $0 ?? "" } == expected)
            #expect(finding["line"]?.number?.int == 1)
        }

        @Test("A value that is very long is there with its beginning")
        func long() async throws {
            let text = String(repeating: "x", count: 100_000)
            let request = try await request(expect: #"{ "text": "short" }"#, body: text)
            let actual = request["error"]?["findings"]?[0]?["actual"]?[0]?.string
            #expect(actual?.hasPrefix(#""xxx"#) == true && actual?.hasSuffix("x…") == true)
            #expect(try #require(actual).utf8.count < 20_000)
        }

        @Test("Nothing was looked at without a response")
        func none() async throws {
            let folder = try TemporaryFolder()
            let reports = WrittenReports(folder)
            let file = try folder.write(
                #"{ "requests": [{ "url": "http://127.0.0.1:1/" }] }"#, as: "a.json")
            _ = try await Subprocess(PipelineRunProgram.path, ["-q"] + reports.options + [file])
                .waitForEnd()
            let request = try reports.json()["files"]?[0]?["requests"]?[0]
            #expect(request?["expectations"]?.count == 0)
        }
    }
}
