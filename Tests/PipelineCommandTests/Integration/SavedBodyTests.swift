import PipelineCore
import TestSupport
import Testing

@testable import PipelineCommand

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

extension ProgramTests {
    @Suite(
        "Bodies that are saved, and how requests end that cannot be completed",
        .timeLimit(.minutes(1)))
    struct SavedBodyTests {
        private let folder: TemporaryFolder

        init() throws {
            folder = try TemporaryFolder()
        }

        @Test("The step line tells where a body was saved, and how large it is")
        func saved() async throws {
            let body = String(repeating: "x", count: 1_536)
            let server = try ByteServer.answering { _ in ByteServer.http(body: body) }
            let file = try folder.write(
                #"{ "requests": [{ "url": "\#(server.url())", "saveTo": "out.txt" }] }"#,
                as: "a.json")
            let target = folder.file("out.txt")
            let outcome = try await PipelineRunProgram.run(file)
            #expect(outcome.status == 0, "\(outcome.output)")
            #expect(outcome.output.contains("   saved to \(target) (1.5 KB)\n"))
            #expect(try FileBytes.read(target, limit: 10_000) == Array(body.utf8))
            let inside = try await Subprocess(
                "/bin/sh",
                ["-c", #"cd "$1" && "$2" a.json"#, "sh", folder.path, PipelineRunProgram.path]
            ).waitForEnd()
            #expect(inside.output.contains("   saved to out.txt (1.5 KB)\n"))
        }

        @Test("A response that is not as expected is shown instead of being saved")
        func failing() async throws {
            let server = try ByteServer.answering { _ in
                ByteServer.http(status: 404, body: #"{"error":"none"}"#)
            }
            let file = try folder.write(
                #"{ "requests": [{ "url": "\#(server.url())", "saveTo": "out.txt" }] }"#,
                as: "a.json")
            let outcome = try await PipelineRunProgram.run(file)
            #expect(outcome.status == 1)
            #expect(outcome.output.contains(#"  response  {"error":"none"}"#))
            #expect(!outcome.output.contains("saved to"))
            #expect(!Folder.hasFile(folder.file("out.txt")))
        }

        @Test("A secret that the kept beginning of such a response ends within is masked (O27)")
        func cutSecret() async throws {
            let body = String(repeating: "p", count: ReportedBody.limit - 8) + "hunter2hunter2"
            let server = try ByteServer.answering { _ in ByteServer.http(status: 404, body: body) }
            let reports = WrittenReports(folder)
            let file = try folder.write(
                #"""
                { "secrets": ["key"], "requests": [{ "url": "\#(server.url())",
                  "headers": { "X-Key": "{{key}}" }, "saveTo": "out.txt" }] }
                """#, as: "a.json")
            let outcome = try await Subprocess(
                PipelineRunProgram.path,
                ["-vv", "--secret", "key=hunter2hunter2"]
                    + reports.options + [file]
            ).waitForEnd()
            #expect(outcome.status == 1, "\(outcome.errors)")
            for (name, text) in try reports.all() + [("output", outcome.output)] {
                #expect(!text.contains("hunt"), "\(name)")
            }
        }

        @Test("3: the body could not be saved")
        func notSaved() async throws {
            let target = folder.file("out.txt")
            let server = try ByteServer.answering { _ in
                // Comes between the request and its file.
                _ = mkdir(target, 0o700)
                return ByteServer.http(body: "x")
            }
            let file = try folder.write(
                #"{ "requests": [{ "url": "\#(server.url())", "saveTo": "out.txt" }] }"#,
                as: "a.json")
            let outcome = try await PipelineRunProgram.run(file)
            #expect(outcome.status == 3, "\(outcome.output)")
            #expect(outcome.output.contains("out.txt"))
        }

        @Test(
            "There is no folder to save to, and nothing is sent",
            arguments: [("no", 2), ("{{x}}", 3)])
        func noFolder(name: String, status: Int32) async throws {
            let server = try ByteServer.answering { _ in ByteServer.http() }
            let file = try folder.write(
                """
                { "variables": { "x": "no" },
                  "requests": [{ "url": "\(server.url())", "saveTo": "\(name)/out.txt" }] }
                """, as: "a.json")
            let outcome = try await PipelineRunProgram.run(file)
            #expect(outcome.status == status, "\(outcome.output)")
            let text = outcome.output + outcome.errors
            #expect(text.contains("cannot save to no/out.txt: there is no folder"))
            #expect(server.requests.isEmpty)
        }

        @Test("3: a redirect that leads nowhere, or too many of them")
        func redirects() async throws {
            let server = try ByteServer.answering { request in
                ByteServer.http(
                    status: 302, fields: ["Location": request.target == "/" ? "ftp://a/" : "/loop"])
            }
            for (path, message) in [
                ("/", "with a Location that cannot be followed"),
                ("/loop", "more than 2 redirects, the last to \(server.url("/loop"))"),
            ] {
                let file = try folder.write(
                    #"{ "requests": [{ "url": "\#(server.url(path))", "redirects": 2 }] }"#,
                    as: "a.json")
                let outcome = try await PipelineRunProgram.run(file)
                #expect(outcome.status == 3, "\(outcome.output)")
                #expect(outcome.output.contains(message), "\(outcome.output)")
            }
        }

        @Test("3: a value that cannot stand in a header, and nothing is sent (O20)")
        func invalidRequest() async throws {
            let server = try ByteServer.answering { _ in ByteServer.http() }
            let file = try folder.write(
                """
                { "variables": { "x": "" }, "requests": [
                    { "url": "\(server.url())", "headers": { "X-A": "{{x}}" } }] }
                """, as: "a.json")
            let outcome = try await PipelineRunProgram.run("--var", "x=a\r\nX-B: 1", file)
            #expect(outcome.status == 3, "\(outcome.output)")
            #expect(outcome.output.contains("would hold a line break or NUL, from {{x}}"))
            #expect(server.requests.isEmpty)
        }

        @Test(
            "Sizes are shown with one decimal at most",
            arguments: [
                (0, "0 B"), (1_023, "1023 B"), (1_024, "1 KB"), (1_536, "1.5 KB"),
                (1_048_524, "1023.9 KB"), (1_048_575, "1 MB"), (5_368_709_120, "5 GB"),
            ])
        func sizes(bytes: Int, text: String) {
            #expect(ByteSize(bytes).shown == text)
        }
    }
}
