import PipelineCore
import PipelineJSON
import TestSupport
import Testing

@testable import PipelineCommand

extension ProgramTests {
    @Suite("Reports", .timeLimit(.minutes(1)))
    struct ReportTests {
        private let folder: TemporaryFolder
        private let reports: WrittenReports

        init() throws {
            folder = try TemporaryFolder()
            reports = WrittenReports(folder)
        }

        /// What a run is made of: the pipelines, how the server answers, and when it is interrupted.
        struct Scenario: Sendable, CustomTestStringConvertible {
            let testDescription: String
            let files: [String]
            var options: [String] = []
            var signal: Int32?
            let status: Int32

            static let all = [passing, failing, interrupted, hostile]

            static let passing = Scenario(
                testDescription: "passing",
                files: [
                    #"""
                    { "name": "Start", "baseURL": "BASE", "requests": [
                        { "name": "login", "method": "POST", "url": "/login",
                          "body": { "json": { "user": "ada" } },
                          "captures": { "id": "$.id" } },
                        { "name": "old", "url": "/moved", "query": { "id": "{{id}}" } },
                        { "name": "off", "url": "/off", "enabled": false },
                        { "name": "binary", "url": "/binary" }],
                      "finally": [{ "name": "logout", "url": "/logout",
                                    "expect": { "json": { "$.id": 7 } } }] }
                    """#
                ], status: 0)
            static let failing = Scenario(
                testDescription: "failing",
                files: [
                    #"""
                    { "name": "Fails", "baseURL": "BASE", "requests": [
                        { "name": "flaky", "url": "/flaky",
                          "retry": { "max": 2, "interval": "1ms" } },
                        { "name": "profile", "url": "/me",
                          "expect": { "status": 201, "json": { "$": { "eq": { "id": 8 } } } } },
                        { "name": "feed", "url": "/feed" }] }
                    """#,
                    #"{ "requests": [ { "url": "/", "expct": 1 } ] }"#,
                    #"{ "name": "Refused", "requests": [{ "name": "closed", "url": "http://127.0.0.1:1/" }] }"#,
                ], status: 2)
            static let interrupted = Scenario(
                testDescription: "interrupted",
                files: [
                    #"""
                    { "name": "Hangs", "baseURL": "BASE", "requests": [
                        { "name": "first", "url": "/first" }, { "name": "second", "url": "/hang" },
                        { "name": "third", "url": "/third" }],
                      "finally": [{ "name": "cleanup", "url": "/cleanup" }] }
                    """#,
                    #"{ "name": "Never", "baseURL": "BASE", "requests": [{ "name": "never", "url": "/" }] }"#,
                ], signal: 2, status: 130)
            /// O33: the failing step is the second of four.
            static let hostile = Scenario(
                testDescription: "hostile",
                files: [
                    #"""
                    { "name": "H ]]> & <b> \" ' \u001b[31m \ufffe 😀 \u202e # \\ \n 2",
                      "baseURL": "BASE", "requests": [
                        { "name": "ok # \\ SKIP\u0000", "url": "/surrogate",
                          "captures": { "odd": "$.a" } },
                        { "name": "\"><script>alert(1)</script> ]]> \u001b[2J\n\u202e \u200f 😀",
                          "url": "/hostile", "expect": { "json": { "$.a": "]]>\u0001" } } },
                        { "name": "third <![CDATA[", "url": "/third" },
                        { "name": "fourth -->", "url": "/fourth" }] }
                    """#
                ], status: 1)
        }

        private static func server() throws -> ByteServer {
            try ByteServer { connection in
                var flaky = 0
                while let request = connection.readRequest() {
                    switch request.target.prefix(while: { $0 != "?" }) {
                    case "/hang": return connection.waitUntilStopped()
                    case "/moved":
                        connection.send(
                            ByteServer.http(status: 302, fields: ["Location": "/new?<&"]))
                    case "/flaky":
                        flaky += 1
                        connection.send(ByteServer.http(status: flaky == 3 ? 200 : 503))
                    case "/binary":
                        connection.send(
                            ByteServer.http(
                                fields: ["Content-Type": "image/png"], body: [0x89, 0x50, 0, 0xFF]))
                    case "/surrogate":
                        connection.send(
                            ByteServer.http(body: #"{"a":"\ud800 \u0000 \ufffe ]]>"}"#))
                    case "/hostile": connection.send(hostileAnswer)
                    default:
                        connection.send(
                            ByteServer.http(
                                fields: ["Content-Type": "application/json"], body: #"{"id":7}"#))
                    }
                }
            }
        }

        private static let hostileText =
            "\"><script>alert(1)</script>]]>&<>'\u{1}\u{1B}[2J\u{FFFE}\u{202E}\u{200F}😀\r\n# \\"

        private static let hostileAnswer = ByteServer.http(
            fields: [
                "X-Hostile": "]]>&<>\"'\u{1B}[31m\u{FFFE}\u{202E}", "Content-Type": "<b>\u{7F}",
            ],
            body: hostileText)

        private func run(_ scenario: Scenario) async throws -> Subprocess.Outcome {
            let server = try Self.server()
            let files = try scenario.files.enumerated().map { index, text in
                try folder.write(
                    text.replacing("BASE", with: server.url("")), as: "\(index).json")
            }
            let program = try Subprocess(
                PipelineRunProgram.path, scenario.options + reports.options + files)
            if let signal = scenario.signal {
                _ = await server.waitForRequests(2)
                program.send(signal)
            }
            let outcome = try await program.waitForEnd()
            #expect(outcome.status == scenario.status, "\(outcome.errors)")
            return outcome
        }

        @Test(
            "Every report of a run is as it was, but for times; PIPELINE_RECORD=1 renews them",
            arguments: Scenario.all)
        func snapshots(scenario: Scenario) async throws {
            _ = try await run(scenario)
            for (name, text) in try reports.all() {
                let normalized = Self.normalized(text, folder.path)
                let shown = name == "html" ? Self.normalizedPage(normalized) : normalized
                try Snapshot.expect(
                    shown,
                    toBeIn: "\(PipelineRunProgram.package)/Tests/Snapshots/reports/"
                        + "\(scenario.testDescription).\(name)")
            }
        }

        @Test(
            "Every report is well-formed, and has every request with what became of it (O33, O34)",
            arguments: Scenario.all)
        func validity(scenario: Scenario) async throws {
            _ = try await run(scenario)
            let json = try reports.json()
            let files = try #require(json["files"])
            #expect(files.count == scenario.files.count)
            let requests = files.elements.flatMap { file -> [JSONValue] in
                file["requests"].map { Array($0.elements) } ?? []
            }
            let outcomes = requests.map { $0["outcome"]?.string ?? "" }
            for name in ["succeeded", "failed", "cancelled", "skipped"] {
                #expect(json["counts"]?[name]?.number?.int == outcomes.count { $0 == name })
            }
            #expect(json["exitCode"]?.number?.int == Int(scenario.status))

            let invalid = files.elements.count { $0["ending"]?.string == "invalid" }
            let junit = try reports.junit()
            let cases = junit.suites.flatMap(\.cases)
            #expect(junit.suites.count == scenario.files.count)
            #expect(cases.count == requests.count + invalid)
            let tap = try reports.tapDocument()
            #expect(tap.points.count == requests.count + invalid)
            #expect(tap.isBailedOut == (scenario.signal != nil))
            #expect(tap.blocks.count == tap.points.count { $0.hasPrefix("not ok") })

            let exchanges = requests.flatMap { request in
                (request["attempts"].map { Array($0.elements) } ?? []).map {
                    $0["exchanges"]?.count ?? 0
                }
            }
            let archive = try HARDocument(try reports.bytes(.har))
            #expect(archive.pages.count == scenario.files.count)
            #expect(archive.entries.count == exchanges.reduce(0, +))

            let events = try reports.events()
            let ends = events.filter { outcomes.contains($0["event"]?.string ?? "") }
            #expect(ends.count == requests.count)
            #expect(events.last?["event"]?.string == "finished")
        }

        @Test(
            "The JUnit report is as Jenkins' schema has it (O33)",
            .enabled(if: WrittenReports.hasXMLLint, "xmllint is not installed"),
            arguments: Scenario.all)
        func junitSchema(scenario: Scenario) async throws {
            _ = try await run(scenario)
            try await reports.checkJUnitSchema()
        }

        @Test("Cancelled and skipped requests are in all reports, with the culprit")
        func culprits() async throws {
            _ = try await run(.failing)
            let json = try reports.json()
            let feed = json["files"]?[0]?["requests"]?[2]
            #expect(feed?["cancellation"]?["culprit"]?.string == "profile")
            let attempts = try #require(json["files"]?[0]?["requests"]?[0]?["attempts"])
            #expect(attempts.count == 3)
            let suites = try reports.junit().suites
            #expect(suites[0].cases.map(\.problem) == [nil, "failure", "skipped"])
            #expect(suites[0].cases[2].message == "cancelled by profile")
            #expect(suites[1].cases.map(\.problem) == ["error"])
            #expect(suites[2].cases.map(\.problem) == ["error"])
            let tap = try reports.tap()
            #expect(tap[2].hasSuffix("feed # SKIP cancelled by profile"))
            #expect(tap[3].hasPrefix("not ok 4 - "))
            let events = try reports.events()
            let cancelled = events.first { $0["event"]?.string == "cancelled" }
            #expect(cancelled?["culprit"]?.string == "profile")
            #expect(events.count { $0["event"]?.string == "attempt" } == 3)
        }

        @Test("A line of a megabyte is cut where the schema says, and changes nothing else (O33)")
        func longLine() async throws {
            let name = String(repeating: "n", count: 1 << 20)
            let server = try ByteServer.answering { _ in
                ByteServer.http(body: String(repeating: "é", count: 1 << 19))
            }
            let file = try folder.write(
                #"{ "requests": [{ "name": "\#(name)", "url": "\#(server.url("/"))" }] }"#,
                as: "long.json")
            let outcome = try await Subprocess(
                PipelineRunProgram.path, reports.options + [file]
            ).waitForEnd()
            #expect(outcome.status == 0)
            let request = try #require(try reports.json()["files"]?[0]?["requests"]?[0])
            #expect(request["name"]?.string?.utf8.count == 1 << 20)
            let body = request["attempts"]?[0]?["exchanges"]?[0]?["response"]?["body"]
            #expect(body?["size"]?.number?.int == 1 << 20)
            #expect(body?["truncated"]?.boolean == true)
            #expect(body?["text"]?.string?.utf8.count == ReportedBody.limit)
            #expect(try reports.junit().suites[0].cases[0].name == name)
        }

        @Test(
            "A file whose examples do not do is in all reports, its first request as the failed one"
        )
        func missingExample() async throws {
            let outcome = try await run(
                Scenario(
                    testDescription: "missing example",
                    files: [
                        #"""
                        { "baseURL": "stub:", "requests": [
                            { "name": "a", "url": "/a" },
                            { "name": "b", "url": "/b", "example": {} }] }
                        """#
                    ], status: 2))
            #expect(outcome.errors.contains("it has no \"example\""))
            let requests = try reports.json()["files"]?[0]?["requests"]
            #expect(requests?[0]?["error"]?["code"]?.string == "invalidRequest")
            #expect(requests?[1]?["cancellation"]?["message"]?.string == "cancelled by a")
            #expect(
                try reports.junit().suites[0].cases.map(\.problem) == ["error", "skipped"])
            #expect(try reports.tap().count == 2)
        }

        @Test("A run that its deadline ended is in the reports, whole (O34)")
        func deadline() async throws {
            _ = try await run(
                Scenario(
                    testDescription: "deadline", files: [Scenario.interrupted.files[0]],
                    options: ["--deadline", "300ms"], status: 3))
            let json = try reports.json()
            #expect(json["files"]?[0]?["interruption"]?.string == "deadline")
            let problems = try reports.junit().suites[0].cases.map(\.problem)
            #expect(problems == [nil, "error", "skipped", nil])
        }

        @Test("--insecure is in the report")
        func insecure() async throws {
            _ = try await run(
                Scenario(
                    testDescription: "insecure", files: Scenario.passing.files, options: ["-k"],
                    status: 0))
            let json = try reports.json()
            #expect(json["insecure"]?.boolean == true)
            #expect(json["files"]?[0]?["requests"]?[0]?["insecure"]?.boolean == true)
        }

        /// Also without how long everything took, in words and as bars, and without the style.
        private static func normalizedPage(_ text: String) -> String {
            text.replacing(/(?s)<style>.*<\/style>/, with: "<style></style>")
                .replacing(/sha256-[A-Za-z0-9+\/=]+/, with: "sha256-SUM")
                .replacing(/(<rect class="p." x="\d+" width="\d+" height="10"\/>)+/, with: "BARS")
                .replacing(/viewBox="0 0 \d+ 10"/, with: "viewBox=\"0 0 0 10\"")
                .replacing(/\d+(\.\d)? m?s\b/, with: "0 ms")
                .replacing(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC/, with: "TIME")
                .replacing(/port \d+/, with: "port 0")
                .replacing("pipeline-run \(Version.text)", with: "pipeline-run VERSION")
        }

        /// Without what differs from run to run.
        private static func normalized(_ text: String, _ folder: String) -> String {
            text.replacing(folder, with: "FOLDER")
                .replacing(folder.dropFirst().replacing("/", with: "."), with: "FOLDER")
                .replacing("\"version\":\"\(Version.text)\"", with: #""version":"VERSION""#)
                .replacing(
                    /"(milliseconds|offset|wait|dns|connect|tls|send|firstByte|download|total|time|blocked|ssl|receive|onLoad)":[0-9.]+/
                ) { "\"\($0.1)\":0" }
                .replacing(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+Z)?/, with: "TIME")
                .replacing(/\ time="[0-9.]+"/, with: " time=\"0\"")
                .replacing(/duration_ms: [0-9.]+/, with: "duration_ms: 0")
                .replacing(/, \d+ ms/, with: ", 0 ms")
                .replacing(/127\.0\.0\.1:\d\d+/, with: "HOST")
                .replacing(/"remotePort":\d+/, with: "\"remotePort\":0")
                .replacing(/"connection":"\d+"/, with: "\"connection\":\"0\"")
        }
    }
}
