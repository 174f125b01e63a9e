import Foundation
import Testing

/// The files of this package.
enum Package {
    /// The package's folder.
    ///
    /// This file is Tests/DocumentationTests/Package.swift.
    static let folder = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    /// The paths of all files under a folder that end so, sorted.
    static func files(in subfolder: String, ending suffix: String) throws -> [String] {
        let all = try FileManager.default.subpathsOfDirectory(
            atPath: folder.appending(path: subfolder).path())
        return all.filter { $0.hasSuffix(suffix) }.sorted().map { "\(subfolder)/\($0)" }
    }

    static func text(_ path: String) throws -> String {
        try String(contentsOf: folder.appending(path: path), encoding: .utf8)
    }

    /// Whether generated text is to be written anew.
    static let isRecording = ProcessInfo.processInfo.environment["PIPELINE_RECORD"] != nil

    /// Compares a text with a file; recording one fails the test, so that it cannot go unseen.
    static func expect(_ text: String, toBeIn path: String) throws {
        let kept = (try? self.text(path)) ?? ""
        guard text != kept else { return }
        guard !isRecording else {
            try Data(text.utf8).write(to: folder.appending(path: path))
            Issue.record("recorded: \(path)")
            return
        }
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        let keptLines = kept.split(separator: "\n", omittingEmptySubsequences: false)
        let first = zip(lines, keptLines).prefix { $0 == $1 }.count
        Issue.record(
            """
            \(path):\(first + 1) is not as it would be written; PIPELINE_RECORD=1 renews it
            there:  \(first < keptLines.count ? keptLines[first] : "the end")
            wanted: \(first < lines.count ? lines[first] : "the end")
            """)
    }
}
