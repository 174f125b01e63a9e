import PipelineCore
import Testing

@Suite("Multipart bodies")
struct MultipartBodyTests {
    @Test
    func `Fields and files are parts in order, each with its header lines`() throws {
        let body = MultipartBody([
            .init(name: "user", content: .bytes(Array("ada".utf8))),
            .init(
                name: "photo", filename: "b.png", contentType: "image/png",
                content: .file(path: "/p/a.png", size: 1_000_000)),
            .init(name: "photo", filename: "c.png", content: .file(path: "/p/c.png", size: 0)),
            .init(name: "empty", content: .bytes([])),
        ])
        let (rendered, contentType) = try body.render(boundary: "b-1")
        #expect(contentType == "multipart/form-data; boundary=b-1")
        let first =
            "--b-1\r\nContent-Disposition: form-data; name=\"user\"\r\n\r\nada\r\n"
            + "--b-1\r\nContent-Disposition: form-data; name=\"photo\"; filename=\"b.png\"\r\n"
            + "Content-Type: image/png\r\n\r\n"
        let second =
            "\r\n--b-1\r\n"
            + "Content-Disposition: form-data; name=\"photo\"; filename=\"c.png\"\r\n\r\n"
        let last =
            "\r\n--b-1\r\nContent-Disposition: form-data; name=\"empty\"\r\n\r\n\r\n--b-1--\r\n"
        #expect(
            rendered
                == .pieces([
                    .bytes(Array(first.utf8)), .file(path: "/p/a.png", size: 1_000_000),
                    .bytes(Array(second.utf8)), .file(path: "/p/c.png", size: 0),
                    .bytes(Array(last.utf8)),
                ]))
        #expect(rendered.size == 1_000_000 + (first + second + last).utf8.count)
    }

    @Test
    func `Without a file a body is just bytes, sent as they are`() throws {
        let content: [UInt8] = [0, 0xFF, 0x0D, 0x0A, 0x2D]
        let (body, _) = try MultipartBody([.init(name: "n", content: .bytes(content))])
            .render(boundary: "b")
        let head = "--b\r\nContent-Disposition: form-data; name=\"n\"\r\n\r\n"
        #expect(body == .bytes(Array(head.utf8) + content + Array("\r\n--b--\r\n".utf8)))
    }

    @Test
    func `No part at all is still a body`() throws {
        let (body, _) = try MultipartBody([]).render(boundary: "b")
        #expect(body == .bytes(Array("--b--\r\n".utf8)))
    }

    @Test(
        "O20: names cannot forge a header line",
        arguments: [
            ("a\"b", "a%22b"), ("a\r\nX-Evil: 1", "a%0D%0AX-Evil: 1"), ("a\rb", "a%0Db"),
            ("a\nb", "a%0Ab"), ("a%22b", "a%22b"), ("é\\日", "é\\日"), ("", ""),
        ])
    func names(name: String, written: String) throws {
        let part = MultipartBody.Part(name: name, filename: name, content: .bytes([]))
        let (body, _) = try MultipartBody([part]).render(boundary: "b")
        let expected =
            "--b\r\nContent-Disposition: form-data; name=\"\(written)\"; "
            + "filename=\"\(written)\"\r\n\r\n\r\n--b--\r\n"
        #expect(body == .bytes(Array(expected.utf8)))
    }

    @Test("O20: content types cannot either", arguments: ["a/b\r\nX: 1", "a\rb", "a\nb", "a\0b"])
    func contentTypes(contentType: String) {
        let part = MultipartBody.Part(name: "n", contentType: contentType, content: .bytes([]))
        #expect(throws: MultipartError.invalidContentType(part: "n")) {
            try MultipartBody([part]).render(boundary: "b")
        }
    }

    @Test
    func `O20: NUL in a name is refused`() {
        for part in [
            MultipartBody.Part(name: "a\0", content: .bytes([])),
            MultipartBody.Part(name: "a\0", filename: "b", content: .bytes([])),
        ] {
            #expect(throws: MultipartError.nullInName(part: "a\0")) {
                try MultipartBody([part]).render(boundary: "b")
            }
        }
        #expect(throws: MultipartError.nullInName(part: "a")) {
            try MultipartBody([.init(name: "a", filename: "\0", content: .bytes([]))])
                .render(boundary: "b")
        }
    }

    @Test(
        "A boundary that would have to be quoted is refused",
        arguments: ["", "a b", "a\"", "a\r\n", "é", String(repeating: "a", count: 71)])
    func boundaries(boundary: String) {
        #expect(throws: MultipartError.invalidBoundary) {
            try MultipartBody([]).render(boundary: boundary)
        }
    }

    @Test
    func `A boundary may have 70 characters`() throws {
        let boundary = String(repeating: "a", count: 67) + "'+."
        #expect(try MultipartBody([]).render(boundary: boundary).contentType.hasSuffix(boundary))
    }
}
