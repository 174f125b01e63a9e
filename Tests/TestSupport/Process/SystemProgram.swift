#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Runs programs of the system's that servers need, and that a machine may lack.
enum SystemProgram {
    /// A program that failed.
    struct Failure: Error {
        let words: [String]
        let status: Int32
    }

    /// Whether a program of that name is installed.
    static func isInstalled(_ name: String) -> Bool {
        (try? run(["command", "-v", name], script: "\"$@\"")) != nil
    }

    /// Runs a program to its end.
    ///
    /// - Throws: ``Failure`` when it ends with another status than 0.
    static func run(_ words: String...) throws {
        try run(words, script: "exec \"$@\"")
    }

    private static func run(_ words: [String], script: String) throws {
        var actions = SpawnActions()
        defer { actions.destroy() }
        for descriptor: Int32 in 0...2 { actions.open(descriptor, "/dev/null", O_RDWR) }
        let process = try actions.spawn(
            "/bin/sh", ["-c", script, "sh"] + words, environment)
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        guard status == 0 else { throw Failure(words: words, status: status) }
    }

    /// Also finds what is for administrators, and leaves the sanitizers' libraries to the tests.
    static var environment: [String: String] {
        let path = getenv("PATH").map { String(cString: $0) } ?? "/usr/bin:/bin"
        return ["PATH": "\(path):/usr/local/sbin:/usr/sbin:/sbin", "LD_PRELOAD": ""]
    }
}
