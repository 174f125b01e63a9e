import TestSupport

@testable import PipelineCommand

/// A window of a terminal with a program in it (Debian's package `tmux`).
struct TerminalWindow {
    static let isInstalled = Folder.hasFile(program)

    private static let program = "/usr/bin/tmux"

    private let folder: TemporaryFolder

    /// Opens a window of that many columns, runs a shell command in it and does something with it.
    ///
    /// The code of the command is shown when it has ended, after `code`.
    static func open(
        columns: Int, _ command: String, _ body: (TerminalWindow) async throws -> Void
    ) async throws {
        let window = TerminalWindow(folder: try TemporaryFolder())
        // The screen is full before, as it is most of the time: rows that become several push
        // others out at the top. What is typed is left to the program; `cat` keeps the window open.
        let script = "seq 30; trap : INT; \(command); echo code $?; exec cat"
        _ = try await window.run(
            "-f", "/dev/null", "new-session", "-d", "-x", "\(columns)", "-y", "16", script)
        let result = await Result { () async throws in try await body(window) }
        _ = try await window.run("kill-server")
        try result.get()
    }

    func resize(columns: Int) async throws {
        _ = try await run("resize-window", "-x", "\(columns)")
    }

    /// Types a key, such as `C-c`.
    func press(_ key: String) async throws {
        _ = try await run("send-keys", key)
    }

    /// What the window knows under that name, such as `cursor_x`.
    func property(_ name: String) async throws -> String {
        try await run("display-message", "-p", "#{\(name)}").filter { $0 != "\n" }
    }

    /// All rows since the beginning, without the empty ones at the end.
    func rows() async throws -> [String] {
        let rows = try await run("capture-pane", "-p", "-S", "-").split(
            separator: "\n", omittingEmptySubsequences: false)
        return rows.prefix((rows.lastIndex { !$0.isEmpty } ?? -1) + 1).map(String.init)
    }

    /// Looks at the rows until they are as they should be, and returns them.
    func waitForRows(_ areRight: ([String]) -> Bool) async throws -> [String] {
        let limit = ContinuousClock.now + .seconds(20)
        while true {
            let rows = try await rows()
            if areRight(rows) { return rows }
            guard ContinuousClock.now < limit else {
                throw Subprocess.Failure(
                    message: "not in 20 seconds:\n\(rows.joined(separator: "\n"))")
            }
        }
    }

    private func run(_ words: String...) async throws -> String {
        let outcome = try await Subprocess(
            Self.program, ["-S", folder.file("socket")] + words,
            environment: ["TERM": "xterm-256color", "SHELL": "/bin/sh"]
        ).waitForEnd()
        guard outcome.status == 0 else { throw Subprocess.Failure(message: outcome.errors) }
        return outcome.output
    }
}

extension Result where Failure == any Error {
    /// What the work returns or throws.
    fileprivate init(_ work: () async throws -> Success) async {
        do {
            self = .success(try await work())
        } catch {
            self = .failure(error)
        }
    }
}
