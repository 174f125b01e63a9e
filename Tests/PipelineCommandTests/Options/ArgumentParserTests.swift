import PipelineCore
import PipelineJSON
import Testing

@testable import PipelineCommand

@Suite("Reading a command line")
struct ArgumentParserTests {
    @Test(
        "The first word is the command when it is one",
        arguments: [
            (["a.json"], Subcommand.run, ["a.json"]),
            (["run", "a.json"], .run, ["a.json"]),
            (["run", "run"], .run, ["run"]),
            (["--color", "never", "validate", "a.json"], .validate, ["a.json"]),
            (["schema"], .schema, []),
            (["init"], .initialize, []),
            (["init", "b.json"], .initialize, ["b.json"]),
            (["serve", "b.json"], .serve, ["b.json"]),
            (["./validate"], .run, ["./validate"]),
            (["--", "validate"], .run, ["validate"]),
            (["validate", "--", "--force"], .validate, ["--force"]),
            (["a.json", "-", "pipelines/"], .run, ["a.json", "-", "pipelines/"]),
            (["a.json", "a.json"], .run, ["a.json", "a.json"]),
        ])
    func commands(arguments: [String], command: Subcommand, operands: [String]) throws {
        let invocation = try ArgumentParser.parse(arguments)
        #expect(invocation.command == command)
        #expect(invocation.settings.operands == operands)
        #expect(invocation.notice == nil)
    }

    @Test(
        "A value may follow an option or stand behind an equals sign",
        arguments: [
            ["--timeout", "1m30s", "a"], ["--timeout=1m30s", "a"], ["a", "--timeout=90s"],
        ])
    func values(arguments: [String]) throws {
        let settings = try ArgumentParser.parse(arguments).settings
        #expect(settings.timeout == .seconds(90))
        #expect(settings.operands == ["a"])
    }

    @Test("Every option sets what it is for")
    func effects() throws {
        let settings = try ArgumentParser.parse([
            "-kq", "--keep-going", "--fail-fast", "--connect-timeout", "250ms", "--deadline=1h",
            "--color=always", "--progress", "never", "--vars-file", "v.json",
            "--vars-file=w.env", "a.json",
        ]).settings
        #expect(settings.connection.isInsecure)
        #expect(settings.isQuiet)
        #expect(settings.keepsGoing)
        #expect(settings.stopsAfterFailedFile)
        #expect(settings.connectTimeout == .milliseconds(250))
        #expect(settings.deadline == .seconds(3_600))
        #expect(settings.color == .always)
        #expect(settings.progress == .never)
        #expect(settings.variableFiles == ["v.json", "w.env"])
        #expect(try ArgumentParser.parse(["serve", "a", "--port", "8080"]).settings.port == 8_080)
        #expect(try ArgumentParser.parse(["init", "--force"]).settings.overwrites)
    }

    @Test(
        "A value of the command line is a string unless it is typed (O26)",
        arguments: [
            ("zip=00501", JSONValue("00501")),
            ("zip=", ""),
            ("zip=a=b", "a=b"),
            ("zip= x ", " x "),
            ("zip=\"7\"", "\"7\""),
            ("zip:=7", 7),
            ("zip:=[1, \"b\"]", JSONValue(array: [1, "b"])),
            ("zip:=null", .null),
        ])
    func variables(text: String, value: JSONValue) throws {
        let assignments = try ArgumentParser.parse(["--var", text, "a"]).settings.assignments
        #expect(assignments.map(\.name) == ["zip"])
        #expect(assignments.map(\.value) == [value])
        #expect(assignments.map(\.isSecret) == [false])
    }

    @Test(
        "What is wrong is said, and what was probably meant",
        arguments: [
            ([], "run needs the name of a pipeline file"),
            (["validate"], "validate needs the name of a pipeline file"),
            (["schema", "x"], "schema takes no argument, found \"x\""),
            (["serve", "a", "b"], "serve takes one argument at most, found \"b\""),
            (["--timout", "5s", "a"], "unknown option --timout; did you mean \"--timeout\"?"),
            (["--xyzzy", "a"], "unknown option --xyzzy"),
            (["-z", "a"], "unknown option -z"),
            (["-kz", "a"], "unknown option -z"),
            (["--quiet=yes", "a"], "--quiet takes no value, found \"yes\""),
            (["a", "--timeout"], "--timeout needs a value: DURATION"),
            (
                ["--timeout", "5", "a"],
                "--timeout: expected a duration such as \"250ms\", \"5s\" or \"1m30s\", "
                    + "found \"5\": a number needs a unit"
            ),
            (
                ["--deadline=", "a"],
                "--deadline: expected a duration such as \"250ms\", \"5s\" or \"1m30s\", found \"\""
            ),
            (["--timeout", "0s", "a"], "--timeout: expected a duration above 0, found \"0s\""),
            (
                ["--connect-timeout=0ms", "a"],
                "--connect-timeout: expected a duration above 0, found \"0ms\""
            ),
            (["--deadline=0h", "a"], "--deadline: expected a duration above 0, found \"0h\""),
            (["--retry", "-1", "a"], "--retry: expected a number from 0 to 10000, found \"-1\""),
            (
                ["--color", "alway", "a"],
                "--color: expected auto, always or never, found \"alway\"; did you mean \"always\"?"
            ),
            (
                ["serve", "a", "--port", "70000"],
                "--port: expected a port from 0 to 65535, found \"70000\""
            ),
            (
                ["validate", "a", "--timeout", "5s"],
                "--timeout is an option of run, not of validate"
            ),
            (["a", "--force"], "--force is an option of init, not of run"),
            (["--var", "x", "a"], "--var: expected NAME=VALUE or NAME:=JSON"),
            (["--var", "7x=1", "a"], "--var: \"7x\" is not the name of a variable"),
            (["--var", "env.HOME=1", "a"], "--var: \"env.HOME\" is not the name of a variable"),
            (["help", "rum"], "there is no command \"rum\"; did you mean \"run\"?"),
            (["merge"], "merge needs the name of a report"),
            (
                ["merge", "a.xml", "--report-json", "x"],
                "--report-json is an option of run, not of merge"
            ),
            (["a", "--report-json", ""], "--report-json: expected the path of a file"),
        ])
    func usageErrors(arguments: [String], message: String) {
        #expect(throws: UsageError(message)) { try ArgumentParser.parse(arguments) }
    }

    @Test(
        "A message never shows what may be secret (O27)",
        arguments: [
            ["--secret", "hunter2hunter2", "a"], ["--var", "hunter2hunter2", "a"],
            ["--var", "x:=hunter2hunter2", "a"], ["--secret", "7=hunter2hunter2", "a"],
        ])
    func secretsInMessages(arguments: [String]) throws {
        let error = #expect(throws: UsageError.self) { try ArgumentParser.parse(arguments) }
        #expect(try !#require(error).message.contains("hunter2"))
    }

    @Test("A secret that is too short to be masked is refused (O27)")
    func shortSecret() {
        let message =
            "--secret: the value of pin is shorter than 4 bytes and could not be masked"
        #expect(throws: UsageError(message)) {
            try ArgumentParser.parse(["--secret", "pin=123", "a"])
        }
    }

    @Test("Options about files and their parts set what they are for")
    func parts() throws {
        let settings = try ArgumentParser.parse([
            "--jobs", "4", "--shard=2/3", "--repeat", "5", "--data", "d.csv", "-vv", "--dry-run",
            "--from", "a", "--to", "b", "a.json",
        ]).settings
        #expect(settings.fileLimit == 4)
        #expect(settings.shard == (try Shard("2/3")))
        #expect(settings.repeatCount == 5)
        #expect(settings.dataPath == "d.csv")
        #expect(settings.verbosity == 2)
        #expect(settings.isDryRun)
        #expect(settings.selection.first == "a")
        #expect(settings.selection.last == "b")
        #expect(
            try ArgumentParser.parse(["--only=a", "--only", "b", "x"]).settings.selection.only == [
                "a", "b",
            ])
    }

    @Test(
        "Numbers that make no sense are refused",
        arguments: [
            "--jobs=0", "--jobs=257", "--jobs=x", "--repeat=0", "--shard=0/2", "--shard=3/2",
            "--shard=1", "--shard=1/2/3", "--shard=a/b", "--shard=-1/2",
        ])
    func numbers(_ option: String) throws {
        let error = #expect(throws: UsageError.self) { try ArgumentParser.parse([option, "a"]) }
        #expect(error?.message.contains(": expected ") ?? false)
    }

    @Test("An option goes before its environment variable, and that before the default")
    func environment() throws {
        let set = [
            "PIPELINE_RUN_TIMEOUT": "7s", "PIPELINE_RUN_COLOR": "always",
            "PIPELINE_RUN_REPORT_JUNIT": "e.xml", "PIPELINE_RUN_JOBS": "",
            "PIPELINE_RUN_KEEP_GOING": "1",
        ]
        let lookUp: (String) -> String? = { set[$0] }
        let plain = try ArgumentParser.parse(["a"], environment: lookUp).settings
        #expect(plain.timeout == .seconds(7))
        #expect(plain.color == .always)
        #expect(plain.reports.map(\.path) == ["e.xml"])
        #expect(plain.fileLimit == 1)
        #expect(!plain.keepsGoing)
        let given = try ArgumentParser.parse(
            ["a", "--timeout", "1s", "--report-junit=o.xml", "--color=never"], environment: lookUp
        ).settings
        #expect(given.timeout == .seconds(1))
        #expect(given.color == .never)
        #expect(given.reports.map(\.path) == ["o.xml"])
        let validation = try ArgumentParser.parse(["validate", "a"], environment: lookUp).settings
        #expect(validation.timeout == nil)
        #expect(validation.color == .always)
    }

    @Test("A variable that makes no sense is refused by its name, and leaves the help alone")
    func wrongVariable() throws {
        let lookUp: (String) -> String? = { $0 == "PIPELINE_RUN_COLOR" ? "alway" : nil }
        let error = #expect(throws: UsageError.self) {
            try ArgumentParser.parse(["a"], environment: lookUp)
        }
        #expect(
            error?.message.hasPrefix("PIPELINE_RUN_COLOR: expected auto, always or never") ?? false)
        #expect(try ArgumentParser.parse(["help"], environment: lookUp).notice != nil)
    }

    @Test("Help and version win over everything that is missing")
    func notices() throws {
        for arguments in [["--help"], ["-h"], ["help"]] {
            guard case .help(nil)? = try ArgumentParser.parse(arguments).notice else {
                Issue.record("\(arguments) is not the help")
                continue
            }
        }
        for arguments in [["serve", "--help"], ["help", "serve"], ["-qh", "serve"]] {
            guard case .help(.serve?)? = try ArgumentParser.parse(arguments).notice else {
                Issue.record("\(arguments) is not the help of serve")
                continue
            }
        }
        guard case .version? = try ArgumentParser.parse(["run", "--version"]).notice else {
            Issue.record("--version is not heard")
            return
        }
    }
}
