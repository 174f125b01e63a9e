import Foundation

/// What the compiler says of the public symbols of a module: the part of its answer that is used.
struct SymbolGraph: Decodable {
    let symbols: [Symbol]
    let relationships: [Relationship]

    struct Symbol: Decodable {
        let identifier: Identifier
        let kind: Kind
        let pathComponents: [String]
        let declarationFragments: [Fragment]
        let docComment: Comment?
        let accessLevel: String
        /// Missing where the compiler made the symbol up.
        let location: Location?

        struct Identifier: Decodable { let precise: String }
        struct Kind: Decodable { let identifier: String }
        struct Fragment: Decodable { let spelling: String }
        struct Comment: Decodable { let lines: [Line] }
        struct Line: Decodable { let text: String }
        struct Location: Decodable {
            let uri: String
            let position: Position
        }
        struct Position: Decodable { let line: Int }
    }

    struct Relationship: Decodable {
        let kind: String
        let source: String
        let target: String
        let targetFallback: String?
    }
}

/// Asks the compiler for the symbols of modules that were built with the tests.
enum SymbolGraphExtractor {
    /// Where the tool is, beside the compiler that is on the path; `nil` where there is none.
    static let tool: String? = {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        return path.split(separator: ":").map { "\($0)/swift-symbolgraph-extract" }
            .first { FileManager.default.isExecutableFile(atPath: $0) }
    }()

    /// Where the modules are, beside the tests.
    static let modules = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
        .deletingLastPathComponent().appending(path: "Modules")

    /// Whether the tool and the modules are where they are looked for.
    static var isAvailable: Bool {
        tool != nil && FileManager.default.fileExists(atPath: modules.path())
    }

    /// The symbols of a module, and what it adds to other modules' types.
    static func graphs(of module: String) throws -> [SymbolGraph] {
        let output = FileManager.default.temporaryDirectory
            .appending(path: "symbols-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: output, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: output) }
        let process = Process()
        process.executableURL = URL(filePath: tool ?? "")
        process.arguments = [
            "-module-name", module, "-I", modules.path(), "-target", target,
            "-Xcc", "-fmodule-map-file=\(Package.folder.path())Sources/CLibcurl/module.modulemap",
            "-minimum-access-level", "public", "-skip-synthesized-members",
            "-output-dir", output.path(),
        ]
        // The sanitizers' libraries are for the tests alone.
        process.environment = ["PATH": ProcessInfo.processInfo.environment["PATH"] ?? ""]
        try process.run()
        process.waitUntilExit()
        return try FileManager.default.contentsOfDirectory(atPath: output.path()).sorted().map {
            try JSONDecoder().decode(
                SymbolGraph.self, from: Data(contentsOf: output.appending(path: $0)))
        }
    }

    private static var target: String {
        #if arch(x86_64)
            "x86_64-unknown-linux-gnu"
        #else
            "aarch64-unknown-linux-gnu"
        #endif
    }
}
