import PipelineCore
import Testing

@testable import PipelineCommand

@Suite("The lines of messages")
struct MessageLinesTests {
    private func body(
        _ bytes: [UInt8], type: String = "text/plain", secret: String? = nil
    ) throws -> [String] {
        let redactor = Redactor()
        if let secret { _ = redactor.add(secret) }
        var request = HTTPRequest(method: "POST", url: try HTTPURL("http://a:81/x?y"))
        request.fields.append(HTTPField(name: "Content-Type", value: type))
        request.body = .bytes(bytes)
        let lines = MessageLines(showsBodies: true, redact: redactor.redact).lines(of: request)
            .map(\.text)
        #expect(
            lines.prefix(4) == [
                "      > POST /x?y", "      > Host: a:81", "      > Content-Type: \(type)",
                "      >",
            ])
        return lines.dropFirst(4).map { String($0.dropFirst(6)) }
    }

    @Test("Text is shown line by line, JSON in lines of its own, nothing for no bytes")
    func text() throws {
        #expect(try body(Array("a\r\nb\n".utf8)) == ["a", "b", ""])
        #expect(
            try body(Array(#"{"a":[1]}"#.utf8)).joined(separator: "\n") == """
                {
                  "a": [
                    1
                  ]
                }
                """)
        #expect(try body([]) == [])
    }

    @Test(
        "Bytes that are no text are told by size and type", arguments: [[0x61, 0], [0xFF, 0xFE]])
    func binary(_ bytes: [UInt8]) throws {
        #expect(try body(bytes, type: "image/png") == ["(2 B of image/png)"])
    }

    @Test("A long body is cut, also within a secret, which stays masked (O27)")
    func cut() throws {
        let secret = "correct-horse-battery"
        for start in 16_384 - secret.utf8.count - 1..<16_384 {
            let text =
                String(repeating: "x", count: start) + secret + String(repeating: "y", count: 99)
            let lines = try body(Array(text.utf8), secret: secret)
            #expect(lines.count == 2)
            #expect(lines[1].hasPrefix("(the beginning of 16"))
            // Fewer bytes than a secret may have tell nothing of it.
            #expect(!lines[0].contains("corr"), "\(start)")
        }
    }
}
