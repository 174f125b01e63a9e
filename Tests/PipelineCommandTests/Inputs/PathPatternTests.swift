import TestSupport
import Testing

@testable import PipelineCommand

@Suite("Patterns for names of files")
struct PathPatternTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        for name in ["suites", "suites/api", "suites/api/v1", "suites/.git", "suites/dir.json"] {
            _ = try folder.makeFolder(name)
        }
        for name in [
            "b.json", "B.json", "a.json", "é.json", ".hidden.json", "a*.json", "notes.txt",
            "suites/login.json", "suites/api/users.json", "suites/api/v1/old.json",
            "suites/.git/config.json", "suites/dir.json/inner.json",
        ] {
            try folder.write("{}", as: name)
        }
        try folder.link("suites/api/loop", to: folder.file("suites"))
        try folder.link("gone.json", to: folder.file("nowhere"))
    }

    @Test(
        "A name is matched as shells do",
        arguments: [
            ("*", "a.json", true), ("*", "", true), ("*", ".a", false), (".*", ".a", true),
            ("*.json", "a.json", true), ("*.json", "a.jso", false), ("a?c", "abc", true),
            ("a?c", "aéc", true), ("a?c", "ac", false), ("?", ".", false),
            ("*a*b*", "xaxbx", true), ("*a*b*", "xbxax", false), ("*ab", "aab", true),
            ("a**b", "ab", true), ("[abc]", "b", true), ("[abc]", "d", false),
            ("[a-c]x", "bx", true), ("[!a-c]", "d", true), ("[^a-c]", "b", false),
            ("[!a]", ".", false), ("[]]", "]", true), ("[]-]", "-", true), ("[a-]", "-", true),
            ("[a", "[a", true), ("[", "[", true), ("\\*", "*", true), ("\\*", "a", false),
            ("*\\?", "a?", true), ("", "", true), ("", "a", false),
            (String(repeating: "*a", count: 30), String(repeating: "a", count: 60) + "b", false),
        ])
    func names(pattern: String, name: String, isMatch: Bool) {
        #expect(NamePattern(pattern).matches(name) == isMatch)
    }

    @Test(
        "A path is matched part by part; files come in the order of their bytes",
        arguments: [
            ("*.json", ["B.json", "a*.json", "a.json", "b.json", "é.json"]),
            ("[ab].json", ["a.json", "b.json"]),
            ("?.json", ["B.json", "a.json", "b.json", "é.json"]),
            (".*.json", [".hidden.json"]),
            ("suites/*.json", ["suites/login.json"]),
            ("*/login.json", ["suites/login.json"]),
            ("s*/a*/*", ["suites/api/users.json"]),
            (
                "suites/**/*.json",
                [
                    "suites/api/users.json", "suites/api/v1/old.json",
                    "suites/dir.json/inner.json", "suites/login.json",
                ]
            ),
            ("**/old.json", ["suites/api/v1/old.json"]),
            ("**/**/v?/**", ["suites/api/v1/old.json"]),
            ("suites/**/api/*.json", ["suites/api/users.json"]),
            ("suites/.git/*", ["suites/.git/config.json"]),
            ("suites/api/loop/*.json", ["suites/api/loop/login.json"]),
            ("*.yaml", []), ("nowhere/*", []), ("gone*", []), ("a.json/*", []),
        ] as [(String, [String])])
    func paths(pattern: String, names: [String]) {
        #expect(
            PathPattern(folder.file(pattern)).files() == names.map { folder.file($0) })
    }

    @Test("What is there under its name is meant, a pattern that matches nothing is refused")
    func arguments() throws {
        let literal = folder.file("a*.json")
        #expect(try NamedPaths.pipelines(literal) == [literal])
        #expect(try NamedPaths.pipelines("missing.json") == ["missing.json"])
        #expect(throws: UsageError("no file matches this pattern")) {
            try NamedPaths.pipelines(folder.file("*.yaml"))
        }
    }
}
