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

/// A folder for one test, with these files in it; removed with the value.
private final class Folder {
    let path: String

    init(_ files: [String: String]) throws {
        var template = Array("/tmp/pipeline-core-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw PosixFailure() }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        mkdir(path + "/in", 0o700)
        for (name, text) in files {
            guard let file = fopen("\(path)/\(name)", "w") else { throw PosixFailure() }
            fputs(text, file)
            fclose(file)
        }
    }

    deinit {
        for name in ["in/user.json", "in/id.json", "in/bad.json", "in/link.json", "out.json"] {
            unlink("\(path)/\(name)")
        }
        rmdir(path + "/in")
        rmdir(path)
    }

    struct PosixFailure: Error {}
}

@Suite("Schemas in files")
struct SchemaFileTests {
    private static let files = [
        "in/user.json": #"{ "properties": { "id": { "$ref": "id.json" } } }"#,
        "in/id.json": #"{ "type": "integer" }"#, "in/bad.json": #"{ "type": 1, }"#,
        "out.json": "true",
    ]

    private func load(_ schema: String, in folder: Folder, root: String? = nil) throws -> Pipeline {
        let text = file(#"{ "url": "/", "expect": { "schema": \#(schema) } }"#)
        return try Pipeline(
            parsing: Array(text.utf8), name: "t.json", folder: folder.path + "/in", fileRoot: root)
    }

    @Test(.timeLimit(.minutes(1)), arguments: [#""user.json""#, #"{ "$ref": "user.json" }"#])
    func `a schema may be a file, and may refer to others beside it`(schema: String) async throws {
        let folder = try Folder(Self.files)
        let pipeline = try load(schema, in: folder)
        for (body, isRight) in [(#"{"id":1}"#, true), (#"{"id":"1"}"#, false)] {
            let transport = ScriptedTransport { _ in .respond(body: body) }
            let result = try await pipeline.run(transport: transport)
            #expect(result.isSuccess == isRight)
            if !isRight {
                #expect(
                    result.requests[0].error?.message
                        == #"$.id: expected an integer, found "1" (string) (schema id.json#/type)"#)
            }
        }
    }

    @Test(arguments: [
        (#""none.json""#, "there is no file"), (#""../out.json""#, "outside the folder"),
        (#""link.json""#, "outside the folder"), (#""/etc/hostname""#, "outside the folder"),
        (#""bad.json""#, "in/bad.json:1:"), (#"{ "$ref": "../out.json" }"#, "outside the folder"),
        (
            #"{ "$ref": "http://example.com/s.json" }"#,
            "there is no schema http://example.com/s.json"
        ),
        (#"{ "type": "strng" }"#, "#/type"), (#"{ "pattern": "(" }"#, "#/pattern"),
    ])
    func `a schema that cannot be had is told when the file is loaded`(
        schema: String, message: String
    ) throws {
        let folder = try Folder(Self.files)
        symlink("../out.json", folder.path + "/in/link.json")
        let error = try #require(throws: PipelineError.self) { try load(schema, in: folder) }
        #expect(error.diagnostics.count == 1)
        let diagnostic = error.diagnostics[0]
        #expect(diagnostic.message.contains(message), "\(diagnostic.message)")
        #expect(diagnostic.path == "requests[0].expect.schema")
    }

    @Test func `another file root lets in what it holds`() throws {
        let folder = try Folder(Self.files)
        _ = try load(#""../out.json""#, in: folder, root: folder.path)
    }
}
