import PipelineCore
import TestSupport
import Testing

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

extension ProgramTests {
    @Suite("Where the output goes (O35)", .timeLimit(.minutes(1)))
    struct OutputTests {
        private static let pipelines = "\(PipelineRunProgram.package)/pipelines"
        private static let good = "\(pipelines)/home-screen.json"
        private static let failing = "\(pipelines)/home-screen-failing.json"

        /// Runs a shell command in a terminal of 60 columns; returns all that the terminal was sent.
        private func terminal(
            _ command: String, environment: [String: String] = [:]
        ) async throws -> (status: Int32, text: String) {
            let all = environment.merging(["TERM": "xterm"]) { given, _ in given }
            let outcome = try await Subprocess(
                "/usr/bin/script", ["-qec", "stty cols 60; exec \(command)", "/dev/null"],
                environment: all
            ).waitForEnd()
            return (outcome.status, outcome.output)
        }

        private static let hasTerminals = access("/usr/bin/script", X_OK) == 0

        @Test("A reader who has enough changes nothing: no message, the same code")
        func closedReader() async throws {
            for (file, status) in [(Self.good, Int32(0)), (Self.failing, 1)] {
                let outcome = try await PipelineRunProgram.run(file, output: .abandoned)
                #expect(outcome.status == status)
                #expect(outcome.errors.isEmpty)
            }
            let head = try await Subprocess(
                "/bin/sh",
                [
                    "-c", #"{ "$1" "$2"; echo "code $?" >&2; } | head -1"#, "sh",
                    PipelineRunProgram.path,
                    Self.failing,
                ]
            ).waitForEnd()
            #expect(head.errors == "code 1\n")
        }

        @Test("A program without standard streams runs, and writes to no other descriptor")
        func closedStreams() async throws {
            let outcome = try await PipelineRunProgram.run(
                Self.failing, output: .closed, errors: .closed)
            #expect(outcome.status == 1)
            let server = try ByteServer.answering { _ in ByteServer.http(status: 500) }
            let run = try await Subprocess(
                "/bin/sh",
                [
                    "-c", #"exec "$1" "$2" --var "API=$3" --secret password=hunter2 <&- >&- 2>&-"#,
                    "sh", PipelineRunProgram.path, Self.good, server.url(""),
                ]
            ).waitForEnd()
            #expect(run.status == 1)
            #expect(server.requests.map(\.target) == ["/config"])
        }

        @Test(
            "There is no escape and no carriage return in a pipe or a file",
            arguments: [
                [:], ["TERM": "xterm-256color"], ["COLORTERM": "truecolor", "TERM": "xterm"],
            ])
        func plain(environment: [String: String]) async throws {
            let outcome = try await PipelineRunProgram.run(Self.failing, environment: environment)
            for text in [outcome.output, outcome.errors] {
                #expect(!text.contains("\u{1B}"))
                #expect(!text.utf8.contains(0x0D))
            }
        }

        @Test("An explicit always wins")
        func always() async throws {
            let outcome = try await PipelineRunProgram.run(
                "--color", "always", "--progress=always", Self.failing,
                environment: ["NO_COLOR": "1", "CI": "true"])
            #expect(outcome.output.contains("\u{1B}[31m✗\u{1B}[0m"))
            #expect(outcome.output.contains("\u{1B}[31merror: \u{1B}[0m"))
        }

        @Test("A terminal is coloured", .enabled(if: hasTerminals, "needs the program script"))
        func colored() async throws {
            let (status, text) = try await terminal("\(PipelineRunProgram.path) \(Self.failing)")
            #expect(status == 1)
            #expect(text.contains("\u{1B}[31m✗\u{1B}[0m"))
        }

        @Test(
            "NO_COLOR, CI and TERM=dumb are respected on a terminal",
            .enabled(if: hasTerminals, "needs the program script"),
            arguments: [["NO_COLOR": "1"], ["CI": "true"], ["TERM": "dumb"]])
        func noColor(environment: [String: String]) async throws {
            let (status, text) = try await terminal(
                "\(PipelineRunProgram.path) \(Self.failing)", environment: environment)
            #expect(status == 1)
            #expect(text.contains("failed at profile"))
            #expect(!text.contains(#/\e\[[0-9;]*m/#))
            // What runs may still be shown without colours.
            if environment["NO_COLOR"] == nil { #expect(!text.contains("\u{1B}")) }
        }

        @Test(
            "The running request is shown with its time and erased before its line",
            .enabled(if: hasTerminals, "needs the program script"))
        func live() async throws {
            let folder = try TemporaryFolder()
            let file = try folder.write(
                """
                { "name": "Slow", "baseURL": "stub:", "requests": [
                    { "name": "slow", "url": "/\(String(repeating: "long/", count: 20))",
                      "example": { "delay": "450ms" } }] }
                """, as: "a.json")
            let (status, text) = try await terminal(
                "\(PipelineRunProgram.path) \(file)", environment: ["NO_COLOR": "1"])
            #expect(status == 0)
            let frames = text.matches(of: #/\r\e\[\?7l(  … slow.*?)\e\[J\e\[\?7h\r/#)
            #expect(1...5 ~= frames.count, "\(text)")
            for frame in frames { #expect(frame.1.count <= 59) }
            #expect(text.contains("\r\u{1B}[J  ✓ slow"))
            #expect(!text.contains("\u{1B}[?25l"))
        }

        @Test("Quiet is silent about a success and shows only what failed")
        func quiet() async throws {
            let success = try await PipelineRunProgram.run("-q", Self.good)
            #expect(success.status == 0)
            #expect(success.output.isEmpty)
            let failure = try await PipelineRunProgram.run("-q", Self.failing)
            #expect(failure.status == 1)
            #expect(failure.output.hasPrefix("error: expected status 200, got 401 Unauthorized\n"))
            #expect(!failure.output.contains("succeeded"))
            #expect(!failure.output.contains("✗"))
            #expect(failure.errors.isEmpty)
        }

        @Test("Certificates that are not verified are worth a warning, once, on standard error")
        func insecure() async throws {
            let outcome = try await PipelineRunProgram.run("-k", Self.good, Self.good)
            #expect(outcome.status == 0)
            #expect(outcome.errors == "warning: certificates are not verified (--insecure)\n")
        }
    }
}
