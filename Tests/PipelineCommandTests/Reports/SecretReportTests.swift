import PipelineCore
import PipelineJSON
import TestSupport
import Testing

@testable import PipelineCommand

extension ProgramTests {
    @Suite("Secrets in reports (O27)", .timeLimit(.minutes(1)))
    struct SecretReportTests {
        private static let secret = #"s3/+= "x<&'é"#
        private static let captured = "captured-T0ken/+"
        /// Cut in two by the limit of bodies.
        private static let padding = String(repeating: "p", count: ReportedBody.limit - 6)

        /// Every form that no byte of any output may hold, of one secret.
        private static func forms(of secret: String) -> Set<String> {
            let raw = Array(secret.utf8)
            let percent = raw.map { byte in
                let isPlain =
                    byte < 0x80
                    && (Character(Unicode.Scalar(byte)).isLetter
                        || Character(Unicode.Scalar(byte)).isNumber || byte == UInt8(ascii: "-"))
                let digits = String(byte, radix: 16, uppercase: true)
                return isPlain
                    ? String(Unicode.Scalar(byte)) : "%" + (digits.count == 1 ? "0" : "") + digits
            }.joined()
            let lower = percent.replacing(/%[0-9A-F]{2}/) { $0.0.lowercased() }
            let json = String(JSONValue(secret).description.dropFirst().dropLast())
            let html = secret.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
                .replacing(">", with: "&gt;")
            let forms = [
                secret, percent, lower, percent.replacing("%20", with: "+"), json, html,
                html.replacing("\"", with: "&quot;"),
                html.replacing("\"", with: "&quot;").replacing("'", with: "&apos;"),
                html.replacing("\"", with: "&#34;").replacing("'", with: "&#39;"),
            ]
            // Of Base64, some of the characters that the secret alone decides.
            return Set(forms + base64(of: secret).map { String($0.dropFirst(4).prefix(8)) })
        }

        /// In both alphabets, at each alignment, among other bytes.
        private static func base64(of secret: String) -> [String] {
            (0..<3).flatMap { offset in
                let start = [UInt8](repeating: 65, count: offset)
                let text = Base64.encode(start + Array(secret.utf8) + [65, 65, 65])
                return [text, text.replacing("+", with: "-").replacing("/", with: "_")]
            }
        }

        @Test("No byte of any report, nor of the terminal, holds any of their forms")
        func echo() async throws {
            let secrets = [Self.secret, Self.captured]
            let all = secrets.flatMap(Self.forms)
            let echoed = secrets.flatMap(Self.forms).filter { $0.utf8.count > 8 }
            let encoded = secrets.flatMap(Self.base64)
            let server = try ByteServer.answering { request in
                let echo =
                    "\(request.headText) \(request.bodyText) "
                    + (echoed + encoded).joined(separator: " ")
                let body = #"{"token":\#(JSONValue(Self.captured)),"echo":\#(JSONValue(echo))}"#
                return ByteServer.http(
                    status: request.target.hasPrefix("/fail") ? 400 : 200,
                    fields: ["X-Echo": "\(Self.secret) \(Self.captured)"],
                    body: request.target.hasPrefix("/long")
                        ? Self.padding + Self.secret + Self.captured : body)
            }
            let folder = try TemporaryFolder()
            let reports = WrittenReports(folder)
            let file = try folder.write(
                #"""
                { "name": "{{password}}", "baseURL": "\#(server.url(""))", "secrets": ["password"],
                  "requests": [
                    { "name": "login", "method": "POST", "url": "/login/{{password}}",
                      "auth": { "basic": { "username": "ada", "password": "{{password}}" } },
                      "body": { "json": { "password": "{{password}}" } },
                      "captures": { "token": { "json": "$.token", "secret": true },
                                    "same": "$.token", "echo": "$.echo" } },
                    { "name": "long", "url": "/long" },
                    { "name": "fail", "method": "POST", "url": "/fail",
                      "query": { "password": "{{password}}", "token": "{{token}}" },
                      "auth": { "bearer": "{{token}}" },
                      "body": { "form": { "password": "{{password}}", "token": "{{token}}" } },
                      "retry": { "max": 1, "interval": "1ms" },
                      "expect": { "json": { "$.token": "{{password}}", "$.echo": "{{token}}" } } },
                    { "name": "last", "url": "/last" }] }
                """#, as: "a.json")
            let outcome = try await Subprocess(
                PipelineRunProgram.path,
                ["--secret", "password=\(Self.secret)"] + reports.options + [file]
            ).waitForEnd()
            #expect(outcome.status == 1, "\(outcome.errors)")
            var outputs = try reports.all()
            outputs += [("output", outcome.output), ("errors", outcome.errors)]
            for (name, text) in outputs {
                for form in all where text.contains(form) {
                    Issue.record("\(form) in \(name)")
                }
            }
            // They are well-formed all the same, and show that something was there.
            _ = try reports.json()
            _ = try reports.junit()
            #expect(outputs.filter { $0.text.contains("***") }.count >= 4)
            // The true values were sent.
            #expect(server.requests.last?.headText.contains("Bearer \(Self.captured)") == true)
        }
    }
}
