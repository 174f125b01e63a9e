import PipelineCore
import PipelineJSON
import TestSupport
import Testing

@testable import PipelineCommand

@Suite("The manual")
struct ManualTests {
    @Test("names every command and every option")
    func commandLine() throws {
        let text = try PipelineRunProgram.text("Documentation/command-line.md")
        for command in Subcommand.allCases {
            let name = command == .run ? "[run]" : command.rawValue
            #expect(text.contains("\npipeline-run \(name) "), "\(name)")
        }
        let names = Set(text.matches(of: /--[a-z][a-z0-9.-]*/).map { String($0.output) })
        for option in OptionTable.all { #expect(names.contains(option.names[0])) }
        // The beginning of several names, and what `help` alone takes.
        for name in names.subtracting(["--report-", "--format"]) {
            #expect(OptionTable.option(name) != nil, "\(name)")
        }
    }

    @Test("names every key of the file format")
    func pipelineFile() throws {
        let text = try PipelineRunProgram.text("Documentation/pipeline-file.md")
        let words = Set(text.matches(of: /[`"](\$?[A-Za-z0-9]+)[`"]/).map { String($0.1) })
        let schema = try JSONValue(
            parsing: PipelineRunProgram.text("pipelines/pipeline.schema.json"))
        let keys = Self.keys(in: schema)
        #expect(keys.count > 80)
        #expect(keys.subtracting(words) == [])
    }

    /// The names of all properties that a schema describes.
    private static func keys(in schema: JSONValue) -> Set<String> {
        var keys = Set(schema["properties"]?.members.map(\.name) ?? [])
        for member in schema.members { keys.formUnion(Self.keys(in: member.value)) }
        for element in schema.elements { keys.formUnion(Self.keys(in: element)) }
        return keys
    }

    @Test("shows in the README what is said of a file that is wrong")
    func validation() async throws {
        let folder = try TemporaryFolder()
        let file = try folder.write(
            """
            {
              "baseURL": "https://api.example.com",
              "requests": [
                { "name": "profile", "url": "/me", "timeout": "5 sec" },
                { "name": "feed", "url": "/feed/{{usr}}" }
              ]
            }
            """, as: "home.json")
        let outcome = try await PipelineRunProgram.run("validate", file)
        let shown = outcome.errors.replacing(file, with: "home.json")
        #expect(
            try PipelineRunProgram.text("README.md").contains(
                "$ pipeline-run validate home.json\n\(shown)```"))
    }
}
