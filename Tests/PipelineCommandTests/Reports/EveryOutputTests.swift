import PipelineCore
import PipelineJSON
import TestSupport
import Testing

@testable import PipelineCommand

extension ProgramTests {
    @Suite("Every byte that the program writes (O27)", .timeLimit(.minutes(1)))
    struct EveryOutputTests {
        private static let secret = #"s3/+= "x"#
        private static let captured = "captured-T0ken/+"
        private static let forms = [secret, captured].flatMap { WrittenForms($0).all }

        private let folder: TemporaryFolder
        private let reports: WrittenReports
        private let server: ByteServer
        private let file: String

        init() throws {
            folder = try TemporaryFolder()
            reports = WrittenReports(folder)
            server = try Self.hostileServer()
            file = try folder.write(
                #"""
                { "name": "{{password}}", "baseURL": "\#(server.url(""))", "secrets": ["password"],
                  "requests": [
                    { "name": "login", "method": "POST", "url": "/login/{{password}}",
                      "auth": { "basic": { "username": "ada", "password": "{{password}}" } },
                      "body": { "json": { "password": "{{password}}" } },
                      "captures": { "token": { "json": "$.token", "secret": true },
                                    "same": "$.token", "echo": "$.echo" } },
                    { "name": "moved {{token}}", "url": "/moved",
                      "query": { "password": "{{password}}", "token": "{{token}}" } },
                    { "name": "chunked", "url": "/chunked", "auth": { "bearer": "{{password}}" },
                      "headers": { "X-Token": "{{token}}" } },
                    { "name": "fail", "method": "POST", "url": "/fail",
                      "auth": { "bearer": "{{password}}" },
                      "body": { "form": { "password": "{{password}}", "token": "{{token}}" } },
                      "retry": { "max": 1, "interval": "1ms" },
                      "expect": { "json": {
                        "$.token": "{{password}}", "$.echo": "{{token}}", "$": { "subset": {
                          "echo": "{{password}}" } }, "$.none": "{{token}}" } } },
                    { "name": "last", "url": "/last/{{token}}" }] }
                """#, as: "a.json")
        }

        /// Sends what it was sent, and all forms of both secrets, wherever a response has room.
        private static func hostileServer() throws -> ByteServer {
            let texts = forms.map(\.text)
            let echo = texts.joined(separator: " ")
            let fields = texts.joined(separator: ", ")
            // In an address, nothing but what may stand there.
            let target = texts.filter { !$0.contains(where: { " \"<>\\&#".contains($0) }) }
                .joined(separator: "&a=")
            return try ByteServer { connection in
                while let request = connection.readRequest() {
                    let echo = "\(request.headText) \(request.bodyText) \(echo)"
                    let json =
                        #"{"token":\#(JSONValue(captured)),"echo":\#(JSONValue(echo))}"#
                    if request.target.hasPrefix("/moved") {
                        connection.send(
                            ByteServer.http(
                                status: 302, fields: ["Location": "/new?a=\(target)"]))
                    } else if request.target.hasPrefix("/chunked") {
                        connection.send(Self.chunked(echo))
                    } else {
                        connection.send(
                            ByteServer.http(
                                status: request.target.hasPrefix("/fail") ? 503 : 200,
                                fields: ["X-Echo": fields, "Set-Cookie": "c=\(captured)"],
                                body: json))
                    }
                }
            }
        }

        /// In chunks so small that every secret is cut in several.
        private static func chunked(_ body: String) -> [UInt8] {
            var bytes = Array("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n".utf8)
            var rest = Array(body.utf8)[...]
            while !rest.isEmpty {
                let part = rest.prefix(5)
                rest = rest.dropFirst(5)
                bytes += Array("\(String(part.count, radix: 16))\r\n".utf8) + part
                bytes += Array("\r\n".utf8)
            }
            return bytes + Array("0\r\n\r\n".utf8)
        }

        private func run(
            _ options: [String], environment: [String: String] = [:]
        ) async throws -> Subprocess.Outcome {
            try await Subprocess(
                PipelineRunProgram.path,
                ["--secret", "password=\(Self.secret)"] + options + [file],
                environment: environment
            ).waitForEnd()
        }

        private func expectNone(in outputs: [(name: String, text: String)]) {
            for (name, text) in outputs {
                for form in Self.forms where text.contains(form.text) {
                    Issue.record("\(form.name) (\(form.text)) in \(name)")
                }
            }
        }

        @Test("No report, event, annotation, summary, joined report nor -vv shows any form")
        func everything() async throws {
            let summary = folder.file("summary.md")
            let outcome = try await run(
                reports.options + ["-vv", "--annotations", "github"],
                environment: ["GITHUB_STEP_SUMMARY": summary])
            #expect(outcome.status == 1, "\(outcome.errors)")
            var outputs = try reports.all()
            outputs += [
                ("output", outcome.output), ("errors", outcome.errors),
                (
                    "summary",
                    String(decoding: try FileBytes.read(summary, limit: 1 << 20), as: UTF8.self)
                ),
            ]
            for kind in [ReportKind.junit, .json] {
                let path = reports.path(kind)
                let joined = try await PipelineRunProgram.run("merge", path, path)
                #expect(joined.status == 0)
                outputs += [
                    ("joined \(kind)", joined.output), ("errors of joining", joined.errors),
                ]
            }
            expectNone(in: outputs)
            // What shows messages shows that something was there.
            for (name, text) in outputs
            where ["html", "json", "har", "junit", "tap", "output"].contains(name) {
                #expect(text.contains("***"), "\(name)")
            }
            _ = try reports.json()
            _ = try reports.junit()
            // The true values were sent.
            #expect(server.requests.last?.headText.contains("Bearer \(Self.secret)") == true)
        }

        @Test(
            "Neither do the other ways to show a run",
            arguments: [
                ["--dry-run"], ["--color=always", "--progress=always", "--keep-going"],
                ["--events", "-"], ["--report-html", "-"], ["--annotations", "gitlab", "-v"],
            ])
        func others(options: [String]) async throws {
            let outcome = try await run(options)
            #expect(outcome.status == (options == ["--dry-run"] ? 0 : 1), "\(outcome.errors)")
            expectNone(in: [("output", outcome.output), ("errors", outcome.errors)])
            #expect(outcome.output.contains("***") || options == ["--events", "-"])
        }

        @Test("What is wrong is told with both sides, masked")
        func comparisons() async throws {
            _ = try await run(reports.options)
            let failed = try reports.json()["files"]?[0]?["requests"]?[3]
            let findings = try #require(failed?["error"]?["findings"])
            let token = findings.elements.first { $0["subject"]?.string == "$.token" }
            #expect(token?["expected"]?.string == "***")
            #expect(token?["actual"]?[0]?.string == "***")
        }
    }
}
