import Foundation
import PipelineJSON
import Testing

@Suite(
    "JSON-Schema-Test-Suite, draft 2020-12",
    .enabled(if: ConformanceData.isPresent, ConformanceData.absence), .timeLimit(.minutes(1)))
struct JSONSchemaSuiteTests {
    @Test("every required case is valid or invalid as the suite says")
    func required() throws {
        let files = try JSONSchemaSuite.files("")
        let count = try run(files, assertsFormats: false)
        print("JSON Schema, required: \(count) of \(count) cases in \(files.count) files")
        #expect(files.count == 46)
        #expect(count == 1_299)
    }

    @Test("every optional case of the asserted formats is valid or invalid as the suite says")
    func formats() throws {
        let names = [
            "date-time", "date", "time", "duration", "email", "hostname", "ipv4", "ipv6", "uri",
            "uri-reference", "uuid", "json-pointer", "regex",
        ]
        let files = try JSONSchemaSuite.files("optional/format").filter {
            names.contains($0.deletingPathExtension().lastPathComponent)
        }
        let count = try run(files, assertsFormats: true)
        print("JSON Schema, formats: \(count) of \(count) cases in \(files.count) files")
        #expect(files.count == names.count)
    }

    @Test("every optional case of this draft is valid or invalid as the suite says")
    func optional() throws {
        // These two are about keywords and metaschemas of older drafts, which are not supported.
        let older = ["cross-draft", "dependencies-compatibility"]
        let files = try JSONSchemaSuite.files("optional").filter {
            !older.contains($0.deletingPathExtension().lastPathComponent)
        }
        let count = try run(files, assertsFormats: false)
        print("JSON Schema, optional: \(count) of \(count) cases in \(files.count) files")
    }

    /// Runs all cases; gives how many there are in the files once each came out right.
    private func run(_ files: [URL], assertsFormats: Bool) throws -> Int {
        var count = 0
        var passed = 0
        for file in files {
            for group in try JSONSchemaSuite.groups(in: file) {
                count += group.cases.count
                let schema: JSONSchema
                do {
                    schema = try JSONSchema(
                        group.schema, assertsFormats: assertsFormats,
                        resolving: JSONSchemaSuite.remote)
                } catch {
                    Issue.record("\(file.lastPathComponent): \(group.name): \(error)")
                    continue
                }
                for test in group.cases {
                    let findings = schema.validate(test.data)
                    if findings.isEmpty == test.isValid {
                        passed += 1
                    } else {
                        Issue.record(
                            "\(file.lastPathComponent): \(group.name): \(test.name): \(findings)")
                    }
                    for finding in findings {
                        #expect(finding.schemaLocation.contains("#"))
                        #expect(finding.message.hasPrefix("expected "))
                    }
                }
            }
        }
        #expect(passed == count)
        return count
    }
}

/// The files of the suite: its tests, and the documents that they refer to.
enum JSONSchemaSuite {
    struct Group {
        let name: String
        let schema: JSONValue
        let cases: [Case]
    }

    struct Case {
        let name: String
        let data: JSONValue
        let isValid: Bool
    }

    /// The files right inside a folder of the tests of the draft, in order.
    static func files(_ folder: String) throws -> [URL] {
        let url = root.appending(path: "tests/draft2020-12").appending(path: folder)
        return try FileManager.default.contentsOfDirectory(
            at: url, includingPropertiesForKeys: nil
        )
        .filter { $0.pathExtension == "json" }
        .sorted { $0.path < $1.path }
    }

    static func groups(in file: URL) throws -> [Group] {
        try JSONValue(parsing: [UInt8](Data(contentsOf: file))).elements.map { group in
            Group(
                name: try #require(group["description"]?.string),
                schema: try #require(group["schema"]),
                cases: try #require(group["tests"]).elements.map { test in
                    Case(
                        name: try #require(test["description"]?.string),
                        data: try #require(test["data"]),
                        isValid: test["valid"] == true)
                })
        }
    }

    /// What the suite would serve under this URI.
    static func remote(_ uri: String) throws -> JSONValue? {
        let server = "http://localhost:1234/"
        guard uri.hasPrefix(server) else { return nil }
        let file = root.appending(path: "remotes").appending(path: uri.dropFirst(server.count))
        return try JSONValue(parsing: [UInt8](Data(contentsOf: file)))
    }

    private static let root = ConformanceData.folder.appending(path: "json-schema")
}
