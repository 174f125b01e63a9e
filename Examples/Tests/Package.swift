import Foundation
import Testing

/// The package that the examples are in.
enum Package {
    /// The path of something in it.
    static func path(_ relative: String) -> String {
        // This file is Examples/Tests/Package.swift.
        let root = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
        return "/\(root)/\(relative)"
    }

    /// Runs a program that was built with the tests, in the package's folder.
    static func run(_ words: String) throws -> (output: String, status: Int32) {
        let words = words.split(separator: " ").map(String.init)
        let process = Process()
        let output = Pipe()
        process.executableURL = try productsFolder.appending(path: #require(words.first))
        process.arguments = Array(words.dropFirst())
        process.currentDirectoryURL = URL(filePath: path(""))
        process.standardOutput = output
        try process.run()
        let data = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return (String(decoding: data, as: UTF8.self), process.terminationStatus)
    }

    /// What a document shows after `$ swift run …`, up to the next command or the end of the block.
    static func shownOutput(of words: String, in document: String) throws -> String {
        let text = try String(contentsOfFile: path(document), encoding: .utf8)
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        let command = try #require(lines.firstIndex(of: "$ swift run \(words)"))
        return lines[(command + 1)...].prefix { !$0.hasPrefix("$ ") && $0 != "```" }
            .map { "\($0)\n" }.joined()
    }

    /// Where the programs are: beside the tests, wherever these are run from.
    private static var productsFolder: URL {
        #if os(Linux)
            URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
        #else
            Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }?.bundleURL
                .deletingLastPathComponent() ?? Bundle.main.bundleURL
        #endif
    }
}
