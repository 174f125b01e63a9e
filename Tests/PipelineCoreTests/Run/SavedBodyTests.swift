import PipelineJSON
import TestSupport
import Testing

@testable import PipelineCore

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// A transport that brings its answer although it was cancelled.
private final class StubbornTransport: Transport, Exchange {
    private let receiver = Locked<(any ResponseReceiver)?>(nil)

    func start(_ request: HTTPRequest, receiver: any ResponseReceiver) -> any Exchange {
        self.receiver.change { $0 = receiver }
        return self
    }

    func cancel() {}

    func answer(_ text: String) {
        receiver.value?.receiveHead(HTTPResponse.Head(status: 200))
        _ = receiver.value?.receiveBody(Array(text.utf8).span.bytes)
        receiver.value?.finish(.success(ExchangeMetrics()))
        receiver.change { $0 = nil }
    }
}

@Suite("Bodies that are saved to files", .timeLimit(.minutes(1)))
struct SavedBodyTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func run(
        _ keys: String, answers: ScriptedTransport.Step...
    ) async throws -> RunResult {
        let next = Locked(0)
        let transport = ScriptedTransport { _ in
            let index = next.value
            next.change { $0 += 1 }
            return answers[min(index, answers.count - 1)]
        }
        return try await load(keys).run(transport: transport)
    }

    private func load(_ keys: String, root: String? = nil) throws(PipelineError) -> Pipeline {
        let text = file(#"{ "name": "a", "url": "/a", \#(keys) }"#)
        return try Pipeline(
            parsing: Array(text.utf8), name: "test.json", folder: folder.path, fileRoot: root)
    }

    private var names: [String] { TemporaryFolder.names(in: folder.path).sorted() }

    private func content(_ name: String) throws -> String {
        String(decoding: try FileBytes.read(folder.file(name), limit: 1_000_000), as: UTF8.self)
    }

    @Test func `a body is in its file when the request has succeeded, and not in memory`()
        async throws
    {
        let result = try await run(#""saveTo": "out.txt""#, answers: .respond(body: "hello"))
        #expect(result.isSuccess)
        #expect(try content("out.txt") == "hello")
        let response = try #require(result["a"]?.response)
        #expect(response.body.isEmpty)
        let real = try FileRoot(folder: folder.path, root: nil).resolve("out.txt")
        #expect(response.savedBody?.path == real)
        #expect(response.savedBody?.size == 5)
    }

    @Test func `what was there before stays when the request fails`() async throws {
        try folder.write("old", as: "out.txt")
        for step in [
            ScriptedTransport.Step.respond(status: 404, body: "not found"),
            .fail(TransportError(.bodyCutShort, "short")),
        ] {
            let result = try await run(#""saveTo": "out.txt""#, answers: step)
            #expect(!result.isSuccess)
            #expect(try content("out.txt") == "old")
            #expect(names == ["out.txt"], "no temporary file is left")
        }
        let result = try await run(
            #""saveTo": "out.txt""#, answers: .respond(status: 404, body: "not found"))
        #expect(result["a"]?.response?.body == Array("not found".utf8), "messages show its start")
    }

    @Test func `each attempt begins anew`() async throws {
        let result = try await run(
            #""saveTo": "out.txt", "retry": { "max": 1, "interval": "0s" }"#,
            answers: .respond(status: 503, body: "a long text of an error"), .respond(body: "ok"))
        #expect(result.isSuccess)
        #expect(try content("out.txt") == "ok")
    }

    @Test func `a redirect's body is not saved`() async throws {
        let result = try await run(
            #""saveTo": "out.txt""#,
            answers: .respond(status: 302, fields: ["Location": "/b"], body: "moved"),
            .respond(body: "ok"))
        #expect(result.isSuccess)
        #expect(try content("out.txt") == "ok")
    }

    @Test func `expectations and captures read it from the file`() async throws {
        let body = #"{"id":7}"#
        let sum = SHA256.hexadecimal(Array(body.utf8))
        let result = try await run(
            #""saveTo": "o", "expect": { "json": { "$.id": 7 }, "bytes": { "length": 8, "#
                + #""sha256": "\#(sum)", "md5": "\#(MD5.hexadecimal(Array(body.utf8)))" } }, "#
                + #""captures": { "id": "$.id", "sum": { "sha256": true } }"#,
            answers: .respond(body: body))
        #expect(result.isSuccess, "\(result["a"]?.error?.message ?? "")")
        #expect(result.value("id") == 7)
        #expect(result.value("sum") == JSONValue(sum))
    }

    @Test func `maxBody holds for files, too, and its default does not`() async throws {
        let body = String(repeating: "x", count: 20)
        let result = try await run(
            #""saveTo": "o", "maxBody": "10""#, answers: .respond(body: body))
        #expect(result["a"]?.error?.code == .bodyTooLarge)
        #expect(names.isEmpty)
    }

    @Test func `a folder in its place, a missing folder and a foreign one are refused`()
        async throws
    {
        _ = try folder.makeFolder("in")
        _ = try folder.makeFolder("in/deep")
        let outside = try TemporaryFolder()
        try folder.link("link", to: outside.path)
        for (name, message) in [
            ("in/no/o", "there is no folder"), ("../o", "outside the folder"),
            ("link/o", "outside the folder"), ("/tmp/o", "outside the folder"),
            ("in/..", "is not the name of a file"), ("", "is not the name of a file"),
        ] {
            let error = #expect(throws: PipelineError.self) {
                try load(#""saveTo": "\#(name)""#)
            }
            let diagnostic = try #require(error?.diagnostics.first)
            #expect(diagnostic.message.contains(message), "\(name): \(diagnostic.message)")
            #expect(diagnostic.path == "requests[0].saveTo")
        }
        let transport = ScriptedTransport { _ in .respond() }
        let result = try await load(#""saveTo": "in/deep""#).run(transport: transport)
        #expect(result["a"]?.error?.message.contains("it is a folder") ?? false)
        #expect(transport.requests.isEmpty)
    }

    @Test(
        "A folder that nobody may write to is told before anything is sent",
        .disabled(if: geteuid() == 0, "root may write everywhere"))
    func unwritable() async throws {
        _ = try folder.makeFolder("closed")
        #expect(chmod(folder.file("closed"), 0o500) == 0)
        defer { chmod(folder.file("closed"), 0o700) }
        let transport = ScriptedTransport { _ in .respond() }
        let result = try await load(#""saveTo": "closed/o""#).run(transport: transport)
        #expect(result["a"]?.error?.code == .invalidRequest)
        #expect(result["a"]?.error?.findings.first?.place != nil)
        #expect(transport.requests.isEmpty)
    }

    @Test func `a name from a variable is checked before its request is sent`() async throws {
        let text = file(
            #"{ "name": "a", "url": "/a", "saveTo": "{{name}}" }"#,
            keys: #""variables": { "name": "o" },"#)
        let pipeline = try Pipeline(
            parsing: Array(text.utf8), name: "test.json", folder: folder.path)
        let transport = ScriptedTransport { _ in .respond(body: "hello") }
        let bad = try await pipeline.run(variables: ["name": "../o"], transport: transport)
        #expect(bad["a"]?.error?.findings.first?.message.contains("outside the folder") ?? false)
        #expect(transport.requests.isEmpty)
        #expect(try await pipeline.run(transport: transport).isSuccess)
        #expect(try content("o") == "hello")
    }

    @Test func `an answer that comes after the cancel is neither saved nor captured`()
        async throws
    {
        let transport = StubbornTransport()
        let run = try load(#""saveTo": "o", "captures": { "t": "$.t" }"#)
            .start(transport: transport)
        run.cancel()
        transport.answer(#"{"t":1}"#)
        let result = await run.result
        #expect(result["a"]?.outcome == .cancelled)
        #expect(result.value("t") == nil)
        #expect(names.isEmpty)
    }

    @Test func `a file keeps its permissions, and what is no file is not replaced`() async throws {
        try folder.write("old", as: "private")
        #expect(chmod(folder.file("private"), 0o600) == 0)
        _ = try await run(#""saveTo": "private""#, answers: .respond(body: "new"))
        var status = stat()
        #expect(stat(folder.file("private"), &status) == 0)
        #expect(status.st_mode & 0o777 == 0o600)
        #expect(try content("private") == "new")
        #expect(mkfifo(folder.file("pipe"), 0o600) == 0)
        let result = try await run(#""saveTo": "pipe""#, answers: .respond(body: "new"))
        #expect(result["a"]?.error?.message.hasSuffix("it is no ordinary file") ?? false)
    }

    @Test func `the longest name that a file can have can be saved`() async throws {
        let name = String(repeating: "n", count: 255)
        #expect(try await run(#""saveTo": "\#(name)""#, answers: .respond(body: "new")).isSuccess)
        #expect(names == [name])
    }

    @Test("A root is left byte for byte: names that look the same are not the same folder")
    func unicodeRoots() throws {
        let composed = try folder.makeFolder("caf\u{E9}")
        let decomposed = try folder.makeFolder("cafe\u{301}")
        let files = FileRoot(folder: composed, root: nil)
        try folder.write("secret", as: "cafe\u{301}/secret.txt")
        try folder.write("open", as: "caf\u{E9}/\u{301}open.txt")
        #expect(throws: FileBytes.Failure.self) { try files.resolve("../cafe\u{301}/secret.txt") }
        #expect(throws: FileBytes.Failure.self) {
            try files.resolveForWriting("\(decomposed)/out.txt")
        }
        #expect(throws: Never.self) { try files.resolve("\u{301}open.txt") }
        #expect(try files.resolveForWriting("\u{301}new.txt").utf8.count > composed.utf8.count)
    }

    @Test("A name may hold no line break, and the pipeline itself is not overwritten")
    func refusedNames() throws {
        let text = file(
            #"{ "name": "a", "url": "/a", "saveTo": "{{name}}" }"#,
            keys: #""variables": { "name": "o" },"#)
        let path = try folder.write(text, as: "own.json")
        let files = try Pipeline(contentsOfFile: path).files
        for name in ["own.json", "../\(FileRoot.lastComponent(of: folder.path))/own.json", "a\nb"] {
            #expect(throws: FileBytes.Failure.self) { try files.resolveForWriting(name) }
        }
    }

    @Test func `temporary files go when the process ends without letting go of its values`()
        throws
    {
        let open = try BodyFile(path: folder.file("o"))
        #expect(names.count == 1)
        BodyFile.removeUnfinished()
        #expect(names.isEmpty)
        #expect(throws: BodyFile.Failure.self) { try open.keep() }
    }

    @Test func `a cancelled request leaves no file behind`() async throws {
        let transport = ScriptedTransport { _ in .hold }
        let run = try load(#""saveTo": "o""#).start(transport: transport)
        #expect(names.count == 1)
        run.cancel()
        _ = await run.result
        #expect(names.isEmpty)
    }
}
