import PipelineCore
import PipelineJSON
import TestSupport
import Testing

@testable import PipelineCommand

@Suite("The configuration file")
struct ConfigurationFileTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func settings(
        _ text: String, _ arguments: [String] = ["a.json"], environment: [String: String] = [:]
    ) throws -> Settings {
        let path = try folder.write(text, as: "config.json")
        return try ArgumentParser.parse(["--config", path] + arguments) { environment[$0] }
            .settings
    }

    /// The problems of a file, with the place in it.
    private func problems(_ text: String) throws -> [String] {
        let error = #expect(throws: UsageError.self) { try settings(text) }
        let found = try #require(error)
        return ([found.message] + found.others).map { $0.replacing("\(folder.path)/", with: "") }
    }

    @Test("Each kind of option may stand in it, its paths from its own folder on")
    func kinds() throws {
        let settings = try settings(
            """
            { "timeout": "5s", "retry": 2, "keep-going": true, "quiet": false, "color": "always",
              "header": ["A: 1", "B: 2"], "report-junit": "out/junit.xml", "events": "-",
              "report-json": ["/tmp/a.json", "b.json"], "vars-file": "staging.env",
              "var": { "API": "https://a/?b=c", "count": 3, "big": 1003200000000001759 } }
            """)
        #expect(settings.timeout == .seconds(5))
        #expect(settings.retryLimit == 2)
        #expect(settings.keepsGoing)
        #expect(!settings.isQuiet)
        #expect(settings.color == .always)
        #expect(settings.headers.fields.values(of: "B") == ["2"])
        #expect(
            settings.reports.map(\.path).sorted()
                == [
                    folder.file("b.json"), folder.file("out/junit.xml"), "/tmp/a.json",
                ].sorted())
        #expect(settings.eventsPath == "-")
        let configured = try #require(settings.configured)
        #expect(configured.variableFiles == [folder.file("staging.env")])
        #expect(
            configured.assignments.map(\.value) == ["https://a/?b=c", 3, 1_003_200_000_000_001_759])
        #expect(settings.assignments.isEmpty)
    }

    @Test(
        "The command line goes before the environment, that before the file, that before defaults")
    func precedence() throws {
        let text = #"{ "timeout": "3s", "deadline": "3s", "retry": 3, "header": "A: 3" }"#
        let environment = ["PIPELINE_RUN_TIMEOUT": "2s", "PIPELINE_RUN_DEADLINE": "2s"]
        let settings = try settings(
            text, ["--timeout=1s", "-H", "B: 1", "a.json"], environment: environment)
        #expect(settings.timeout == .seconds(1))
        #expect(settings.deadline == .seconds(2))
        #expect(settings.retryLimit == 3)
        #expect(settings.connectTimeout == nil)
        // A list is replaced as a whole.
        #expect(settings.headers.fields.map(\.name) == ["B"])
    }

    @Test("Values are merged by their names, those of the command line before those of the file")
    func values() throws {
        let pipeline = try Pipeline(
            parsing:
                #"{"variables":{"a":"5","b":"5","c":"5","d":"5","e":"5"},"requests":[{"url":"https://a/{{a}}{{b}}{{c}}{{d}}{{e}}"}]}"#
                .utf8.map(\.self), name: "a.json")
        _ = try folder.write("d=4\nc=4", as: "low.env")
        let high = try folder.write("b=2\nc=2", as: "high.env")
        let settings = try settings(
            #"{ "var": { "a": "3", "b": "3", "c": "3" }, "vars-file": "low.env" }"#,
            ["--var", "a=1", "--vars-file", high, "a.json"])
        let inputs = try GivenValues(settings).bind(pipeline)
        let preview = try #require(try inputs.previews(options: RunOptions()).first)
        #expect(try preview.request?.get().url.text == "https://a/12245")
    }

    @Test("A key of the file goes with its certificate alone")
    func keys() throws {
        let pem = try folder.write("", as: "a.pem")
        let text = #"{ "cert": "a.pem", "key": "a.pem" }"#
        #expect(try settings(text).connection.key == pem)
        #expect(try settings(text, ["--cert", pem, "a.json"]).connection.key == nil)
    }

    @Test("Everything that is wrong is said at once, with its place and the nearest name")
    func wrong() throws {
        #expect(
            try problems(
                """
                { "timeot": "5s",
                  "secret": { "password": "hunter2" },
                  "only": "login",
                  "timeout": "5",
                  "jobs": [2],
                  "quiet": "yes",
                  "header": ["A: 1", "Basic hunter2", null],
                  "var": { "7x": 1 },
                  "retry": 1, "retry": 2 }
                """) == [
                    "config.json:1:3: unknown option \"timeot\"; did you mean \"timeout\"?",
                    "config.json:2:3: secrets do not belong in a configuration file; give them as "
                        + "PIPELINE_VAR_NAME in the environment, or with --vars-file",
                    "config.json:3:3: --only is for the command line alone",
                    "config.json:4:14: timeout: expected a duration such as \"250ms\", \"5s\" or "
                        + "\"1m30s\", found \"5\": a number needs a unit",
                    "config.json:5:11: expected a text or a number",
                    "config.json:6:12: expected true or false",
                    "config.json:7:22: header: expected \"Name: value\", \"Name:\" to leave it out or "
                        + "\"Name;\" to send it empty",
                    "config.json:7:39: expected a text, or a list of them",
                    "config.json:8:12: \"7x\" is not the name of a variable",
                    "config.json:9:15: \"retry\" is written twice",
                ])
    }

    @Test(
        "What is no object of options is refused",
        arguments: [("[]", "1:1: expected an object"), ("{", "1:2: "), ("", "1:1: ")])
    func malformed(text: String, message: String) throws {
        #expect(try problems(text)[0].hasPrefix("config.json:\(message)"))
    }

    @Test("It is where the environment says, and else in the usual place")
    func places() throws {
        func timeout(_ environment: [String: String], _ options: String...) throws -> Duration? {
            try ArgumentParser.parse(options + ["a.json"]) { environment[$0] }.settings.timeout
        }
        for name in ["xdg/pipeline-run", "home/.config/pipeline-run"] {
            var path = ""
            for part in name.split(separator: "/") {
                path += path.isEmpty ? String(part) : "/\(part)"
                _ = try folder.makeFolder(path)
            }
        }
        _ = try folder.write(#"{"timeout":"1s"}"#, as: "xdg/pipeline-run/config.json")
        _ = try folder.write(#"{"timeout":"2s"}"#, as: "home/.config/pipeline-run/config.json")
        let named = try folder.write(#"{"timeout":"3s"}"#, as: "named.json")
        let both = ["XDG_CONFIG_HOME": folder.file("xdg"), "HOME": folder.file("home")]
        #expect(try timeout(both) == .seconds(1))
        #expect(try timeout(["HOME": folder.file("home")]) == .seconds(2))
        #expect(try timeout(["XDG_CONFIG_HOME": "", "HOME": folder.file("home")]) == .seconds(2))
        #expect(try timeout(["HOME": folder.file("nobody")]) == nil)
        #expect(try timeout([:]) == nil)
        #expect(try timeout(both.merging(["PIPELINE_RUN_CONFIG": named]) { $1 }) == .seconds(3))
        #expect(try timeout(both, "--config", named) == .seconds(3))
        #expect(try timeout(both, "--no-config") == nil)
        #expect(
            try timeout(both.merging(["PIPELINE_RUN_CONFIG": named]) { $1 }, "--no-config") == nil)
        #expect(throws: UsageError.self) { try timeout([:], "--config", folder.file("gone")) }
        #expect(throws: UsageError.self) { try timeout(["PIPELINE_RUN_CONFIG": "/nowhere"]) }
    }

    @Test("Commands take what is theirs, and those that run nothing read none")
    func commands() throws {
        let text = #"{ "timeout": "3s", "quiet": true, "file-root": "/tmp", "port": 81 }"#
        let validation = try settings(text, ["validate", "a.json"])
        #expect(validation.isQuiet)
        #expect(validation.timeout == nil)
        #expect(try settings(text, ["serve", "a.json"]).port == 81)
        let broken = try folder.write("{", as: "broken.json")
        for command in ["init", "schema", "help"] {
            _ = try ArgumentParser.parse([command]) { $0 == "PIPELINE_RUN_CONFIG" ? broken : nil }
        }
    }

    @Test("What may not stand in a file may not be repeated in one either")
    func table() {
        for option in OptionTable.all {
            #expect(!option.traits.isSuperset(of: [.commandLineOnly, .repeatable]))
        }
    }
}
