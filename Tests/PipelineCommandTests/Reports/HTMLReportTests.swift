import PipelineCore
import PipelineJSON
import TestSupport
import Testing

@testable import PipelineCommand

extension ProgramTests {
    @Suite("The page", .timeLimit(.minutes(1)))
    struct HTMLReportTests {
        private static let attack = """
            <script>document.title='run'</script></style></pre></td><img src=x \
            onerror="document.title='run'"><a href="javascript:document.title='run'">a</a>\
            " onmouseover="document.title='run'" ' --> ]]> \u{202E}\u{200F}\u{0}\u{FFFE}
            """

        private let folder: TemporaryFolder
        private var path: String { folder.file("report.html") }

        init() throws {
            folder = try TemporaryFolder()
        }

        private func text() throws -> String {
            String(decoding: try FileBytes.read(path, limit: 1 << 28), as: UTF8.self)
        }

        /// Runs requests that are answered with what a page must not run.
        private func runAttack() async throws {
            let server = try ByteServer.answering { request in
                ByteServer.http(
                    fields: ["X-Attack": Self.attack.replacing("\u{0}", with: "")],
                    body: request.target == "/json" ? #"{"a":"</script><script>"}"# : Self.attack)
            }
            let name = JSONValue(Self.attack)
            let file = try folder.write(
                #"""
                { "name": \#(name), "baseURL": "\#(server.url(""))", "requests": [
                    { "name": \#(name), "url": "/", "captures": { "a": { "header": "X-Attack" } } },
                    { "name": "json", "url": "/json", "expect": { "text": \#(name) } },
                    { "name": "last", "url": "/last" }] }
                """#, as: "a.json")
            let outcome = try await PipelineRunProgram.run("--report-html", path, file)
            #expect(outcome.status == 1, "\(outcome.errors)")
        }

        @Test("What a server, a file or a person wrote is never markup (O33)")
        func markup() async throws {
            try await runAttack()
            let text = try text()
            for piece in ["<script", "<img", "<a href=\"java", "\" onmouse", "\u{202E}", "\u{0}"] {
                #expect(!text.contains(piece), "\(piece)")
            }
            #expect(text.components(of: "<style") == 1 && text.components(of: "</style") == 1)
            #expect(text.contains("&lt;script&gt;document.title=&#39;run&#39;"))
            // All addresses are those of places within the page.
            #expect(text.components(of: "href=\"") == text.components(of: "href=\"#f0r"))
            for attribute in [" src=", " style=", " on", "@import", "url("] {
                let markup = text.replacing(/>[^<]*</, with: "><")
                #expect(!markup.contains(attribute), "\(attribute)")
            }
        }

        @Test("The policy of the page allows its one style, and nothing else")
        func policy() async throws {
            try await runAttack()
            let text = try text()
            let style = try #require(text.firstMatch(of: /(?s)<style>(.*)<\/style>/)).1
            let sum = Base64.encode(SHA256.bytes(Array(style.utf8)))
            #expect(
                text.contains(
                    "content=\"default-src &#39;none&#39;; style-src &#39;sha256-\(sum)&#39;; "
                        + "base-uri &#39;none&#39;; form-action &#39;none&#39;\""))
        }

        @Test("What failed is open, and linked above the requests")
        func failed() async throws {
            try await runAttack()
            let text = try text()
            #expect(text.contains("<h1>1 of 3 failed</h1>"))
            #expect(text.contains("<li><a href=\"#f0r1\"><bdi>json</bdi></a>"))
            #expect(text.contains("<details class=\"r no\" id=\"f0r1\" open>"))
            #expect(text.contains("cancelled by json"))
        }

        @Test(
            "Chromium finds every row, and runs nothing",
            .enabled(if: Chromium.isInstalled, "chromium is not installed"))
        func browser() async throws {
            try await runAttack()
            let document = try await Chromium.document(of: path, in: folder)
            #expect(document.components(of: " id=\"f0r") == 3)
            #expect(document.contains("<title>1 of 3 failed"))
            #expect(!document.contains("<script"))
        }

        @Test(
            "Chromium opens a thousand requests within two seconds",
            .enabled(if: Chromium.isInstalled, "chromium is not installed"))
        func large() async throws {
            let server = try ByteServer.answering { _ in
                ByteServer.http(
                    fields: ["Content-Type": "application/json"],
                    body: #"{"id":7,"items":["a","b","c"],"name":"Ada"}"#)
            }
            let requests = (0..<1_000).map {
                #"{ "name": "r\#($0)", "url": "\#(server.url("/items?page=\($0)"))" }"#
            }
            let file = try folder.write(
                #"{ "requests": [\#(requests.joined(separator: ","))] }"#, as: "many.json")
            #expect(
                try await PipelineRunProgram.run("-q", "--report-html", path, file).status == 0)
            let empty = try folder.write("<p>", as: "empty.html")
            // The first start makes a profile.
            _ = try await Chromium.document(of: empty, in: folder)
            var quickest = Duration.seconds(60)
            // The quickest of a few: the machine may be busy with other things.
            for _ in 0..<3 where quickest > .seconds(2) {
                let start = ContinuousClock.now
                _ = try await Chromium.document(of: empty, in: folder)
                let between = ContinuousClock.now
                let document = try await Chromium.document(of: path, in: folder)
                #expect(document.components(of: " id=\"f0r") == 1_000)
                // Without the time that the browser takes to start.
                quickest = min(quickest, (.now - between) - (between - start))
            }
            #expect(quickest < .seconds(2))
        }
    }
}

extension String {
    /// How often a text is in it.
    fileprivate func components(of text: String) -> Int { ranges(of: text).count }
}
