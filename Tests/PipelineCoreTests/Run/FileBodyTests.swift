import PipelineJSON
import TestSupport
import Testing

@testable import PipelineCore

@Suite("Bodies from files", .timeLimit(.minutes(1)))
struct FileBodyTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func load(_ requests: String...) throws(PipelineError) -> Pipeline {
        let text = file(requests.joined(separator: ","))
        return try Pipeline(parsing: Array(text.utf8), name: "test.json", folder: folder.path)
    }

    @Test func `a file is a piece that is read while it is sent`() async throws {
        let path = try folder.write("hello", as: "a.txt")
        let transport = ScriptedTransport { _ in .respond() }
        _ = try await load(#"{ "url": "/a", "body": { "file": "a.txt" } }"#)
            .run(transport: transport)
        let request = try #require(transport.requests.first)
        let real = try FileRoot(folder: folder.path, root: nil).resolve(path)
        #expect(request.method == "POST")
        #expect(request.body == .pieces([.file(path: real, size: 5)]))
        #expect(request.fields["Content-Type"] == "application/octet-stream")
    }

    @Test func `a form has texts and files, each with its type and name`() async throws {
        try folder.write("PNG", as: "a.png")
        let transport = ScriptedTransport { _ in .respond() }
        _ = try await load(
            #"{ "url": "/a", "body": { "multipart": { "text": "é", "n": 20, "file": "#
                + #"[{ "file": "a.png", "contentType": "image/png", "filename": "b.png" }, "#
                + #"{ "file": "a.png" }], "j": { "text": "{}", "contentType": "a/b" } } } }"#
        ).run(transport: transport)
        let request = try #require(transport.requests.first)
        guard case .pieces(let pieces)? = request.body else {
            Issue.record("the body has pieces")
            return
        }
        let text = pieces.map { piece in
            switch piece {
            case .bytes(let bytes): String(decoding: bytes, as: UTF8.self)
            case .file(_, let size): "<\(size)>"
            }
        }.joined()
        let type = try #require(request.fields["Content-Type"])
        let boundary = String(type.dropFirst("multipart/form-data; boundary=".count))
        #expect(
            text.replacing(boundary, with: "B").replacing("\r\n", with: "\n") == """
                --B
                Content-Disposition: form-data; name="text"

                é
                --B
                Content-Disposition: form-data; name="n"

                20
                --B
                Content-Disposition: form-data; name="file"; filename="b.png"
                Content-Type: image/png

                <3>
                --B
                Content-Disposition: form-data; name="file"; filename="a.png"
                Content-Type: application/octet-stream

                <3>
                --B
                Content-Disposition: form-data; name="j"
                Content-Type: a/b

                {}
                --B--

                """)
    }

    @Test func `a missing file is told when the pipeline is loaded, with its place`() throws {
        let error = #expect(throws: PipelineError.self) {
            try load(#"{ "url": "/a", "body": { "multipart": { "a": { "file": "no.png" } } } }"#)
        }
        let diagnostic = try #require(error?.diagnostics.first)
        #expect(diagnostic.path == "requests[0].body.multipart.a.file")
        #expect(diagnostic.message.contains("there is no file \(folder.path)/no.png"))
    }

    @Test func `a file that an earlier request saves may be missing`() async throws {
        let transport = ScriptedTransport { _ in .respond(body: "hello") }
        let result = try await load(
            #"{ "url": "/a", "saveTo": "a.txt" }"#,
            #"{ "url": "/b", "body": { "file": "a.txt" } }"#
        ).run(transport: transport)
        #expect(result.isSuccess)
        #expect(transport.requests.last?.body?.size == 5)
    }

    @Test func `a file that has gone when its turn comes fails its request unsent`() async throws {
        try folder.write("hello", as: "a.txt")
        let pipeline = try load(#"{ "url": "/a", "body": { "file": "a.txt" } }"#)
        try folder.remove("a.txt")
        let transport = ScriptedTransport { _ in .respond() }
        let result = try await pipeline.run(transport: transport)
        #expect(result.requests[0].error?.code == .invalidRequest)
        #expect(result.requests[0].error?.findings.first?.place != nil)
        #expect(transport.requests.isEmpty)
    }

    @Test func `GraphQL is JSON with the query and its variables`() async throws {
        let transport = ScriptedTransport { _ in .respond() }
        let text = file(
            #"{ "url": "/a", "body": { "graphql": { "query": "query($id: Int) { user }", "#
                + #""variables": { "id": "{{id}}" } } } }"#,
            keys: #""variables": { "id": 7 },"#)
        _ = try await Pipeline(parsing: Array(text.utf8), name: "a").run(transport: transport)
        #expect(
            transport.requests.first?.body
                == .bytes(
                    Array(#"{"query":"query($id: Int) { user }","variables":{"id":7}}"#.utf8)))
        #expect(transport.requests.first?.fields["Content-Type"] == "application/json")
    }

    @Test("O20: a cookie value that would forge another cookie or line is refused unsent")
    func cookies() async throws {
        let transport = ScriptedTransport { _ in .respond() }
        let text = file(
            #"{ "name": "a", "url": "/a", "cookies": { "c": "{{v}}" } }"#,
            keys: #""variables": { "v": "x" },"#)
        let pipeline = try Pipeline(parsing: Array(text.utf8), name: "a")
        for value in ["a;b=c", "a\r\nX: 1", "a\nb", "a\u{0}", "a b", "é"] {
            let result = try await pipeline.run(
                variables: ["v": JSONValue(value)], transport: transport)
            #expect(result["a"]?.error?.code == .invalidRequest)
        }
        #expect(transport.requests.isEmpty)
        #expect(try await pipeline.run(transport: transport).isSuccess)
        #expect(transport.requests.first?.fields["Cookie"] == "c=x")
    }
}
