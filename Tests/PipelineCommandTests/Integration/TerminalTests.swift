import TestSupport
import Testing

@testable import PipelineCommand

extension ProgramTests {
    @Suite(
        "In a window of a terminal",
        .enabled(if: TerminalWindow.isInstalled, "tmux is not installed"),
        .timeLimit(.minutes(1)))
    struct TerminalTests {
        private let folder: TemporaryFolder

        init() throws {
            folder = try TemporaryFolder()
        }

        private static let megabyte = [UInt8](repeating: 0x20, count: 1 << 20)

        private func pipeline(
            _ requests: String, of server: ByteServer, as name: String = "a.json"
        ) throws -> String {
            try folder.write(
                #"{ "name": "Window", "baseURL": "\#(server.url(""))", \#(requests) }"#, as: name)
        }

        private func command(_ arguments: String...) -> String {
            ([PipelineRunProgram.path] + arguments).joined(separator: " ")
        }

        /// The rows of what is running, which nothing may follow.
        private func live(_ rows: [String]) -> ArraySlice<String> {
            rows[(rows.firstIndex { $0.contains("…") } ?? rows.endIndex)...]
        }

        /// That nothing is left of what was shown of it, and the terminal is as it was.
        private func expectNoRemains(_ window: TerminalWindow, _ rows: [String]) async throws {
            #expect(live(rows) == [], "\(rows)")
            #expect(!rows.contains { $0.contains("^C") })
            #expect(try await window.property("cursor_flag") == "1")
            #expect(try await window.property("wrap_flag") == "1")
        }

        @Test("What runs has one row whatever becomes of the window, and none in the end")
        func resized() async throws {
            let rest = Latch<Void>()
            let server = try ByteServer { connection in
                while let request = connection.readRequest() {
                    guard request.target == "/large" else {
                        connection.send(ByteServer.http())
                        continue
                    }
                    connection.send("HTTP/1.1 200 OK\r\nContent-Length: \(3 << 20)\r\n\r\n")
                    for _ in 1...2 { connection.send(Self.megabyte) }
                    rest.wait()
                    connection.send(Self.megabyte)
                }
            }
            defer {
                rest.open(())
                server.stop()
            }
            let file = try pipeline(
                """
                "requests": [{ "name": "config", "url": "/config" },
                  { "name": "下载\\u001b[2J📦", "url": "/large" }]
                """, of: server)
            try await TerminalWindow.open(columns: 100, command(file)) { window in
                _ = try await window.waitForRows { $0.last?.hasSuffix("2 MB of 3 MB") ?? false }
                for columns in [40, 20, 33, 100, 50, 120] {
                    try await window.resize(columns: columns)
                    let rows = try await window.waitForRows { rows in
                        guard let row = rows.last else { return false }
                        return live(rows).count == 1 && row.hasPrefix("  … 下载")
                            && row.displayWidth < columns
                            && row.hasSuffix("2 MB of 3 MB") == (columns >= 40)
                    }
                    #expect(rows.last?.contains("2 MB of 3 MB") == (columns >= 40), "\(columns)")
                    let column = try await window.property("cursor_x")
                    #expect(column == "0", "\(columns)")
                }
                rest.open(())
                let rows = try await window.waitForRows { $0.last == "code 0" }
                #expect(
                    rows.drop { $0 != "Window · \(file)" }.map {
                        $0.replacing(#/ +[0-9.]+ m?s/#, with: " #")
                    } == [
                        "Window · \(file)",
                        "  ✓ config       GET /config    200 #",
                        "  ✓ 下载\u{FFFD}[2J📦   GET /large     200 #",
                        "", "2 succeeded · #", "code 0",
                    ])
                try await expectNoRemains(window, rows)
            }
        }

        @Test("Attempts and the waits between them are shown")
        func attempts() async throws {
            let rest = Latch<Void>()
            let server = try ByteServer { connection in
                var count = 0
                while connection.readRequest() != nil {
                    count += 1
                    if count > 1 { rest.wait() }
                    connection.send(ByteServer.http(status: count > 1 ? 200 : 503))
                }
            }
            defer {
                rest.open(())
                server.stop()
            }
            let file = try pipeline(
                """
                "requests": [{ "name": "busy", "url": "/", "retry": { "max": 2, "interval": "1s" } }]
                """, of: server)
            try await TerminalWindow.open(columns: 80, command(file)) { window in
                _ = try await window.waitForRows {
                    $0.last?.contains(#/ waiting [0-9.]+ m?s before attempt 2$/#) ?? false
                }
                _ = try await window.waitForRows { $0.last?.hasSuffix("attempt 2 of 3") ?? false }
                rest.open(())
                let rows = try await window.waitForRows { $0.last == "code 0" }
                #expect(rows.contains { $0.hasSuffix("2 attempts") })
                try await expectNoRemains(window, rows)
            }
        }

        @Test("Several files side by side share the row")
        func files() async throws {
            let rest = Latch<Void>()
            let server = try ByteServer { connection in
                while let request = connection.readRequest() {
                    if request.target == "/held" { rest.wait() }
                    connection.send(ByteServer.http(status: request.target == "/bad" ? 500 : 200))
                }
            }
            defer {
                rest.open(())
                server.stop()
            }
            let bad = try pipeline(#""requests": [{ "url": "/bad" }]"#, of: server, as: "bad.json")
            let held = try ["b.json", "c.json"].map {
                try pipeline(#""requests": [{ "url": "/held" }]"#, of: server, as: $0)
            }
            let command = command("--jobs", "2", bad, held[0], held[1])
            try await TerminalWindow.open(columns: 120, command) { window in
                let rows = try await window.waitForRows {
                    $0.last?.contains("of 3 files, 1 failed   … b.json, c.json   ") ?? false
                }
                #expect(rows.last?.hasPrefix("  [###-------] 1 ") ?? false)
                #expect(live(rows).count == 1)
                rest.open(())
                let end = try await window.waitForRows { $0.last == "code 1" }
                #expect(end.suffix(2).first == "3 files: 2 succeeded, 1 failed")
                try await expectNoRemains(window, end)
            }
        }

        @Test("Ctrl-C leaves nothing of it, the first time and the second time (O34)")
        func interrupted() async throws {
            let server = try ByteServer { connection in
                while connection.readRequest() != nil { connection.waitUntilStopped() }
            }
            let file = try pipeline(
                #""requests": [{ "name": "one", "url": "/" }], "finally": [{ "name": "two", "url": "/" }]"#,
                of: server)
            try await TerminalWindow.open(columns: 80, command(file)) { window in
                _ = try await window.waitForRows { $0.last?.hasPrefix("  … one") ?? false }
                try await window.press("C-c")
                let cleaning = try await window.waitForRows {
                    $0.last?.hasPrefix("  … two") ?? false
                }
                #expect(live(cleaning).count == 1)
                #expect(cleaning.contains { $0.contains("– one") && $0.contains("interrupted") })
                try await window.press("C-c")
                let rows = try await window.waitForRows { $0.last == "code 130" }
                try await expectNoRemains(window, rows)
            }
        }
    }
}
