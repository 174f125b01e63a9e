import PipelineCore
import PipelineJSON
import TestSupport
import Testing

@testable import PipelineCommand

extension ProgramTests {
    @Suite("The HTTP Archive", .timeLimit(.minutes(1)))
    struct HARReportTests {
        @Test("It has every exchange, with cookies, parameters and bodies in the form of HAR 1.2")
        func members() async throws {
            let server = try ByteServer.answering { request in
                switch request.target.prefix(while: { $0 != "?" }) {
                case "/moved":
                    ByteServer.http(status: 302, fields: ["Location": "/new"])
                case "/binary":
                    ByteServer.http(fields: ["Content-Type": "image/png"], body: [0x89, 0, 0xFF])
                case "/large":
                    ByteServer.http(
                        body: [UInt8](repeating: UInt8(ascii: "a"), count: ReportedBody.limit + 9))
                default:
                    ByteServer.http(
                        fields: [
                            "Set-Cookie":
                                "sid=1; Path=/; HttpOnly; Expires=Wed, 21 Oct 2026 07:28:00 GMT"
                        ], body: "{}")
                }
            }
            let folder = try TemporaryFolder()
            let file = try folder.write(
                #"""
                { "name": "All", "baseURL": "\#(server.url(""))", "requests": [
                    { "name": "form", "method": "POST", "url": "/form",
                      "query": { "a": "x y", "b": ["1", ""] }, "cookies": { "c": "d" },
                      "body": { "form": { "k": "v" } } },
                    { "name": "bytes", "method": "POST", "url": "/", "body": { "base64": "AP8=" } },
                    { "name": "moved", "url": "/moved" }, { "name": "binary", "url": "/binary" },
                    { "name": "large", "url": "/large" }, { "name": "off", "url": "/", "enabled": false },
                    { "name": "closed", "url": "http://127.0.0.1:1/" }, { "name": "left", "url": "/" }] }
                """#, as: "a.json")
            let empty = try folder.write(
                #"{ "requests": [{ "url": "http://a/", "enabled": false }] }"#, as: "empty.json")
            let path = folder.file("report.har")
            let outcome = try await PipelineRunProgram.run(
                "-q", "--report-har", path, empty, file, empty)
            let archive = try HARDocument(try FileBytes.read(path, limit: 1 << 24))
            // Nothing of the first and the last file is to be run.
            #expect(outcome.status == 2)
            #expect(archive.pages.count == 3)
            #expect(
                archive.entries.map { $0["comment"]?.string?.split(separator: " ").first ?? "" }
                    == ["form", "bytes", "moved", "moved", "binary", "large", "closed"])

            let form = archive.entries[0]
            #expect(form["pageref"]?.string == "file_1")
            #expect(
                form["request"]?["queryString"]?.description
                    == #"[{"name":"a","value":"x%20y"},{"name":"b","value":"1"},{"name":"b","value":""}]"#
            )
            #expect(
                form["request"]?["cookies"]?.description == #"[{"name":"c","value":"d"}]"#)
            #expect(form["request"]?["postData"]?["text"]?.string == "k=v")
            #expect(
                form["response"]?["cookies"]?[0]?.description
                    == #"{"name":"sid","value":"1","path":"/","#
                    + #""expires":"2026-10-21T07:28:00.000Z","httpOnly":true,"secure":false}"#)
            #expect(form["serverIPAddress"]?.string == "127.0.0.1")
            #expect(archive.entries[1]["request"]?["postData"]?["comment"]?.string == "Base64")
            #expect(archive.entries[2]["response"]?["redirectURL"]?.string == "/new")
            #expect(archive.entries[3]["comment"]?.string == "moved · redirect 1")
            let binary = archive.entries[4]["response"]?["content"]
            #expect(binary?["text"]?.string == "iQD/" && binary?["encoding"]?.string == "base64")
            let large = archive.entries[5]["response"]?["content"]
            #expect(large?["size"]?.number?.int == ReportedBody.limit + 9)
            #expect(large?["text"]?.string?.utf8.count == ReportedBody.limit)
            #expect(large?["comment"]?.string == "the first 65536 of 65545 bytes")
            let closed = archive.entries[6]["response"]
            #expect(closed?["status"]?.number?.int == 0)
            #expect(closed?["_error"]?.string?.hasPrefix("connection refused") == true)
        }

        @Test("What connecting took includes TLS, and a kept connection took none")
        func timings() throws {
            var metrics = ExchangeMetrics()
            metrics.timings.nameLookup = 10
            metrics.timings.connect = 30
            metrics.timings.secureConnect = 90
            metrics.timings.sendStart = 95
            metrics.timings.firstByte = 200
            metrics.timings.total = 250
            func timings() -> HARTimings {
                let exchange = ReportedExchange(
                    offset: .zero, request: ReportedMessage(fields: [:], body: nil), url: "",
                    method: "GET", response: nil, metrics: metrics)
                return HARTimings(
                    exchange,
                    in: ReportedAttempt(
                        number: 1, wait: .zero, offset: .zero, duration: .zero, error: nil,
                        exchanges: [exchange]))
            }
            let new = timings()
            #expect(new.blocked == nil && new.dns == 10)
            #expect(new.connect == 80 && new.ssl == 60)
            #expect(new.total == 250)
            metrics.isConnectionReused = true
            let kept = timings()
            #expect(kept.connect == nil && kept.dns == nil && kept.ssl == nil)
            #expect(kept.blocked == 90 && kept.total == 250)
        }
    }
}
